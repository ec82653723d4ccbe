import type { RealmRequest } from '#kernel/endpoint';
import type { SamlProvider } from '#kernel/identity';
import { ProviderFault } from '../vouched.ts';
import { assertAuthenticated, type NameId, openedElements, openedNameId } from './encrypted.ts';
import type { SignedForm, SignedQuery } from './logout-message.ts';
import { loadNodeSaml, type SamlOptions } from './node-saml.mjs';
import { elementsOf, rootOf, invalid } from './strict.ts';
import { verified } from './verifying-thread.ts';

/** A provider with this server's addresses and entity name for it; no other provider has the same. */
export function samlPeer({ realm }: Pick<RealmRequest, 'realm'>, provider: SamlProvider) {
  const answer = `${realm.url}/complete/${provider.id}/`;
  const logout = `${realm.url}/accounts/logout/saml/${provider.id}`;
  return { provider, answer, entity: `${answer}metadata.xml`, logout };
}
export type SamlPeer = ReturnType<typeof samlPeer>;

async function samlOf(peer: SamlPeer, requestId?: string, isAnew = false) {
  const { SAML } = await loadNodeSaml();
  const id = requestId === undefined ? {} : { generateUniqueId: () => requestId };
  return new SAML({ ...optionsOf(peer, isAnew), ...id });
}

function optionsOf({ provider, answer, entity, logout }: SamlPeer, isAnew = false): SamlOptions {
  const { private_key, certificate, signs = 'assertions' } = provider;
  return {
    issuer: entity,
    callbackUrl: answer,
    audience: entity,
    entryPoint: provider.sign_in_url,
    ...(provider.sign_out_url !== undefined && { logoutUrl: provider.sign_out_url, logoutCallbackUrl: logout }),
    idpCert: [...provider.certificates],
    wantAssertionsSigned: signs !== 'responses',
    wantAuthnResponseSigned: signs !== 'assertions',
    // Any way of authenticating there is accepted, and any persistent name of the person.
    disableRequestedAuthnContext: true,
    identifierFormat: null,
    forceAuthn: isAnew,
    signatureAlgorithm: 'sha256',
    digestAlgorithm: 'sha256',
    // This server compares times and the answered request itself, over all processes and by its own clock.
    acceptedClockSkewMs: -1,
    ...(private_key !== undefined &&
      certificate !== undefined && { privateKey: private_key, publicCert: certificate, decryptionPvk: private_key }),
  };
}

/** The provider's address with this server's request, signed if it has a key. */
export async function samlRequestUrl(peer: SamlPeer, requestId: string, isAnew: boolean): Promise<string> {
  const saml = await samlOf(peer, requestId, isAnew);
  return saml.getAuthorizeUrlAsync('', undefined, {});
}

/** An assertion as the library parses it, and the person's name if that is encrypted separately. */
export interface SignedAssertion {
  readonly assertion: unknown;
  readonly nameId: NameId | undefined;
}

/**
 * Reads the assertion of an answer from nothing but the bytes that the provider's signature covers; anything else in
 * the answer, or around the signed part, is ignored. `encrypted` is the assertion if it is encrypted.
 */
export async function signedAssertion(
  peer: SamlPeer,
  response: string,
  encrypted: string | undefined,
): Promise<SignedAssertion> {
  const { provider } = peer;
  const isSignedAround = provider.signs !== undefined && provider.signs !== 'assertions';
  if (encrypted !== undefined && !isSignedAround) {
    assertAuthenticated(encrypted);
    // Before the library parses it, because nobody has signed it yet.
    await assertOpens(provider, encrypted);
  }
  try {
    // Where the whole answer must be signed, this verifies that signature before it decrypts anything.
    const { assertion, text } = await verified({ options: optionsOf(peer), kind: 'SAMLResponse', message: response });
    if (encrypted !== undefined && isSignedAround) await assertOpens(provider, encrypted);
    return { assertion, nameId: await encryptedNameId(provider, text ?? '') };
  } catch (error) {
    throw faultOf(error, 'SamlStatusError');
  }
}

/** Checks the decrypted assertion as strictly as an unencrypted one. */
async function assertOpens(provider: SamlProvider, encrypted: string): Promise<void> {
  if (rootOf(await openedElements(provider, encrypted)).at !== 'Assertion') throw invalid('assertions');
}

