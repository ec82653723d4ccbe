/** What we say of both sides; names of the package. */
export interface SamlOptions {
  readonly issuer: string;
  readonly callbackUrl: string;
  readonly audience: string;
  readonly entryPoint: string;
  readonly logoutUrl?: string;
  readonly logoutCallbackUrl?: string;
  readonly idpCert: string[];
  readonly wantAssertionsSigned: boolean;
  readonly wantAuthnResponseSigned: boolean;
  readonly disableRequestedAuthnContext: boolean;
  readonly identifierFormat: null;
  readonly forceAuthn: boolean;
  readonly signatureAlgorithm: 'sha256' | 'sha512';
  readonly digestAlgorithm: 'sha256' | 'sha512';
  readonly acceptedClockSkewMs: number;
  readonly generateUniqueId?: () => string;
  readonly privateKey?: string;
  readonly publicCert?: string;
  readonly decryptionPvk?: string;
}

/** What an answer says, from the bytes that the signature covers. */
interface SamlProfile {
  readonly getAssertion?: () => unknown;
  readonly getAssertionXml?: () => string;
}

/** What we use of the package. */
interface Saml {
  getAuthorizeUrlAsync(relayState: string, host: string | undefined, options: object): Promise<string>;
  validatePostResponseAsync(form: {
    readonly SAMLResponse: string;
  }): Promise<{ readonly profile: SamlProfile | null; readonly loggedOut?: boolean }>;
  getLogoutUrlAsync(
    user: { readonly nameID: string; readonly nameIDFormat: string; readonly sessionIndex?: string | undefined },
    relayState: string,
    options: object,
  ): Promise<string>;
  getLogoutResponseUrlAsync(
    request: { readonly ID: string },
    relayState: string,
    options: object,
    isDone: boolean,
  ): Promise<string>;
  validatePostRequestAsync(form: { readonly SAMLRequest: string }): Promise<unknown>;
  validateRedirectAsync(query: Readonly<Record<string, string | undefined>>, covered: string): Promise<unknown>;
  generateServiceProviderMetadata(decryptionCert: string | null, publicCerts: string | null): string;
}

export declare function loadNodeSaml(): Promise<{ readonly SAML: new (options: SamlOptions) => Saml }>;

/** What we use of xml-encryption. */
interface XmlEncryption {
  decrypt(
    xml: string,
    options: { readonly key: string; readonly disallowDecryptionWithInsecureAlgorithm: boolean },
    done: (error: Error | null, text: string) => void,
  ): void;
}

export declare function loadXmlEncryption(): Promise<XmlEncryption>;

/** What we use of xml-crypto. */
interface Signer {
  addReference(reference: {
    readonly xpath: string;
    readonly transforms: readonly string[];
    readonly digestAlgorithm: string;
  }): void;
  computeSignature(
    xml: string,
    options: {
      readonly prefix: string;
      readonly location: { readonly reference: string; readonly action: 'after' };
    },
  ): void;
  getSignedXml(): string;
}

interface SignerOptions {
  readonly privateKey: string;
  readonly publicCert: string;
  readonly signatureAlgorithm: string;
  readonly canonicalizationAlgorithm: string;
}

export declare function loadXmlCrypto(): Promise<{ readonly SignedXml: new (options: SignerOptions) => Signer }>;
