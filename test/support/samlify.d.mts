/** What the tests use of samlify. */
interface Made {
  readonly context: string;
}

interface Party {
  readonly entityMeta: unknown;
}

interface Request {
  readonly query: Readonly<Record<string, string>>;
  readonly octetString: string;
}

interface Read {
  readonly extract: { readonly request: { readonly id: string } };
}

/** What a message about logging out says, by its kind. */
export interface SamlLogout {
  readonly request?: { readonly id: string; readonly destination: string };
  readonly response?: { readonly id: string; readonly inResponseTo: string; readonly destination: string };
  readonly issuer: string;
  readonly nameID?: string;
  readonly sessionIndex?: string | readonly string[];
}

interface Provider extends Party {
  parseLogoutRequest(sp: Party, binding: 'redirect', request: Request): Promise<{ readonly extract: SamlLogout }>;
  parseLogoutResponse(sp: Party, binding: 'redirect', request: Request): Promise<{ readonly extract: SamlLogout }>;
  parseLoginRequest(sp: Party, binding: 'redirect', request: Request): Promise<Read>;
  createLoginResponse(
    sp: Party,
    request: Read,
    binding: 'post',
    user: object,
    template: (text: string) => { readonly id: string; readonly context: string },
    encryptThenSign: boolean,
  ): Promise<Made>;
}

export declare const Constants: {
  readonly algorithms: {
    readonly encryption: {
      readonly data: { readonly AES_128_GCM: string };
      readonly key: { readonly RSA_OAEP_MGF1P: string };
    };
  };
  readonly namespace: { readonly binding: { readonly redirect: string } };
};
export declare function IdentityProvider(settings: object): Provider;
export declare function ServiceProvider(settings: object): Party;
export declare function setSchemaValidator(validator: { validate(xml: string): Promise<string> }): void;
