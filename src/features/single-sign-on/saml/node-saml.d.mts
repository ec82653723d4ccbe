/** What we say of both sides; names of the package. */
interface SamlOptions {
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

/** What we use of the package. */
interface Saml {
  getAuthorizeUrlAsync(relayState: string, host: string | undefined, options: object): Promise<string>;
  validatePostResponseAsync(form: {
    readonly SAMLResponse: string;
  }): Promise<{ readonly profile: { readonly getAssertion?: () => unknown } | null }>;
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
  validateRedirectAsync(query: Readonly<Record<string, string | undefined>>, covered: string): Promise<unknown>;
  generateServiceProviderMetadata(decryptionCert: string | null, publicCerts: string | null): string;
}

export declare function loadNodeSaml(): Promise<{ readonly SAML: new (options: SamlOptions) => Saml }>;
