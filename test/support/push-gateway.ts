import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type KeyPair, makeKeyPair, parseBase64, unsealBox } from '#kernel/secretbox';
import type { Body } from './client.ts';

/** A request as the gateway got it. */
interface Seen {
  readonly path: string;
  readonly body: Body;
}

interface Answer {
  readonly status: number;
  readonly body: Body;
}

const PREFIX = '/api/v1/remotes/push';
const NAME = 'roost-test';
const SECRET = 'gateway-secret';
const ALLOWED = `Basic ${Buffer.from(`${NAME}:${SECRET}`).toString('base64')}`;
/** Seconds after which a registration is too old. */
const EXPIRES_AFTER = 86_400;

const yes = (body: Body = {}): Answer => ({ status: 200, body: { result: 'success', msg: '', ...body } });
const no = (status: number, code: string, msg: string): Answer => ({ status, body: { result: 'error', code, msg } });

/** A push service as docs/push-gateway.md describes it, with phones instead of FCM and APNs behind it. */
export class PushGateway {
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  readonly #keys: KeyPair;
  readonly #now: () => number;
  /** What each token's phone was sent, oldest first. */
  readonly #inboxes = new Map<string, Body[]>();
  readonly #tokens = new Map<string, string>();
  /** Tokens of older apps that FCM or APNs know no more. */
  readonly #dead = new Set<string>();
  /** Tokens of older apps by the people who have them. */
  readonly #older = new Set<string>();
  readonly #faults: { readonly path: string; readonly answer: Answer | 'hang up' | 'nonsense' | 'silence' }[] = [];
  readonly seen: Seen[] = [];

  private constructor(keys: KeyPair, now: () => number) {
    this.#keys = keys;
    this.#now = now;
  }

  static async open(now: () => number): Promise<PushGateway> {
    const gateway = new PushGateway(await makeKeyPair(), now);
    gateway.#server.listen(0, '127.0.0.1');
    await once(gateway.#server, 'listening');
    return gateway;
  }

  /** The address for `ROOST_PUSH_GATEWAY_URL`. */
  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `http://${NAME}:${SECRET}@127.0.0.1:${port}/`;
  }

  get publicKey(): Uint8Array {
    return this.#keys.publicKey;
  }

  /** Fails the next request for a path: with an error, or by hanging up. */
  failNext(path: string, status?: number, code = '', msg = ''): void {
    this.#faults.push({ path, answer: status === undefined ? 'hang up' : no(status, code, msg) });
  }

  /** Answers the next request for a path with a page that is not from a gateway, or not at all. */
  confuseNext(path: string, answer: 'nonsense' | 'silence'): void {
    this.#faults.push({ path, answer });
  }

  /** What a token's phone was sent since the last call. */
  takeInbox(token: string): Body[] {
    const inbox = this.#inboxes.get(token) ?? [];
    this.#inboxes.delete(token);
    return inbox;
  }

  /** The phone's token is no longer in use. */
  uninstall(token: string): void {
    this.#tokens.delete(tokenIdOf(token));
    this.#dead.add(token);
  }

  /** Bodies of the requests for a path since the last call. */
  takeSeen(path: string): Body[] {
    const bodies = this.seen.filter((seen) => seen.path === path).map((seen) => seen.body);
    this.seen.splice(0);
    return bodies;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await once(this.#server.close(), 'close');
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const content = await text(request);
    const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded');
    const body: Body = isForm ? Object.fromEntries(new URLSearchParams(content)) : JSON.parse(content);
    const path = (request.url ?? '').replace(PREFIX, '');
    this.seen.push({ path, body });
    const next = this.#faults.findIndex((fault) => fault.path === path);
    const fault = this.#faults[next]?.answer;
    if (next >= 0) this.#faults.splice(next, 1);
    if (fault === 'hang up') return void request.socket.destroy();
    if (fault === 'silence') return;
    if (fault === 'nonsense') return void response.writeHead(200).end('<html>Please log in to this network</html>');
    const answer = fault ?? (await this.#answer(request, path, body));
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body));
  }

  async #answer(request: IncomingMessage, path: string, body: Body): Promise<Answer> {
    if (request.method !== 'POST') return no(405, 'METHOD_NOT_ALLOWED', 'Method Not Allowed');
    if (request.headers.authorization !== ALLOWED) return no(401, 'INVALID_ZULIP_SERVER', 'Unknown server');
    if (path === '/e2ee/register') return this.#register(body);
    if (path === '/e2ee/notify') return this.#notify(body);
    if (path === '/register') return this.#registerOlder(body);
    if (path === '/unregister')
      return this.#older.delete(ownerOf(body)) ? yes() : no(400, 'BAD_REQUEST', 'Token does not exist');
    if (path === '/notify') return this.#notifyOlder(body);
    if (path === '/test_notification') return yes();
    return no(404, 'BAD_REQUEST', 'not found');
  }

  async #register(body: Body): Promise<Answer> {
    if (body['bouncer_public_key'] !== Buffer.from(this.publicKey).toString('base64'))
      return no(400, 'INVALID_BOUNCER_PUBLIC_KEY', 'Invalid bouncer_public_key');
    const box = parseBase64(body['encrypted_push_registration']);
    const plain = box && (await unsealBox(this.#keys, box));
    if (!plain) return no(400, 'BAD_REQUEST', 'Invalid encrypted_push_registration');
    const { token, timestamp } = JSON.parse(Buffer.from(plain).toString());
    if (timestamp < this.#now() - EXPIRES_AFTER) return no(400, 'REQUEST_EXPIRED', 'Request expired');
    if (tokenIdOf(token) !== body['token_id']) return no(400, 'BAD_REQUEST', 'Invalid encrypted_push_registration');
    this.#tokens.set(tokenIdOf(token), token);
    return yes();
  }

  #registerOlder(body: Body): Answer {
    this.#older.add(ownerOf(body));
    return yes();
  }

  #notifyOlder({ notifications }: Body): Answer {
    const unregistered: Body[] = [];
    for (const { kind, token, ...rest } of notifications) {
      if (this.#dead.has(token)) unregistered.push({ kind, token });
      else this.#inboxes.set(token, [...(this.#inboxes.get(token) ?? []), rest]);
    }
    return yes({ unregistered });
  }

  #notify({ notifications }: Body): Answer {
    const unregistered_token_ids: string[] = [];
    for (const { token_id, ...rest } of notifications) {
      const token = this.#tokens.get(token_id);
      if (token === undefined) unregistered_token_ids.push(token_id);
      else this.#inboxes.set(token, [...(this.#inboxes.get(token) ?? []), rest]);
    }
    return yes({ unregistered_token_ids });
  }
}

function ownerOf({ user_uuid, token_kind, token }: Body): string {
  return `${user_uuid} ${token_kind} ${token}`;
}

/** The ID of a token. See protocol/push#registering, `token_id`. */
export function tokenIdOf(token: string): string {
  return createHash('sha256').update(token).digest().subarray(0, 8).toString('base64');
}
