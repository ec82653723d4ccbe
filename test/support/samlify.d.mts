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

interface Form {
  readonly body: Readonly<Record<string, string>>;
}

type Template = (text: string) => { readonly id: string; readonly context: string };

interface Provider extends Party {
  parseLogoutRequest(sp: Party, binding: 'redirect', request: Request): Promise<{ readonly extract: SamlLogout }>;
  parseLogoutRequest(sp: Party, binding: 'post', request: Form): Promise<{ readonly extract: SamlLogout }>;
  parseLogoutResponse(sp: Party, binding: 'redirect', request: Request): Promise<{ readonly extract: SamlLogout }>;
  parseLogoutResponse(sp: Party, binding: 'post', request: Form): Promise<{ readonly extract: SamlLogout }>;
  createLogoutRequest(sp: Party, binding: 'post', user: object, relayState: string, template: Template): Made;
  createLogoutResponse(sp: Party, request: object, binding: 'post', relayState: string, template: Template): Made;
  parseLoginRequest(sp: Party, binding: 'redirect', request: Request): Promise<Read>;
  createLoginResponse(
    sp: Party,
    request: Read,
    binding: 'post',
    user: object,
    template: Template,
    encryptThenSign: boolean,
  ): Promise<Made>;
}

export declare const Constants: {
  readonly algorithms: {
    readonly encryption: {
      readonly data: { readonly AES_128_GCM: string; readonly AES_256: string };
      readonly key: { readonly RSA_OAEP_MGF1P: string };
    };
  };
  readonly namespace: { readonly binding: { readonly redirect: string; readonly post: string } };
};
export declare function IdentityProvider(settings: object): Provider;
export declare function ServiceProvider(settings: object): Party;
export declare function setSchemaValidator(validator: { validate(xml: string): Promise<string> }): void;

/** What the tests use of xml-encryption. */
export declare function encrypt(
  content: string,
  options: {
    readonly rsa_pub: string;
    readonly pem: string;
    readonly encryptionAlgorithm: string;
    readonly keyEncryptionAlgorithm: string;
  },
  done: (error: Error | null, text: string) => void,
): void;