/**
 * Decrypts the name in a signed assertion if it is encrypted separately; then there is no other name (SAML core,
 * 2.4.1).
 */
async function encryptedNameId(provider: SamlProvider, assertion: string): Promise<NameId | undefined> {
  const elements = elementsOf(assertion);
  const [only, ...others] = elements.filter(({ at }) => at === 'Assertion/Subject/EncryptedID');
  if (!only) return undefined;
  if (others.length > 0 || elements.some(({ at }) => at === 'Assertion/Subject/NameID')) throw invalid('nobody');
  return openedNameId(provider, only.source);
}

/** The library's error message may contain parts of the answer, so it is not logged. */
function faultOf(error: unknown, no: string): ProviderFault {
  if (error instanceof ProviderFault) return error;
  const isNo = error instanceof Error && (error.name === no || error.message.startsWith(no));
  return new ProviderFault(isNo ? 'refused' : 'invalid', isNo ? 'status' : 'signature', error);
}

/** Metadata for the provider's administrators: this server's name, address and certificate (SAML metadata, 2.4.4). */
export async function samlMetadata(peer: SamlPeer): Promise<string> {
  const saml = await samlOf(peer);
  const certificate = peer.provider.certificate ?? null;
  const metadata = saml.generateServiceProviderMetadata(certificate, certificate);
  // The library knows only one way to log out; this server has three.
  return metadata.replace(/( *)<SingleLogoutService [^>]*>\n?/, (_, indent: string) =>
    logoutServices(peer)
      .map((service) => `${indent}${service}\n`)
      .join(''),
  );
}

function logoutServices({ logout }: SamlPeer): readonly string[] {
  const bindings = [
    ['HTTP-Redirect', logout],
    ['HTTP-POST', logout],
    ['SOAP', soapAddress(logout)],
  ] as const;
  return bindings.map(
    ([binding, location]) =>
      `<SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:${binding}" Location="${location}"/>`,
  );
}

/** The address at which a provider itself, not a browser, reports that somebody has logged out. */
export const soapAddress = (logout: string): string => `${logout}/soap`;

/** The provider's name of the person whose session there ends. */
export interface SamlName {
  readonly nameID: string;
  readonly nameIDFormat: string;
  readonly nameQualifier?: string | undefined;
  readonly spNameQualifier?: string | undefined;
  readonly sessionIndex?: string | undefined;
}

/** The provider's address with this server's signed request to log somebody out. */
export async function samlLogoutUrl(peer: SamlPeer, requestId: string, name: SamlName): Promise<string> {
  const saml = await samlOf(peer, requestId);
  return saml.getLogoutUrlAsync(name, '', {});
}

/** The provider's address with this server's signed answer to its request. */
export async function samlLogoutAnswerUrl(peer: SamlPeer, ID: string, relayState: string | undefined): Promise<string> {
  const saml = await samlOf(peer);
  const url = new URL(await saml.getLogoutResponseUrlAsync({ ID }, relayState ?? '', {}, true));
  // The library signs spaces as %20 and sends them as a plus; the signed text must be the sent one (SAML bindings,
  // 3.4.4.1).
  const query = [...url.searchParams].map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  return `${url.origin}${url.pathname}?${query}`;
}

/** Verifies the signature of a message in a query; throws if none of the provider's keys made it. */
export async function verifyQuery(peer: SamlPeer, { kind, values, covered }: SignedQuery): Promise<void> {
  const { RelayState: _, ...signed } = values;
  try {
    const options = optionsOf(peer);
    await verified({ options, kind: 'query', values: { [kind]: values[kind], ...signed }, covered });
  } catch (error) {
    throw faultOf(error, 'Bad status code');
  }
}

/** Verifies the signature inside a message, which covers all of it; throws if none of the provider's keys made it. */
export async function verifyForm(peer: SamlPeer, { kind, message }: SignedForm): Promise<void> {
  try {
    const { loggedOut } = await verified({ options: optionsOf(peer), kind, message });
    if (kind === 'SAMLResponse' && loggedOut !== true) throw invalid('root');
  } catch (error) {
    throw faultOf(error, 'SamlStatusError');
  }
}
