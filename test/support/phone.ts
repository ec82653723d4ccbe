import { randomBytes } from 'node:crypto';
import { parsePushKey, sealBox, unlockBox } from '#kernel/secretbox';
import type { Body, Client } from './client.ts';
import { type PushGateway, tokenIdOf } from './push-gateway.ts';

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** A phone with the app: it has a key and a token, and decrypts its notifications. */
export class Phone {
  readonly #gateway: Pick<PushGateway, 'publicKey' | 'takeInbox'>;
  readonly #now: () => number;
  readonly #kind: 'apns' | 'fcm';
  token = randomBytes(32).toString('hex');
  key = base64(Buffer.concat([Buffer.from([0x31]), randomBytes(32)]));
  keyId = randomBytes(4).readUInt32BE();
  deviceId = 0;

  constructor(gateway: Pick<PushGateway, 'publicKey' | 'takeInbox'>, now: () => number, kind: 'apns' | 'fcm' = 'apns') {
    this.#gateway = gateway;
    this.#now = now;
    this.#kind = kind;
  }

  /** The parameters with the key. */
  keyFields() {
    return { push_key_id: this.keyId, push_key: this.key };
  }

  /** The parameters with the token, encrypted for the gateway. */
  async tokenFields(timestamp = this.#now()) {
    const app = this.#kind === 'apns' ? { ios_app_id: 'test.roost.app' } : {};
    const registration = { token: this.token, token_kind: this.#kind, timestamp, ...app };
    const sealed = await sealBox(this.#gateway.publicKey, Buffer.from(JSON.stringify(registration)));
    return {
      token_kind: this.#kind,
      token_id: tokenIdOf(this.token),
      bouncer_public_key: base64(this.#gateway.publicKey),
      encrypted_push_registration: base64(sealed),
    };
  }

  /** Registers the phone for somebody's notifications. */
  async register(user: Client | Client['post']): Promise<this> {
    const post: Client['post'] = typeof user === 'function' ? user : (path, fields) => user.post(path, fields);
    const { device_id } = await post('/register_client_device');
    this.deviceId = device_id;
    await post('/mobile_push/register', { device_id, ...this.keyFields(), ...(await this.tokenFields()) });
    return this;
  }

  /** Returns the notifications since the last call, decrypted. */
  async read(): Promise<Body[]> {
    return Promise.all(this.#gateway.takeInbox(this.token).map((parcel) => this.#open(parcel)));
  }

  async #open({ push_key_id, encrypted_data }: Body): Promise<Body> {
    // Google's service carries only strings.
    if (Number(push_key_id) !== this.keyId) throw new Error('the notification is for another key');
    const key = parsePushKey(this.key) ?? new Uint8Array();
    const plain = await unlockBox(key, Buffer.from(encrypted_data, 'base64'));
    if (!plain) throw new Error('the notification cannot be decrypted');
    return JSON.parse(Buffer.from(plain).toString());
  }
}
