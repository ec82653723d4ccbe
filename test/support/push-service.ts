import { createECDH, createPublicKey, type ECDH, randomBytes, verify } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { decrypt } from 'http_ece';
import type { Network } from '#kernel/outbound';
import { LOOPBACK_CERTIFICATE, LOOPBACK_KEY, PUSH_CERTIFICATE, PUSH_PRIVATE_KEY } from './certificate.ts';
import type { Body, Client } from './client.ts';

/** A delivered push message, decrypted with the keys of its browser. */
export interface Pushed {
  readonly payload: Body;
  readonly headers: IncomingMessage['headers'];
  readonly bytes: number;
}

/**
 * How a push service answers: with a status, or not at all; `mute` accepts the request without an answer; `taken`
 * accepts it once and closes the connection.
 */
type Answer = number | 'silence' | 'mute' | 'taken' | 'hang up';

/** Push services at push.test and its subdomains according to RFC 8030, behind a network of their own. */
export class PushService {
  readonly #server;
  readonly #inboxes = new Map<string, { readonly body: Buffer; readonly headers: IncomingMessage['headers'] }[]>();
  /** Answers by path; 201 by default. */
  readonly answers = new Map<string, Answer>();
  /** `host path` of each request, in order. */
  readonly requests: string[] = [];
  readonly network: Network = {
    resolve: (hostname) => Promise.resolve([hostname === 'inside.push.test' ? '10.0.0.1' : '93.184.216.34']),
    dial: () => connect({ host: '127.0.0.1', port: (this.#server.address() as AddressInfo).port }),
  };
  readonly authorities = [PUSH_CERTIFICATE];
  retryAfter: string | undefined;

  private constructor(certificate: { readonly key: string; readonly cert: string }) {
    this.#server = createServer(certificate, (request, response) => void this.#serve(request, response));
  }

  /** Host and port on this machine, for a process that does not have the test's network. */
  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  static async open(where: 'push.test' | 'loopback' = 'push.test'): Promise<PushService> {
    const service = new PushService(
      where === 'loopback'
        ? { key: LOOPBACK_KEY, cert: LOOPBACK_CERTIFICATE }
        : { key: PUSH_PRIVATE_KEY, cert: PUSH_CERTIFICATE },
    );
    service.#server.listen(0, '127.0.0.1');
    await once(service.#server, 'listening');
    return service;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await once(this.#server.close(), 'close');
  }

  /** Returns what was sent to a path since the last call. */
  take(path: string) {
    const inbox = this.#inboxes.get(path) ?? [];
    this.#inboxes.delete(path);
    return inbox;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const path = request.url ?? '';
    this.requests.push(`${request.headers.host} ${path}`);
    const answer = this.answers.get(path) ?? 201;
    if (answer === 'silence') return;
    if (answer === 'hang up') return void request.socket.destroy();
    const { headers } = request;
    if (answer === 201 || answer === 'mute' || answer === 'taken')
      this.#inboxes.set(path, [...(this.#inboxes.get(path) ?? []), { body, headers }]);
    if (answer === 'mute') return;
    if (answer === 'taken') {
      this.answers.delete(path);
      return void request.socket.destroy();
    }
    response.writeHead(answer, this.retryAfter === undefined ? {} : { 'retry-after': this.retryAfter }).end();
  }
}

/** A browser that subscribed at a push service, or an app at its distributor. */
export class Subscriber {
  readonly #service: PushService;
  readonly #pair: ECDH = createECDH('prime256v1');
  readonly #auth = randomBytes(16).toString('base64url');
  readonly path = `/${randomBytes(8).toString('hex')}`;
  readonly host: string;
  id = 0;
  vapidKey = '';

  constructor(service: PushService, host = 'push.test') {
    this.#service = service;
    this.host = host;
    this.#pair.generateKeys();
  }

  fields() {
    const endpoint = `https://${this.host}${this.path}`;
    return { endpoint, p256dh: this.#pair.getPublicKey('base64url'), auth: this.#auth };
  }

  /** Subscribes as somebody. */
  async subscribe(user: Pick<Client, 'get' | 'post'>, more: Readonly<Record<string, string>> = {}): Promise<this> {
    this.vapidKey = (await user.get('/push_subscriptions'))['vapid_public_key'];
    this.id = (await user.post('/push_subscriptions', { ...this.fields(), ...more }))['id'];
    return this;
  }

  /**
   * Returns what was delivered since the last call, with the signature verified and the body decrypted by independent
   * libraries.
   */
  read(now: number): Pushed[] {
    return this.#service.take(this.path).map(({ body, headers }) => {
      assertSigned(headers, this.vapidKey, `https://${this.host}`, now);
      const plain = decrypt(body, { version: 'aes128gcm', privateKey: this.#pair, authSecret: this.#auth });
      return { payload: JSON.parse(plain.toString()), headers, bytes: plain.length };
    });
  }
}

/** Checks the signature as RFC 8292 asks push services to. */
function assertSigned({ authorization = '' }: IncomingMessage['headers'], key: string, origin: string, now: number) {
  const [, token = '', shown] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? [];
  if (shown !== key) throw new Error('the key is not the one of the subscription');
  const [head = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')];
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
  const signed = Buffer.from(signature, 'base64url');
  if (!verify('sha256', Buffer.from(`${head}.${claims}`), { key: publicKey, dsaEncoding: 'ieee-p1363' }, signed))
    throw new Error('the signature is wrong');
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString());
  if (aud !== origin || exp <= now || exp > now + 86_400) throw new Error('the claims are wrong');
  if (!/^(mailto|https):/.test(sub)) throw new Error('the operator cannot be reached');
}
