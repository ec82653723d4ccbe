import { generateKeyPairSync, type JsonWebKey, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from './oidc-provider.mjs';

/** A client of the provider, as its operator registers it. */
export interface RegisteredClient {
  readonly client_id: string;
  /** Absent for a public client, which has only PKCE. */
  readonly client_secret?: string;
  readonly [name: string]: unknown;
}

type Person = Readonly<Record<string, unknown>>;

const MINUTES = 600;

/**
 * node-oidc-provider, which the OpenID Foundation has certified, running on this machine with its own pages: whoever
 * types a name there is that person. It is not adapted to Roost, except that its fetch may reach this machine.
 */
export class CertifiedProvider {
  /** Claims about people, by the name that they type. */
  readonly people = new Map<string, Person>();
  readonly #server: Server;
  readonly #clients: RegisteredClient[] = [];
  #keys: readonly JsonWebKey[] = newKeys();
  #answer: RequestListener | undefined;

  private constructor(server: Server) {
    this.#server = server;
    server.on('request', (request, response) => this.#answer?.(request, response));
  }

  static async open(): Promise<CertifiedProvider> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new CertifiedProvider(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  register(...clients: readonly RegisteredClient[]): void {
    this.#clients.push(...clients);
    this.#restart();
  }

  /** Replaces all keys; people stay logged in. */
  rotate(): void {
    this.#keys = newKeys();
    this.#restart();
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await once(this.#server.close(), 'close');
  }

  #restart(): void {
    const provider = new Provider(this.url, {
      clients: this.#clients,
      jwks: { keys: this.#keys },
      findAccount: (_context, id) => {
        const known = this.people.get(id);
        return known && { accountId: id, claims: () => ({ ...known, sub: id }) };
      },
      claims: { email: ['email', 'email_verified'], profile: ['name', 'picture'], groups: ['groups'] },
      pkce: { required: () => true },
      cookies: { keys: ['a key of the tests'] },
      features: { backchannelLogout: { enabled: true }, devInteractions: { enabled: true } },
      // The guarded fetch refuses private addresses, which all of the tests use.
      fetch: (url, { dispatcher: _guarded, ...options }) => fetch(url, options),
      ttl: {
        AccessToken: MINUTES,
        AuthorizationCode: 60,
        IdToken: MINUTES,
        Interaction: MINUTES,
        Session: 86_400,
        Grant: 86_400,
      },
    });
    this.#answer = provider.callback();
  }
}

function newKeys(): readonly JsonWebKey[] {
  const kinds = [
    { alg: 'RS256', key: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey },
    { alg: 'ES256', key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey },
  ];
  return kinds.map(({ alg, key }) => ({
    ...key.export({ format: 'jwk' }),
    alg,
    use: 'sig',
    kid: randomBytes(4).toString('hex'),
  }));
}
