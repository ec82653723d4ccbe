import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** What an authenticator or a browser falsifies; the rest is correct. */
export interface PasskeyLies {
  challenge?: string;
  origin?: string;
  rpId?: string;
  type?: string;
  /** Flags of the authenticator: 1 user present, 4 user verified, 64 new credential. */
  flags?: number;
  count?: number;
  signature?: (signature: Buffer) => Buffer;
  userHandle?: string | null;
  id?: string;
  /** The statement about the authenticator, in CBOR: its format and what it says. */
  statement?: (made: Made) => { readonly format: string; readonly says: Buffer };
}

/** What a statement about an authenticator is about. */
export interface Made {
  readonly publicKey: KeyObject;
  readonly clientDataHash: Buffer;
}

interface Options {
  readonly challenge: string;
  readonly rp?: { readonly id: string };
  readonly rpId?: string;
  readonly user?: { readonly id: string };
}

/**
 * A security key with one passkey, and the browser that it is plugged into. It implements WebAuthn by hand: flags,
 * CBOR, signatures.
 */
export class SecurityKey {
  readonly id = randomBytes(16);
  /** The signature counter; undefined for a key without one. */
  count: number | undefined = 0;
  readonly #origin: string;
  readonly #keys: { readonly publicKey: KeyObject; readonly privateKey: KeyObject };
  #userHandle = '';

  constructor(origin = 'http://localhost:9991') {
    this.#origin = origin;
    this.#keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  }

  /** Returns what a browser sends after a passkey was created. */
  make(options: Options, lies: PasskeyLies = {}): string {
    this.#userHandle = options.user?.id ?? '';
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    const key = Buffer.concat([
      Buffer.from([0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 32]),
      Buffer.from(x, 'base64url'),
      Buffer.from([0x22, 0x58, 32]),
      Buffer.from(y, 'base64url'),
    ]);
    const data = this.#data(options.rp?.id ?? '', 0x45, lies);
    const whole = Buffer.concat([data, Buffer.alloc(16), Buffer.from([0, this.id.length]), this.id, key]);
    const client = this.#client('webauthn.create', options, lies);
    const statement = { publicKey: this.#keys.publicKey, clientDataHash: sha256(client) };
    const { format, says } = lies.statement?.(statement) ?? { format: 'none', says: Buffer.from([0xa0]) };
    const attestation = Buffer.concat([
      Buffer.from([0xa3]),
      Buffer.concat([word('fmt'), word(format), word('attStmt'), says, word('authData')]),
      Buffer.from([0x58, whole.length]),
      whole,
    ]);
    const response = {
      clientDataJSON: client.toString('base64url'),
      attestationObject: attestation.toString('base64url'),
      transports: ['usb'],
    };
    return this.#answer(response, lies);
  }

  /** Returns what a browser sends after a passkey was used. */
  use(options: Options, lies: PasskeyLies = {}): string {
    if (this.count !== undefined) this.count++;
    const data = this.#data(options.rpId ?? '', 0x05, lies);
    const client = this.#client('webauthn.get', options, lies);
    const signed = sign('sha256', Buffer.concat([data, sha256(client)]), this.#keys.privateKey);
    const handle = lies.userHandle === undefined ? this.#userHandle : lies.userHandle;
    const response = {
      clientDataJSON: client.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: (lies.signature?.(signed) ?? signed).toString('base64url'),
      ...(handle !== null && { userHandle: handle }),
    };
    return this.#answer(response, lies);
  }

  #data(rpId: string, flags: number, lies: PasskeyLies): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(lies.count ?? this.count ?? 0);
    return Buffer.concat([sha256(lies.rpId ?? rpId), Buffer.from([lies.flags ?? flags]), count]);
  }

  #client(type: string, { challenge }: Options, lies: PasskeyLies): Buffer {
    const value = {
      type: lies.type ?? type,
      challenge: lies.challenge ?? challenge,
      origin: lies.origin ?? this.#origin,
      crossOrigin: false,
    };
    return Buffer.from(JSON.stringify(value));
  }

  #answer(response: object, lies: PasskeyLies): string {
    const id = lies.id ?? this.id.toString('base64url');
    return JSON.stringify({ id, rawId: id, type: 'public-key', response, clientExtensionResults: {} });
  }
}

const sha256 = (value: string | Buffer) => createHash('sha256').update(value).digest();

/** Encodes a short text in CBOR. */
export function word(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)]);
}
