import type { RealmRef } from '#kernel/auth';
import type { Context } from '#kernel/context';
import type { SamlProvider } from '#kernel/identity';
import { ProviderFault } from '../vouched.ts';
import type { SignedQuery } from './logout-message.ts';
import { loadNodeSaml } from './node-saml.mjs';

/** Where a provider answers to, and what we are called there; both belong to this provider alone. */
export function addressesOf(context: Context, realm: RealmRef, { id }: Pick<SamlProvider, 'id'>) {
  const answer = `${context.realmUrl(realm)}/complete/${id}/`;
  const logout = `${context.realmUrl(realm)}/accounts/logout/saml/${id}`;
  return { answer, entity: `${answer}metadata.xml`, logout };
}
export type SamlAddresses = ReturnType<typeof addressesOf>;

async function samlOf(
  provider: SamlProvider,
  { answer, entity, logout }: SamlAddresses,
  requestId?: string,
  isAnew = false,
) {
  const { SAML } = await loadNodeSaml();
  const { private_key, certificate, signs = 'assertions' } = provider;
  return new SAML({
    issuer: entity,
    callbackUrl: answer,
    audience: entity,
    entryPoint: provider.sign_in_url,
    ...(provider.sign_out_url !== undefined && { logoutUrl: provider.sign_out_url, logoutCallbackUrl: logout }),
    idpCert: [...provider.certificates],
    wantAssertionsSigned: signs !== 'responses',
    wantAuthnResponseSigned: signs !== 'assertions',
    // Any way of signing in there will do, and any name of the person that lasts.
    disableRequestedAuthnContext: true,
    identifierFormat: null,
    forceAuthn: isAnew,
    signatureAlgorithm: 'sha256',
    digestAlgorithm: 'sha256',
    // Times and the request that is answered are compared by us, over all processes and by the server's clock.
    acceptedClockSkewMs: -1,
    ...(requestId !== undefined && { generateUniqueId: () => requestId }),
    ...(private_key !== undefined &&
      certificate !== undefined && { privateKey: private_key, publicCert: certificate, decryptionPvk: private_key }),
  });
}

/** The provider's address with our request, signed where we have a key. */
export async function samlRequestUrl(
  provider: SamlProvider,
  addresses: SamlAddresses,
  requestId: string,
  isAnew: boolean,
): Promise<string> {
  const saml = await samlOf(provider, addresses, requestId, isAnew);
  return saml.getAuthorizeUrlAsync('', undefined, {});
}

/**
 * The assertion of an answer, read from nothing but the bytes that the provider's signature covers: whatever else stands in
 * the answer, or around what is signed, is not looked at.
 */
export async function signedAssertion(
  provider: SamlProvider,
  addresses: SamlAddresses,
  response: string,
): Promise<unknown> {
  const saml = await samlOf(provider, addresses);
  try {
    const { profile } = await saml.validatePostResponseAsync({ SAMLResponse: response });
    return profile?.getAssertion?.();
  } catch (error) {
    const isNo = error instanceof Error && error.name === 'SamlStatusError';
    // The message of the library may show pieces of the answer; it is no part of the log.
    throw new ProviderFault(isNo ? 'refused' : 'untrue', isNo ? 'status' : 'signature', error);
  }
}

/** What the provider's administrators are given: our name, address and certificate (SAML metadata, 2.4.4). */
export async function samlMetadata(provider: SamlProvider, addresses: SamlAddresses): Promise<string> {
  const saml = await samlOf(provider, addresses);
  const certificate = provider.certificate ?? null;
  const metadata = saml.generateServiceProviderMetadata(certificate, certificate);
  // The package knows one way only for logging out; here it is the other.
  return metadata.replace(/(<SingleLogoutService Binding="[^"]*:)HTTP-POST"/, '$1HTTP-Redirect"');
}

/** Whose session at a provider ends, as the provider named them. */
export interface SamlName {
  readonly nameID: string;
  readonly nameIDFormat: string;
  readonly nameQualifier?: string | undefined;
  readonly spNameQualifier?: string | undefined;
  readonly sessionIndex?: string | undefined;
}

/** The provider's address with our request to log somebody out, signed. */
export async function samlLogoutUrl(
  provider: SamlProvider,
  addresses: SamlAddresses,
  requestId: string,
  name: SamlName,
): Promise<string> {
  const saml = await samlOf(provider, addresses, requestId);
  return saml.getLogoutUrlAsync(name, '', {});
}

/** The provider's address with our answer to its request, signed. */
export async function samlLogoutAnswerUrl(
  provider: SamlProvider,
  addresses: SamlAddresses,
  ID: string,
  relayState: string | undefined,
): Promise<string> {
  const saml = await samlOf(provider, addresses);
  const url = new URL(await saml.getLogoutResponseUrlAsync({ ID }, relayState ?? '', {}, true));
  // The package signs blanks as %20 and sends them as a plus; what is signed must be what is sent (SAML bindings, 3.4.4.1).
  const query = [...url.searchParams].map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  return `${url.origin}${url.pathname}?${query}`;
}

/** Verifies the signature of a message in an address; throws where none of the provider's keys made it. */
export async function verifyQuery(
  provider: SamlProvider,
  addresses: SamlAddresses,
  { kind, values, covered }: SignedQuery,
): Promise<void> {
  const saml = await samlOf(provider, addresses);
  const { RelayState: _, ...signed } = values;
  try {
    await saml.validateRedirectAsync({ [kind]: values[kind], ...signed }, covered);
  } catch (error) {
    const isNo = error instanceof Error && error.message.startsWith('Bad status code');
    throw new ProviderFault(isNo ? 'refused' : 'untrue', isNo ? 'status' : 'signature', error);
  }
}
