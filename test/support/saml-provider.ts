import { createPublicKey, createSign, randomBytes } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import {
  SAML_PROVIDER_CERTIFICATE,
  SAML_PROVIDER_KEY,
  SAML_SERVER_CERTIFICATE,
  SAML_SERVER_KEY,
} from './saml-certificates.ts';
import {
  Constants,
  encrypt,
  IdentityProvider,
  type SamlLogout,
  ServiceProvider,
  setSchemaValidator,
} from './samlify.mjs';

export const SAML_ISSUER = 'https://idp.acme.example/saml';
export const SAML_SIGN_IN = 'https://idp.acme.example/sso';
/** The provider in the configuration of a server, which signs and decrypts; without its ID and name. */
export const SAML_SETTINGS = {
  kind: 'saml',
  issuer: SAML_ISSUER,
  sign_in_url: SAML_SIGN_IN,
  certificates: [SAML_PROVIDER_CERTIFICATE],
  private_key: SAML_SERVER_KEY,
  certificate: SAML_SERVER_CERTIFICATE,
  emails_verified: true,
} as const;
export const SAML_SIGN_OUT = 'https://idp.acme.example/slo';

// The package requires a validator of schemas, but its input comes from Roost itself.
setSchemaValidator({ validate: () => Promise.resolve('not looked at') });

/** What a provider falsifies; the rest is correct. */
export interface SamlLies {
  /** Replaces values of the answer's template, by the names in braces. */
  values?: Readonly<Record<string, string>>;
  /** Changes the answer before it is signed. */
  unsigned?: (xml: string) => string;
  /** Changes the answer after it was signed. */
  signed?: (xml: string) => string;
  key?: string;
  /** The certificate that is sent along with the signature. */
  certificate?: string;
  /** Which part is signed, and whether the assertion is encrypted. */
  signs?: 'assertions' | 'responses' | 'both';
  encrypts?: boolean;
  /** Encrypts it in the mode CBC, which does not authenticate. */
  isCbc?: boolean;
  /** Encrypts the person's name separately; a function changes the encrypted element. */
  encryptsName?: boolean | ((encrypted: string) => string);
}

const ATTRIBUTES = ['displayName', 'email', 'groups', 'picture'] as const;
export type SamlPerson = Readonly<Partial<Record<(typeof ATTRIBUTES)[number], readonly string[]>>> & {
  readonly nameId: string;
};

/**
 * A SAML provider whose person agrees to everything. It reads Roost's metadata, verifies Roost's requests, and
 * falsifies what a test asks for.
 */
export class SamlProvider {
  person: SamlPerson = { nameId: 'u-1', displayName: ['Nora Newcomer'], email: ['nora@acme.example'] };
  /** Index of the session that begins with its next answer. */
  session = 'session-1';
  readonly #metadata: string;
  readonly #now: () => number;

  constructor(metadata: string, now: () => number) {
    this.#metadata = metadata;
    this.#now = now;
  }

