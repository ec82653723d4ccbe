/** What we say of both sides; names of the package. */
interface SamlOptions {
  readonly issuer: string;
  readonly callbackUrl: string;
  readonly audience: string;
  readonly entryPoint: string;
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

/** What we use of the package. */
interface Saml {
  getAuthorizeUrlAsync(relayState: string, host: string | undefined, options: object): Promise<string>;
  validatePostResponseAsync(form: {
    readonly SAMLResponse: string;
  }): Promise<{ readonly profile: { readonly getAssertion?: () => unknown } | null }>;
  generateServiceProviderMetadata(decryptionCert: string | null, publicCerts: string | null): string;
}

export declare function loadNodeSaml(): Promise<{ readonly SAML: new (options: SamlOptions) => Saml }>;
