import type { SamlProvider } from '#kernel/identity';
import { anyOf, firstFault, lenientObject, list, maybe, type SchemaOf, str } from '#kernel/schema';
import type { Vouched } from '../vouched.ts';
import type { NameId } from './encrypted.ts';
import type { SamlPeer, SignedAssertion } from './library.ts';
import { invalid } from './strict.ts';

/** Seconds by which a provider's clock may differ, and longest validity of an assertion. */
export const LEEWAY_SECONDS = 60;
const MAX_SECONDS = 600;
/** Seconds for which a used assertion is remembered: until its age alone would refuse it. */
export const REMEMBERED_SECONDS = MAX_SECONDS + 2 * LEEWAY_SECONDS;

const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';
const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';
const UNSPECIFIED = 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified';
const ADDRESS = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';

/** Elements with text; an empty element without attributes counts as an empty text. */
const texts = list(anyOf(str(), lenientObject({ _: maybe(str()) })));
const nameId = lenientObject({
  _: maybe(str()),
  $: maybe(lenientObject({ Format: maybe(str()), NameQualifier: maybe(str()), SPNameQualifier: maybe(str()) })),
});
const shape = lenientObject({
  Assertion: lenientObject({
    $: lenientObject({ ID: str(), IssueInstant: str() }),
    Issuer: texts,
    Subject: list(
      lenientObject({
        NameID: maybe(list(nameId)),
        SubjectConfirmation: list(
          lenientObject({
            $: lenientObject({ Method: str() }),
            SubjectConfirmationData: maybe(
              list(
                lenientObject({
                  $: maybe(
                    lenientObject({
                      Recipient: maybe(str()),
                      NotBefore: maybe(str()),
                      NotOnOrAfter: maybe(str()),
                      InResponseTo: maybe(str()),
                    }),
                  ),
                }),
              ),
            ),
          }),
        ),
      }),
    ),
    Conditions: list(
      lenientObject({
        $: maybe(lenientObject({ NotBefore: maybe(str()), NotOnOrAfter: maybe(str()) })),
        AudienceRestriction: list(lenientObject({ Audience: texts })),
      }),
    ),
    AuthnStatement: list(lenientObject({ $: lenientObject({ AuthnInstant: str(), SessionIndex: maybe(str()) }) })),
    AttributeStatement: maybe(
      list(
        lenientObject({
          Attribute: maybe(
            list(
              lenientObject({
                $: lenientObject({ Name: str(), FriendlyName: maybe(str()) }),
                AttributeValue: maybe(texts),
              }),
            ),
          ),
        }),
      ),
    ),
  }),
});
type Assertion = SchemaOf<typeof shape>['Assertion'];

/** The contents of a checked assertion. */
interface Said {
  /** Issuer and ID, unique for each assertion. */
  readonly id: string;
  /** The request that the assertion answers. */
  readonly requestId: string;
  /** Seconds since 1970 when somebody signed in there. */
  readonly signedInAt: number;
  readonly vouched: Vouched;
}

/** Checks an assertion whose signature was verified. Source: protocol/authentication#saml. */
export function readAssertion(peer: SamlPeer, signed: SignedAssertion, now: number): Said {
  const read = firstFault(shape, 'assertion', signed.assertion);
  if ('fault' in read) throw invalid('shape');
  const { Assertion: assertion } = read.value;
  const issuer = textOf(only(assertion.Issuer, 'issuer'));
  if (issuer !== peer.provider.issuer) throw invalid('issuer');
  const issuedAt = timeOf(assertion.$.IssueInstant);
  if (issuedAt > now + LEEWAY_SECONDS || issuedAt <= now - MAX_SECONDS - LEEWAY_SECONDS) throw invalid('age');
  assertConditions(assertion, peer, now);
  const requestId = confirmedRequest(assertion, peer, now);
  return {
    id: `${issuer} ${assertion.$.ID}`,
    requestId,
    signedInAt: timeOf(assertion.AuthnStatement[0]?.$.AuthnInstant),
    vouched: vouchedBy(peer.provider, assertion, signed.nameId),
  };
}

function assertConditions({ Conditions }: Assertion, { entity }: SamlPeer, now: number): void {
  const { $: { NotBefore, NotOnOrAfter } = {}, AudienceRestriction } = only(Conditions, 'conditions');
  assertTime(NotBefore, NotOnOrAfter, now);
  // Each restriction must name this server (SAML core, 2.5.1.4).
  const isForUs = AudienceRestriction.every(({ Audience }) => Audience.some((one) => textOf(one) === entity));
  if (AudienceRestriction.length === 0 || !isForUs) throw invalid('audience');
}

/**
 * The request that the assertion's bearer confirmation answers; the confirmation must be for this server, valid now,
 * and an answer to a request.
 */
