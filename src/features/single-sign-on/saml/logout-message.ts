import { inflateRawSync } from 'node:zlib';
import { Parser } from 'htmlparser2';
import { ProviderFault } from '../vouched.ts';
import { strictly } from './envelope.ts';

/** Most characters of a message as it travels, and most bytes of it when it is unpacked. */
const MAX_PACKED = 16_000;
const MAX_BYTES = 48_000;
const MAX_ID = 255;
/** What a query may hold besides the message, and the ways to sign that are taken. */
const KNOWN = ['SAMLRequest', 'SAMLResponse', 'RelayState', 'SigAlg', 'Signature'] as const;
type Known = (typeof KNOWN)[number];
const SIGNATURES: ReadonlySet<string> = new Set([
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
]);

/** A signed message in an address (SAML bindings, 3.4.4), as it was sent. */
export interface SignedQuery {
  readonly kind: 'SAMLRequest' | 'SAMLResponse';
  readonly values: Readonly<Partial<Record<Known, string>>>;
  /** The parameters that a signature covers, in its order, encoded as they came. */
  readonly covered: string;
  readonly xml: string;
}

/** Reads a query that must be signed; one that says something twice, or is too long, is refused. */
export function readQuery(search: string): SignedQuery {
  const sent = search
    .replace(/^\?/, '')
    .split('&')
    .filter((pair) => pair !== '');
  const pairs = sent.map((pair) => [pair.split('=', 1)[0] ?? '', pair] as const);
  const names = pairs.map(([name]) => name);
  if (names.some((name, index) => isKnown(name) && names.indexOf(name) !== index)) throw untrue('twice');
  const values: Partial<Record<Known, string>> = {};
  for (const [name, value] of new URLSearchParams(search)) if (isKnown(name)) values[name] = value;
  const kind = values.SAMLRequest === undefined ? 'SAMLResponse' : 'SAMLRequest';
  const message = values[kind] ?? '';
  if (values.SAMLRequest !== undefined && values.SAMLResponse !== undefined) throw untrue('twice');
  if (message === '' || message.length > MAX_PACKED) throw untrue('size');
  if (values.Signature === undefined || !SIGNATURES.has(values.SigAlg ?? '')) throw untrue('signature');
  const raw = (name: Known) => pairs.flatMap(([known, pair]) => (known === name ? [pair] : []));
  const covered = [...raw(kind), ...raw('RelayState'), ...raw('SigAlg')].join('&');
  return { kind, values, covered, xml: strictly(unpacked(message)) };
}

/** What a message about logging out says (SAML core, 3.7). */
export interface LogoutMessage {
  readonly root: string;
  readonly id: string;
  readonly issuer: string;
  readonly destination: string | undefined;
  readonly issuedAt: string | undefined;
  readonly until: string | undefined;
  /** Who is logged out, and the sessions there; all of them where none is named. */
  readonly nameIds: readonly string[];
  readonly sessions: readonly string[];
  readonly statuses: readonly string[];
}

/** Reads a message whose signature covers all of it. */
export function readLogout(xml: string): LogoutMessage {
  const path: string[] = [];
  const roots: { readonly name: string; readonly attributes: Readonly<Record<string, string>> }[] = [];
  const texts = new Map<string, string[]>();
  const statuses: string[] = [];
  const parser = new Parser(
    {
      onopentag: (tag, found) => {
        path.push(tag.slice(tag.indexOf(':') + 1));
        if (path.length === 1) roots.push({ name: path[0] ?? '', attributes: found });
        const at = path.slice(1).join('/');
        const known = texts.get(at);
        if (known) known.push('');
        else texts.set(at, ['']);
        if (at === 'Status/StatusCode') statuses.push(found['Value'] ?? '');
      },
      ontext: (text) => {
        const known = texts.get(path.slice(1).join('/'));
        known?.push((known.pop() ?? '') + text);
      },
      onclosetag: () => void path.pop(),
    },
    { xmlMode: true },
  );
  parser.end(xml);
  const [only, ...others] = roots;
  const { name = '', attributes: root = {} } = only ?? {};
  const id = root['ID'] ?? '';
  if (id === '' || id.length > MAX_ID || others.length > 0) throw untrue('root');
  const textsAt = (at: string) => (texts.get(at) ?? []).map((text) => text.trim());
  return {
    root: name,
    id,
    issuer: textsAt('Issuer').join(' '),
    destination: root['Destination'],
    issuedAt: root['IssueInstant'],
    until: root['NotOnOrAfter'],
    nameIds: textsAt('NameID'),
    sessions: textsAt('SessionIndex'),
    statuses,
  };
}

function unpacked(message: string): string {
  try {
    const bytes = inflateRawSync(Buffer.from(message, 'base64'), { maxOutputLength: MAX_BYTES });
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw untrue('encoding');
  }
}

function isKnown(name: string): name is Known {
  return KNOWN.some((known) => known === name);
}

function untrue(code: string): ProviderFault {
  return new ProviderFault('untrue', code);
}