  /** Returns the answer to a request, as in the form of the provider's page. */
  async answer(location: string | undefined, lies: SamlLies = {}): Promise<string> {
    const url = new URL(location ?? '');
    if (`${url.origin}${url.pathname}` !== SAML_SIGN_IN) throw new Error(`${location} is no page of mine`);
    const [idp, sp] = [this.#idp(lies), this.#sp(lies)];
    const octetString = url.search.slice(1).replace(/&Signature=.*$/, '');
    const query = Object.fromEntries(url.searchParams);
    const { extract } = await idp.parseLoginRequest(sp, 'redirect', { query, octetString });
    const xml = await withoutName(this.#template(String(extract.request.id), lies), lies.encryptsName ?? false);
    const filled = (lies.unsigned?.(xml) ?? xml).trim();
    const made = await idp.createLoginResponse(
      sp,
      { extract },
      'post',
      {},
      () => ({ id: 'r', context: filled }),
      lies.encrypts === true && lies.signs !== undefined && lies.signs !== 'assertions',
    );
    const signed = Buffer.from(String(made.context), 'base64').toString();
    return Buffer.from(lies.signed?.(signed) ?? signed).toString('base64');
  }

  /** Parses a signed log-out message in an address for the provider; throws for a wrong signature. */
  async readLogout(location: string): Promise<SamlLogout> {
    const url = new URL(location);
    const octetString = url.search.slice(1).replace(/&Signature=.*$/, '');
    const request = { query: Object.fromEntries(url.searchParams), octetString };
    const [idp, sp] = [this.#idp({}), this.#sp({})];
    const { extract } = url.searchParams.has('SAMLRequest')
      ? await idp.parseLogoutRequest(sp, 'redirect', request)
      : await idp.parseLogoutResponse(sp, 'redirect', request);
    return extract;
  }

  /** Parses a log-out message in a form of Roost's; throws for a wrong signature in it. */
  async readLogoutForm(body: Readonly<Record<string, string>>): Promise<SamlLogout> {
    const [idp, sp] = [this.#idp({}), this.#sp({})];
    const { extract } =
      body['SAMLRequest'] === undefined
        ? await idp.parseLogoutResponse(sp, 'post', { body })
        : await idp.parseLogoutRequest(sp, 'post', { body });
    return extract;
  }

  /** Returns a log-out message with an embedded signature, in Base64; `lies` is that of `logoutQuery`. */
  logoutForm(lies: Readonly<Record<string, string>> = {}, change: (xml: string) => string = (xml) => xml): string {
    const key = lies['key'] ?? SAML_PROVIDER_KEY;
    const context = change(this.#logout(lies));
    const made = this.#idp({ key, ...(lies['certificate'] !== undefined && { certificate: lies['certificate'] }) });
    const filled = () => ({ id: 'x', context });
    const sent =
      lies['kind'] === 'SAMLResponse'
        ? made.createLogoutResponse(this.#sp({}), {}, 'post', '', filled)
        : made.createLogoutRequest(this.#sp({}), 'post', {}, '', filled);
    return sent.context;
  }

  /** Returns the query of a signed log-out message; `lies` replaces values of the template, by the names in braces. */
  logoutQuery(lies: Readonly<Record<string, string>> = {}, change: (xml: string) => string = (xml) => xml): string {
    const { kind = 'SAMLRequest', relayState = '', key = SAML_PROVIDER_KEY } = lies;
    const xml = change(this.#logout(lies));
    const query = new URLSearchParams({ [kind]: deflateRawSync(xml).toString('base64') });
    if (relayState !== '') query.set('RelayState', relayState);
    query.set('SigAlg', lies['algorithm'] ?? 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256');
    const signer = createSign('RSA-SHA256').update(query.toString());
    return `${query.toString()}&${new URLSearchParams({ Signature: signer.sign(key, 'base64') }).toString()}`;
  }

  #logout(lies: Readonly<Record<string, string>>): string {
    const known: Record<string, string> = {
      kind: 'SAMLRequest',
      id: `_${randomBytes(16).toString('hex')}`,
      now: new Date(this.#now() * 1000).toISOString(),
      until: new Date((this.#now() + 300) * 1000).toISOString(),
      destination: /SingleLogoutService[^>]* Location="([^"]+)"/.exec(this.#metadata)?.[1] ?? '',
      issuer: SAML_ISSUER,
      nameId: this.person.nameId,
      sessions: '',
      status: 'urn:oasis:names:tc:SAML:2.0:status:Success',
      ...lies,
    };
    const template = known['kind'] === 'SAMLRequest' ? LOGOUT_REQUEST : LOGOUT_RESPONSE;
    return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => known[name] ?? '');
  }

  #idp({
    key = SAML_PROVIDER_KEY,
    certificate = SAML_PROVIDER_CERTIFICATE,
    encrypts = false,
    isCbc = false,
  }: SamlLies) {
    return IdentityProvider({
      entityID: SAML_ISSUER,
      signingCert: certificate,
      privateKey: key,
      isAssertionEncrypted: encrypts,
      wantAuthnRequestsSigned: true,
      messageSigningOrder: 'sign-then-encrypt',
      dataEncryptionAlgorithm: Constants.algorithms.encryption.data[isCbc ? 'AES_256' : 'AES_128_GCM'],
      keyEncryptionAlgorithm: Constants.algorithms.encryption.key.RSA_OAEP_MGF1P,
      requestSignatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
      wantLogoutRequestSigned: true,
      wantLogoutResponseSigned: true,
      singleLogoutService: [
        { Binding: Constants.namespace.binding.redirect, Location: SAML_SIGN_OUT },
        { Binding: Constants.namespace.binding.post, Location: SAML_SIGN_OUT },
      ],
      singleSignOnService: [{ Binding: Constants.namespace.binding.redirect, Location: SAML_SIGN_IN }],
    });
  }

  #sp({ signs = 'assertions' }: SamlLies) {
    const wanted = `<SPSSODescriptor WantAssertionsSigned="${signs !== 'responses'}"`;
    const metadata = this.#metadata.replace(/ WantAssertionsSigned="\w+"/, '').replace('<SPSSODescriptor', wanted);
    return ServiceProvider({
      metadata,
      wantMessageSigned: signs !== 'assertions',
      wantLogoutRequestSigned: true,
      wantLogoutResponseSigned: true,
    });
  }

  #template(requestId: string, { values = {} }: SamlLies): string {
    const at = (seconds: number) => new Date((this.#now() + seconds) * 1000).toISOString();
    const answer = /AssertionConsumerService[^>]* Location="([^"]+)"/.exec(this.#metadata)?.[1] ?? '';
    const known: Record<string, string> = {
      id: `_${randomBytes(16).toString('hex')}`,
      request: requestId,
      subjectRequest: requestId,
      destination: answer,
      recipient: answer,
      audience: /entityID="([^"]+)"/.exec(this.#metadata)?.[1] ?? '',
      issuer: SAML_ISSUER,
      now: at(0),
      from: at(-5),
      until: at(300),
      confirmedUntil: at(300),
      status: 'urn:oasis:names:tc:SAML:2.0:status:Success',
      method: 'urn:oasis:names:tc:SAML:2.0:cm:bearer',
      format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
      nameId: this.person.nameId,
      session: this.session,
      ...values,
    };
    const attributes = ATTRIBUTES.filter((name) => this.person[name]).map(
      (name) =>
        `<saml:Attribute Name="${name}">${(this.person[name] ?? []).map((value) => `<saml:AttributeValue>${value}</saml:AttributeValue>`).join('')}</saml:Attribute>`,
    );
    return ANSWER.replaceAll(/\{(\w+)\}/g, (_, name: string) => known[name] ?? '').replace(
      '<!attributes>',
      attributes.join(''),
    );
  }
}

const ANSWER = `
<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_r{id}" Version="2.0" IssueInstant="{now}" Destination="{destination}" InResponseTo="{request}"><saml:Issuer>{issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="{status}"/></samlp:Status><saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="{id}" Version="2.0" IssueInstant="{now}"><saml:Issuer>{issuer}</saml:Issuer><saml:Subject><saml:NameID Format="{format}">{nameId}</saml:NameID><saml:SubjectConfirmation Method="{method}"><saml:SubjectConfirmationData NotOnOrAfter="{confirmedUntil}" Recipient="{recipient}" InResponseTo="{subjectRequest}"/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="{from}" NotOnOrAfter="{until}"><saml:AudienceRestriction><saml:Audience>{audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions><saml:AuthnStatement AuthnInstant="{now}" SessionIndex="{session}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement><saml:AttributeStatement><!attributes></saml:AttributeStatement></saml:Assertion></samlp:Response>`;

const LOGOUT_REQUEST = `<samlp:LogoutRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="{id}" Version="2.0" IssueInstant="{now}" NotOnOrAfter="{until}" Destination="{destination}"><saml:Issuer>{issuer}</saml:Issuer><saml:NameID>{nameId}</saml:NameID>{sessions}</samlp:LogoutRequest>`;
const LOGOUT_RESPONSE = `<samlp:LogoutResponse xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="{id}" Version="2.0" IssueInstant="{now}" Destination="{destination}"><saml:Issuer>{issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="{status}"/></samlp:Status></samlp:LogoutResponse>`;

/** Encrypts the person's name in a text for Roost. */
export async function withoutName(xml: string, change: SamlLies['encryptsName'] = true): Promise<string> {
  if (change === false) return xml;
  const name = /<saml:NameID[\s\S]*<\/saml:NameID>/.exec(xml)?.[0] ?? '';
  // The encrypted element contains only the name, so it declares its namespace itself.
  const alone = name.replace('<saml:NameID', '<saml:NameID xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"');
  const options = {
    rsa_pub: createPublicKey(SAML_SERVER_CERTIFICATE).export({ type: 'spki', format: 'pem' }).toString(),
    pem: SAML_SERVER_CERTIFICATE,
    encryptionAlgorithm: Constants.algorithms.encryption.data.AES_128_GCM,
    keyEncryptionAlgorithm: Constants.algorithms.encryption.key.RSA_OAEP_MGF1P,
  };
  const data = await new Promise<string>((resolve, reject) => {
    encrypt(alone, options, (error, text) => (error ? reject(error) : resolve(text)));
  });
  const element = `<saml:EncryptedID>${data}</saml:EncryptedID>`;
  return xml.replace(name, () => (typeof change === 'function' ? change(element) : element));
}

/** Returns the request in an address to which Roost redirects. */
export function samlRequestIn(location: string | undefined): string {
  const packed = new URL(location ?? '').searchParams.get('SAMLRequest') ?? '';
  return inflateRawSync(Buffer.from(packed, 'base64')).toString();
}