function confirmedRequest({ Subject }: Assertion, { answer }: SamlPeer, now: number): string {
  const bearers = only(Subject, 'subject').SubjectConfirmation.filter(({ $ }) => $.Method === BEARER);
  const { SubjectConfirmationData = [] } = only(bearers, 'confirmation');
  const { $: { Recipient, NotBefore, NotOnOrAfter, InResponseTo } = {} } = only(
    SubjectConfirmationData,
    'confirmation',
  );
  if (Recipient !== answer) throw invalid('recipient');
  // Only answers to a request are accepted: an unsolicited one could sign anybody in as somebody else.
  if (InResponseTo === undefined || InResponseTo === '') throw invalid('unasked');
  if (NotOnOrAfter === undefined || NotBefore !== undefined) throw invalid('confirmation');
  assertTime(undefined, NotOnOrAfter, now);
  return InResponseTo;
}

function assertTime(notBefore: string | undefined, notOnOrAfter: string | undefined, now: number): void {
  if (notBefore !== undefined && timeOf(notBefore) > now + LEEWAY_SECONDS) throw invalid('early');
  if (notOnOrAfter !== undefined && timeOf(notOnOrAfter) <= now - LEEWAY_SECONDS) throw invalid('late');
}

/** Usual names of attributes, for providers without configured names; the first that occurs counts. */
const USUAL = {
  name: [
    'displayName',
    'name',
    'urn:oid:2.16.840.1.113730.3.1.241',
    'http://schemas.microsoft.com/identity/claims/displayname',
    'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/name',
  ],
  email: [
    'email',
    'mail',
    'urn:oid:0.9.2342.19200300.100.1.3',
    'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
  ],
  groups: [
    'groups',
    'memberOf',
    'http://schemas.xmlsoap.org/claims/Group',
    'http://schemas.microsoft.com/ws/2008/06/identity/claims/groups',
  ],
  picture: ['picture', 'avatar', 'thumbnailUrl', 'photoURL'],
} as const;

function vouchedBy(provider: SamlProvider, assertion: Assertion, encrypted: NameId | undefined): Vouched {
  const { attributes = {}, issuer } = provider;
  const values = (own: string | undefined, usual: readonly string[]) =>
    (own === undefined ? usual : [own]).map((name) => valuesOf(assertion, name)).find((found) => found !== undefined);
  const { _: nameId = '', $: { Format, NameQualifier, SPNameQualifier } = {} } =
    encrypted ?? assertion.Subject[0]?.NameID?.[0] ?? {};
  if (attributes.id === undefined && Format === TRANSIENT) throw invalid('transient');
  const subject = attributes.id === undefined ? nameId : (values(attributes.id, [])?.[0] ?? '');
  if (subject === '') throw invalid('nobody');
  return {
    issuer,
    subject,
    name: values(attributes.name, USUAL.name)?.[0],
    email: values(attributes.email, USUAL.email)?.[0] ?? (Format === ADDRESS ? nameId : undefined),
    isVerified: provider.emails_verified === true,
    groups: values(attributes.groups, USUAL.groups),
    picture: values(attributes.picture, USUAL.picture)?.[0],
    session: {
      sid: assertion.AuthnStatement[0]?.$.SessionIndex,
      // The provider's own name for the person, needed to log them out, whatever attribute identifies them here.
      subject: nameId,
      token: JSON.stringify({
        nameID: nameId,
        nameIDFormat: Format ?? UNSPECIFIED,
        nameQualifier: NameQualifier,
        spNameQualifier: SPNameQualifier,
      }),
    },
  };
}

/** The texts of an attribute with this name or friendly name; undefined if there is none. */
function valuesOf({ AttributeStatement = [] }: Assertion, name: string): readonly string[] | undefined {
  const attributes = AttributeStatement.flatMap(({ Attribute = [] }) => Attribute);
  const found = attributes.find(({ $ }) => $.Name === name) ?? attributes.find(({ $ }) => $.FriendlyName === name);
  return found?.AttributeValue?.map(textOf).filter((text) => text !== '');
}

function textOf(element: SchemaOf<typeof texts>[number]): string {
  return typeof element === 'string' ? element : (element._ ?? '');
}

/** Longest time, in characters: the pattern would try each T of a long text. */
const MAX_TIME = 64;

/** Parses a time with its zone to seconds since 1970 (SAML core, 1.3.3). */
export function timeOf(text: string | undefined): number {
  const isTime = text !== undefined && text.length <= MAX_TIME && /T.*(?:Z|[+-]\d\d:\d\d)$/.test(text);
  const seconds = isTime ? Date.parse(text) / 1000 : Number.NaN;
  if (Number.isNaN(seconds)) throw invalid('time');
  return seconds;
}

function only<T>(items: readonly T[], what: string): T {
  const [item] = items;
  if (item === undefined || items.length !== 1) throw invalid(what);
  return item;
}
