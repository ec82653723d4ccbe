import { inflateRawSync } from 'node:zlib';
import { decoded, type Element, elementsOf, MAX_BYTES, rootOf, textOf, invalid } from './strict.ts';

/** Most characters of an encoded message in a query. */
const MAX_PACKED = 16_000;
const MAX_ID = 255;
/** Parameters that a query may have, and signature algorithms that are accepted. */
const KNOWN = ['SAMLRequest', 'SAMLResponse', 'RelayState', 'SigAlg', 'Signature'] as const;
type Known = (typeof KNOWN)[number];
const SIGNATURES: ReadonlySet<string> = new Set([
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
]);
/** Longest RelayState, which the provider gets back, in characters. */
const MAX_RELAY_STATE = 1000;

/** A message about logging out whose signature is not verified yet. */
interface Signed {
  readonly kind: 'SAMLRequest' | 'SAMLResponse';
  readonly elements: readonly Element[];
  readonly relayState: string | undefined;
}

/** A signed message in a query (SAML bindings, 3.4.4), as it was sent. */
export interface SignedQuery extends Signed {
  readonly values: Readonly<Partial<Record<Known, string>>>;
  /** The parameters that the signature covers, in its order, with their original encoding. */
  readonly covered: string;
}

/** A message with an embedded signature (SAML bindings, 3.5.4), in Base64. */
export interface SignedForm extends Signed {
  readonly message: string;
}

/** Parses a query that must be signed; refuses repeated parameters and long values. */
export function readQuery(search: string): SignedQuery {
  const sent = search
    .replace(/^\?/, '')
    .split('&')
    .filter((pair) => pair !== '');
  const pairs = sent.map((pair) => [pair.split('=', 1)[0] ?? '', pair] as const);
  const names = pairs.map(([name]) => name);
  if (names.some((name, index) => isKnown(name) && names.indexOf(name) !== index)) throw invalid('twice');
  const values: Partial<Record<Known, string>> = {};
  for (const [name, value] of new URLSearchParams(search)) if (isKnown(name)) values[name] = value;
  const kind = kindOf(values);
  const message = values[kind] ?? '';
  if (message === '' || message.length > MAX_PACKED) throw invalid('size');
  if (values.Signature === undefined || !SIGNATURES.has(values.SigAlg ?? '')) throw invalid('signature');
  const raw = (name: Known) => pairs.flatMap(([known, pair]) => (known === name ? [pair] : []));
  const covered = [...raw(kind), ...raw('RelayState'), ...raw('SigAlg')].join('&');
  return { kind, values, covered, elements: elementsOf(unpacked(message)), relayState: values.RelayState };
}

/** Parses a form whose message must have an embedded signature. */
export function readForm(fields: ReadonlyMap<string, string>): SignedForm {
  const values = { SAMLRequest: fields.get('SAMLRequest'), SAMLResponse: fields.get('SAMLResponse') };
  const relayState = fields.get('RelayState');
  if ((relayState?.length ?? 0) > MAX_RELAY_STATE) throw invalid('size');
  const kind = kindOf(values);
  const message = values[kind] ?? '';
  const elements = elementsOf(decoded(message));
  assertSignsAll(elements);
  return { kind, message, elements, relayState };
}

/** Parses a provider's own request (SAML bindings, 3.2): one message in the body of an envelope. */
export function readSoap(body: Buffer): SignedForm {
  if (body.length > MAX_BYTES) throw invalid('size');
  const inside = elementsOf(textOf(body)).filter(({ at }) => /^Envelope\/Body\/[^/]+$/.test(at));
  const [only, ...others] = inside;
  if (only?.at !== 'Envelope/Body/LogoutRequest' || others.length > 0) throw invalid('root');
  const message = Buffer.from(only.source).toString('base64');
  return readForm(new Map([['SAMLRequest', message]]));
}

/**
 * Throws unless there is exactly one signature, directly below the root, over exactly one element: the root, whose ID
 * no other element has. So everything is signed except the contents of the signature, which nobody reads.
 */
function assertSignsAll(elements: readonly Element[]): void {
  const { at: root, attributes } = rootOf(elements);
  const named = (name: string) => elements.filter(({ at }) => at.slice(at.lastIndexOf('/') + 1) === name);
  const [signature, reference] = [named('Signature'), named('Reference')];
  if (signature.length !== 1 || signature[0]?.at !== `${root}/Signature`) throw invalid('signature');
  if (reference.length !== 1 || reference[0]?.at !== `${root}/Signature/SignedInfo/Reference`)
    throw invalid('signature');
  const id = attributes['ID'] ?? '';
  const ids = elements.flatMap(({ attributes: { ID, Id, id: small } }) => [ID, Id, small]);
  if (reference[0].attributes['URI'] !== `#${id}` || ids.filter((one) => one === id).length !== 1)
    throw invalid('signature');
}

function kindOf(values: Readonly<Partial<Record<Known, string | undefined>>>): Signed['kind'] {
  if (values.SAMLRequest !== undefined && values.SAMLResponse !== undefined) throw invalid('twice');
  return values.SAMLRequest === undefined ? 'SAMLResponse' : 'SAMLRequest';
}

/** The contents of a message about logging out (SAML core, 3.7). */
export interface LogoutMessage {
  readonly root: string;
  readonly id: string;
  readonly issuer: string;
  readonly destination: string | undefined;
  readonly issuedAt: string | undefined;
  readonly until: string | undefined;
  /** Names of the person, in clear text or encrypted, and the sessions to end; all sessions if none is named. */
  readonly nameIds: readonly string[];
  readonly encryptedIds: readonly string[];
  readonly sessions: readonly string[];
  readonly statuses: readonly string[];
}

/** Parses a message whose signature covers all of it. */
export function readLogout(elements: readonly Element[]): LogoutMessage {
  const { at: root, attributes } = rootOf(elements);
  const id = attributes['ID'] ?? '';
  if (id === '' || id.length > MAX_ID) throw invalid('root');
  const inside = (path: string) => elements.filter(({ at }) => at === `${root}/${path}`);
  const textsAt = (path: string) => inside(path).map(({ text }) => text);
  return {
    root,
    id,
    issuer: textsAt('Issuer').join(' '),
    destination: attributes['Destination'],
    issuedAt: attributes['IssueInstant'],
    until: attributes['NotOnOrAfter'],
    nameIds: textsAt('NameID'),
    encryptedIds: inside('EncryptedID').map(({ source }) => source),
    sessions: textsAt('SessionIndex'),
    statuses: inside('Status/StatusCode').map(({ attributes: { Value = '' } }) => Value),
  };
}

function unpacked(message: string): string {
  try {
    return textOf(inflateRawSync(Buffer.from(message, 'base64'), { maxOutputLength: MAX_BYTES }));
  } catch {
    throw invalid('encoding');
  }
}

function isKnown(name: string): name is Known {
  return KNOWN.some((known) => known === name);
}
