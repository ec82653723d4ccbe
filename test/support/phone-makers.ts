import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { jwtVerify } from 'jose';
import type { Body } from './client.ts';

/** A request that a phone maker's service accepted. */
interface Taken {
  readonly token: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Body;
}

/** How a service answers for a token: with a status and a body, or not at all. */
type Answer = { readonly status: number; readonly says: Body } | 'silence';

const PROJECT = 'roost-app';
export const APPLE = { keyId: 'ABCDE12345', teamId: 'TEAM567890' };

/**
 * The push services of phone makers, according to the documentation of APNs and FCM: HTTP/2, each with its own
 * credentials.
 */
export class PhoneMakers {
  readonly #server = createServer();
  readonly #sessions = new Set<ServerHttp2Session>();
  readonly apple = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly google = generateKeyPairSync('rsa', { modulusLength: 2048 });
  readonly answers = new Map<string, Answer>();
  readonly taken: Taken[] = [];
  /** Number of access tokens that were granted. */
  grants = 0;
  /** The gateway's public key, with which apps encrypt their tokens. */
  publicKey: Uint8Array = new Uint8Array();

  static async open(): Promise<PhoneMakers> {
    const makers = new PhoneMakers();
    makers.#server.on('session', (session) => makers.#sessions.add(session));
    makers.#server.on('stream', (stream, headers) => void makers.#serve(stream, headers));
    makers.#server.listen(0, '127.0.0.1');
    await once(makers.#server, 'listening');
    return makers;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The content of the service account's file. */
  get serviceAccount(): string {
    return JSON.stringify({
      type: 'service_account',
      project_id: PROJECT,
      private_key_id: 'key-1',
      private_key: this.google.privateKey.export({ type: 'pkcs8', format: 'pem' }),
      client_email: 'push@roost-app.iam.example',
      token_uri: `${this.url}/token`,
    });
  }

  /** Returns what was sent to a token's phone since the last call. */
  takeInbox(token: string): Body[] {
    const own = this.taken.filter((one) => one.token === token);
    for (const one of own) this.taken.splice(this.taken.indexOf(one), 1);
    return own.map(({ body }) => body['message']?.data ?? body);
  }

  async close(): Promise<void> {
    for (const session of this.#sessions) session.destroy();
    await once(this.#server.close(), 'close');
  }

  async #serve(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): Promise<void> {
    stream.on('error', () => undefined);
    const content = await text(stream);
    const path = String(headers[':path']);
    const answer = await (path === '/token' ? this.#grant(content) : this.#push(path, headers, content)).catch(
      (error: unknown): Answer => ({ status: 403, says: { reason: String(error) } }),
    );
    if (answer === 'silence' || stream.destroyed) return;
    stream.respond({ ':status': answer.status, 'content-type': 'application/json' });
    stream.end(JSON.stringify(answer.says));
  }

  async #grant(content: string): Promise<Answer> {
    const assertion = new URLSearchParams(content).get('assertion') ?? '';
    const claims = await checked(assertion, this.google.publicKey, 'RS256');
    if (claims['iss'] !== 'push@roost-app.iam.example' || claims['aud'] !== `${this.url}/token`)
      return { status: 400, says: { error: 'invalid_grant' } };
    this.grants += 1;
    return { status: 200, says: { access_token: `granted-${this.grants}`, expires_in: 3599, token_type: 'Bearer' } };
  }

  async #push(path: string, headers: IncomingHttpHeaders, content: string): Promise<Answer> {
    const body: Body = JSON.parse(content);
    const isApple = path.startsWith('/3/device/');
    const token = isApple ? path.slice('/3/device/'.length) : body['message'].token;
    if (isApple) {
      const claims = await checked(String(headers.authorization).replace('bearer ', ''), this.apple.publicKey, 'ES256');
      if (claims['iss'] !== APPLE.teamId) return { status: 403, says: { reason: 'InvalidProviderToken' } };
      if (Buffer.byteLength(content) > 4096) return { status: 413, says: { reason: 'PayloadTooLarge' } };
    } else if (
      path !== `/v1/projects/${PROJECT}/messages:send` ||
      !String(headers.authorization).startsWith('Bearer granted-')
    )
      return { status: 401, says: { error: { status: 'UNAUTHENTICATED' } } };
    const answer = this.answers.get(token);
    if (answer) return answer;
    this.taken.push({ token, headers, body });
    return { status: 200, says: isApple ? {} : { name: `projects/${PROJECT}/messages/1` } };
  }
}

/**
 * Returns the claims of a token after an independent library has checked its signature. A test's clock is not this
 * machine's.
 */
async function checked(token: string, key: KeyObject, algorithm: string): Promise<Body> {
  const { payload } = await jwtVerify(token, key, { algorithms: [algorithm], currentDate: new Date(0) }).catch(() =>
    jwtVerify(token, key, { algorithms: [algorithm] }),
  );
  return payload;
}
