import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

type Claims = Record<string, unknown>;

interface Grant {
  readonly challenge: string;
  readonly redirectUri: string;
  readonly nonce: string | undefined;
  readonly person: Claims;
}

interface Key {
  readonly id: string;
  readonly privateKey: KeyObject;
  readonly jwk: Claims;
}

/** What a provider falsifies; the rest is correct. */
export interface Lies {
  discovery?: (document: Claims) => Claims;
  header?: (header: Claims) => Claims;
  claims?: (claims: Claims) => Claims;
  /** Replaces the whole ID token. */
  token?: (token: string) => string;
  /** Answers a request differently; returns whether it did. */
  answer?: (path: string, response: ServerResponse) => boolean;
  /** Exchanges a code as often as it is sent. */
  codesWorkAgain?: boolean;
}

export const CLIENT = { id: 'roost', secret: 'a-secret-of-the-client' };

/**
 * An OpenID provider on this machine, with GitHub's endpoints as well, whose person agrees to everything. It enforces
 * PKCE, the client's secret and an unchanged redirect address, and falsifies what a test asks for.
 */
export class IdentityProvider {
  readonly requests: string[] = [];
  /** All tokens that it issued. */
  readonly given: string[] = [];
  person: Claims = { sub: 'u-1', name: 'Nora Newcomer', email: 'nora@acme.example', email_verified: true };
  lies: Lies = {};
  readonly #server: Server;
  readonly #grants = new Map<string, Grant>();
  readonly #people = new Map<string, Claims>();
  #key = makeKey();
  #published = [this.#key];

  private constructor(server: Server) {
    this.#server = server;
    server.on('request', (request: IncomingMessage, response: ServerResponse) => void this.#serve(request, response));
  }

  static async open(): Promise<IdentityProvider> {
    const provider = new IdentityProvider(createServer());
    provider.#server.listen(0, '127.0.0.1');
    await once(provider.#server, 'listening');
    return provider;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await once(this.#server.close(), 'close');
  }

  /** Replaces the signing key. */
  rotate(): void {
    this.#key = makeKey();
    this.#published = [this.#key];
  }

  /** Signs the person in; returns the path to which the browser is redirected. */
  authorize(location: string | undefined): string {
    const { pathname, searchParams: asked } = new URL(location ?? '');
    if (!['/authorize', '/login/oauth/authorize'].includes(pathname)) throw new Error(`${pathname} is no page of mine`);
    if (asked.get('code_challenge_method') !== 'S256' || asked.get('response_type') !== 'code')
      throw new Error('the request is not as it must be');
    const code = randomBytes(8).toString('hex');
    const redirectUri = asked.get('redirect_uri') ?? '';
    this.#grants.set(code, {
      challenge: asked.get('code_challenge') ?? '',
      redirectUri,
      nonce: asked.get('nonce') ?? undefined,
      person: this.person,
    });
    const back = new URL(redirectUri);
    back.searchParams.set('code', code);
    back.searchParams.set('state', asked.get('state') ?? '');
    return back.pathname + back.search;
  }

  /** Signs a token of this provider with any claims. */
  sign(claims: Claims, header: Claims = {}): string {
    const whole = { alg: 'RS256', kid: this.#key.id, ...header };
    const head = this.lies.header?.(whole) ?? whole;
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const signed = `${part(head)}.${part(claims)}`;
    return `${signed}.${createSign('RSA-SHA256').update(signed).sign(this.#key.privateKey, 'base64url')}`;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', this.url);
    this.requests.push(pathname);
    const body = await text(request).catch(() => '');
    if (this.lies.answer?.(pathname, response)) return;
    const answer = this.#answer(pathname, request, new URLSearchParams(body));
    response.writeHead(answer ? (answer['error'] === undefined ? 200 : 400) : 404, {
      'content-type': 'application/json',
    });
    response.end(JSON.stringify(answer ?? {}));
  }

  #answer(path: string, request: IncomingMessage, form: URLSearchParams): Claims | undefined {
    if (path === '/.well-known/openid-configuration') {
      const document = this.#discovery();
      return this.lies.discovery?.(document) ?? document;
    }
    if (path === '/keys') return { keys: this.#published.map(({ jwk }) => jwk) };
    if (path === '/token' || path === '/login/oauth/access_token') return this.#token(request, form);
    const person = this.#people.get((request.headers.authorization ?? '').replace('Bearer ', ''));
    if (path === '/userinfo' || path === '/api/v3/user') return person;
    if (path === '/api/v3/user/emails') return person?.['emails'] as Claims;
    return undefined;
  }

  #discovery(): Claims {
    const { url } = this;
    return {
      issuer: url,
      authorization_endpoint: `${url}/authorize`,
      token_endpoint: `${url}/token`,
      userinfo_endpoint: `${url}/userinfo`,
      jwks_uri: `${url}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      token_endpoint_auth_methods_supported: ['client_secret_post'],
      code_challenge_methods_supported: ['S256'],
    };
  }

  #token(request: IncomingMessage, form: URLSearchParams): Claims {
    const grant = this.#grants.get(form.get('code') ?? '');
    if (!this.lies.codesWorkAgain) this.#grants.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const isRight =
      form.get('grant_type') === 'authorization_code' &&
      grant?.challenge === challenge &&
      grant.redirectUri === form.get('redirect_uri') &&
      form.get('client_id') === CLIENT.id &&
      form.get('client_secret') === CLIENT.secret;
    if (!grant || !isRight) return { error: 'invalid_grant' };
    const access_token = randomBytes(8).toString('hex');
    this.#people.set(access_token, grant.person);
    const reply = { access_token, token_type: 'Bearer', refresh_token: randomBytes(8).toString('hex') };
    const whole = request.url === '/token' ? { ...reply, id_token: this.#idToken(grant) } : reply;
    this.given.push(whole.access_token, whole.refresh_token);
    if ('id_token' in whole) this.given.push(whole.id_token);
    return whole;
  }

  #idToken({ nonce, person }: Grant): string {
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: this.url, aud: CLIENT.id, iat: now, exp: now + 300, nonce, ...person };
    const token = this.sign(this.lies.claims?.(claims) ?? claims);
    return this.lies.token?.(token) ?? token;
  }
}

function makeKey(): Key {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const id = randomBytes(4).toString('hex');
  return { id, privateKey, jwk: { ...publicKey.export({ format: 'jwk' }), kid: id, use: 'sig', alg: 'RS256' } };
}

/** Returns the environment of a server with this file of identity providers. */
export function signInFile(content: unknown): Readonly<Record<string, string>> {
  const path = join(mkdtempSync(join(tmpdir(), 'roost-test-')), 'sign-in.json');
  writeFileSync(path, JSON.stringify(content), { mode: 0o600 });
  return { ROOST_SIGN_IN_FILE: path };
}
