import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type KeyPair, makeKeyPair, parseBase64, unsealBox } from '#kernel/secretbox';
import type { Body } from './client.ts';

/** A request that the gateway received. */
interface Seen {
  readonly path: string;
  readonly body: Body;
}

interface Answer {
  readonly status: number;
  readonly body: Body;
}

const PREFIX = /^\/api\/v1\/remotes(\/push)?/;
const NAME = '5c0a2f8e-6d0b-4f4e-9d6f-0f5d3a1c2b7e';
const SECRET = 'k'.repeat(64);
const ALLOWED = `Basic ${Buffer.from(`${NAME}:${SECRET}`).toString('base64')}`;
/** Seconds after which a registration has expired. */
const EXPIRES_AFTER = 86_400;

const yes = (body: Body = {}): Answer => ({ status: 200, body: { result: 'success', msg: '', ...body } });
const no = (status: number, code: string, msg: string): Answer => ({ status, body: { result: 'error', code, msg } });

/** A push service as docs/push-gateway.md describes it, with simulated phones instead of FCM and APNs. */
export class PushGateway {
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  readonly #keys: KeyPair;
  readonly #now: () => number;
  /** Notifications of each token's phone, oldest first. */
  readonly #inboxes = new Map<string, Body[]>();
  readonly #tokens = new Map<string, string>();
  /** Tokens of older apps that FCM or APNs no longer know. */
  readonly #dead = new Set<string>();
  /** Tokens of older apps, with the people who own them. */
  readonly #older = new Map<string, { readonly user: string; readonly kind: string; readonly token: string }>();
  /** Organizations for which it accepts nothing. */
  readonly refused = new Set<string>();
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

  /** Makes the next request for a path fail: with an error, or by closing the connection. */
  failNext(path: string, status?: number, code = '', msg = ''): void {
    this.#faults.push({ path, answer: status === undefined ? 'hang up' : no(status, code, msg) });
  }

  /** Answers the next request for a path with a page that is not a gateway's, or not at all. */
  confuseNext(path: string, answer: 'nonsense' | 'silence'): void {
    this.#faults.push({ path, answer });
  }

  /** Returns what was sent to a token's phone since the last call. */
  takeInbox(token: string): Body[] {
    const inbox = this.#inboxes.get(token) ?? [];
    this.#inboxes.delete(token);
    return inbox;
  }

  /** Makes a token invalid, as if the app was removed from its phone. */
  uninstall(token: string): void {
    this.#tokens.delete(tokenIdOf(token));
    this.#dead.add(token);
  }

  /** Returns the bodies of the requests for a path since the last call. */
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
    const body: Body = isForm ? Object.fromEntries(new URLSearchParams(content)) : JSON.parse(content || '{}');
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
    if (request.headers.authorization !== ALLOWED) return no(400, 'INVALID_ZULIP_SERVER', 'Unknown server');
    if (path === '/server/analytics/status')
      return yes({ last_realm_count_id: 0, last_installation_count_id: 0, last_realmauditlog_id: 7 });
    if (request.method !== 'POST') return no(405, 'METHOD_NOT_ALLOWED', 'Method Not Allowed');
    if (path === '/server/analytics') return this.#report(body);
    if (path === '/e2ee/register') return this.#register(body);
    if (path === '/e2ee/notify') return this.#notify(body);
    if (path === '/register') return this.#registerOlder(body);
    if (path === '/unregister')
      return this.#older.delete(ownerOf(body)) ? yes() : no(400, 'BAD_REQUEST', 'Token does not exist');
    if (path === '/unregister/all') return this.#forget(body);
    if (path === '/notify') return this.#notifyOlder(body);
    if (path === '/test_notification')
      return this.#older.has(ownerOf(body))
        ? yes()
        : no(400, 'INVALID_REMOTE_PUSH_DEVICE_TOKEN', 'Device not recognized by the push bouncer');
    return no(404, 'BAD_REQUEST', 'not found');
  }

  #report(body: Body): Answer {
    const realms: Body[] = JSON.parse(body['realms']);
    const said = realms.map(({ uuid }) => [uuid, { can_push: !this.refused.has(uuid), expected_end_timestamp: null }]);
    return yes({ realms: Object.fromEntries(said) });
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
    const { user_uuid: user, token_kind: kind, token } = body;
    this.#older.set(ownerOf(body), { user, kind: String(kind), token });
    return yes();
  }

  #forget({ user_uuid }: Body): Answer {
    for (const [name, { user }] of this.#older) if (user === user_uuid) this.#older.delete(name);
    return yes();
  }

  /**
   * Notifies the person's devices that the service has registered, and returns those of the request that it does not
   * know.
   */
  #notifyOlder(body: Body): Answer {
    const { user_uuid, gcm_payload, gcm_options, apns_payload, android_devices, apple_devices } = body;
    const own = [...this.#older.values()].filter(({ user, token }) => user === user_uuid && !this.#dead.has(token));
    for (const { kind, token } of own) this.#put(token, kind === '1' ? { apns_payload } : { gcm_payload, gcm_options });
    const has = (kind: string) => (token: string) => !own.some((one) => one.kind === kind && one.token === token);
    const deleted_devices = {
      android_devices: android_devices.filter(has('2')),
      apple_devices: apple_devices.filter(has('1')),
    };
    const count = (kind: string) => own.filter((one) => one.kind === kind).length;
    return yes({ total_android_devices: count('2'), total_apple_devices: count('1'), deleted_devices, realm: null });
  }

  #notify({ push_requests }: Body): Answer {
    const delete_token_ids: string[] = [];
    for (const { token_id, payload, ...how } of push_requests) {
      const token = this.#tokens.get(token_id);
      if (token === undefined) delete_token_ids.push(token_id);
      else this.#put(token, { ...payload, ...how });
    }
    return yes({ android_successfully_sent_count: 0, apple_successfully_sent_count: 0, delete_token_ids });
  }

  #put(token: string, parcel: Body): void {
    this.#inboxes.set(token, [...(this.#inboxes.get(token) ?? []), parcel]);
  }
}

function ownerOf({ user_uuid, token_kind, token }: Body): string {
  return `${user_uuid} ${token_kind} ${token}`;
}

/** Returns the ID of a token. See protocol/push#registering, `token_id`. */
export function tokenIdOf(token: string): string {
  return createHash('sha256').update(token).digest().subarray(0, 8).toString('base64');
}
