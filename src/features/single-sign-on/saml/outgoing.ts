import { inflateRawSync } from 'node:zlib';
import { invariant } from '#kernel/errors';
import type { SamlProvider } from '#kernel/identity';
import { loadXmlCrypto } from './node-saml.mjs';

const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';

/** How a message goes to a provider: in the address of a link or redirect, or in a form of a page. */
export type Outgoing =
  | { readonly by: 'address'; readonly url: string }
  | { readonly by: 'form'; readonly url: string; readonly fields: Readonly<Record<string, string>> };

/**
 * Turns a message in an address into what the provider wants: the same address with its signature, or a form with the
 * signature inside the message.
 */
export async function outgoing(
  provider: SamlProvider & { readonly sign_out_url: string },
  address: string,
): Promise<Outgoing> {
  if (provider.sign_out_binding !== 'post') return { by: 'address', url: address };
  const { searchParams } = new URL(address);
  const name = searchParams.has('SAMLRequest') ? 'SAMLRequest' : 'SAMLResponse';
  const relayState = searchParams.get('RelayState');
  const signed = await signedInside(provider, address);
  return {
    by: 'form',
    url: provider.sign_out_url,
    fields: {
      [name]: Buffer.from(signed).toString('base64'),
      ...(relayState !== null && relayState !== '' && { RelayState: relayState }),
    },
  };
}

/** Signs the message of an address with an embedded signature (SAML core, 5). */
export async function signedInside(
  { private_key: privateKey, certificate: publicCert }: SamlProvider,
  address: string,
): Promise<string> {
  const { searchParams } = new URL(address);
  const packed = searchParams.get('SAMLRequest') ?? searchParams.get('SAMLResponse') ?? '';
  const xml = inflateRawSync(Buffer.from(packed, 'base64')).toString();
  invariant(privateKey !== undefined && publicCert !== undefined, 'a provider that people log out at, without our key');
  const { SignedXml } = await loadXmlCrypto();
  const signer = new SignedXml({
    privateKey,
    publicCert,
    signatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    canonicalizationAlgorithm: EXCLUSIVE,
  });
  signer.addReference({
    xpath: '/*',
    transforms: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', EXCLUSIVE],
    digestAlgorithm: 'http://www.w3.org/2001/04/xmlenc#sha256',
  });
  const location = { reference: "/*/*[local-name(.)='Issuer']", action: 'after' } as const;
  signer.computeSignature(xml, { prefix: 'ds', location });
  return signer.getSignedXml();
}
