/** The part of the library that tests use: it has no types of its own. */
declare module 'http_ece' {
  import type { ECDH } from 'node:crypto';

  /** Decrypts a body in an encrypted content coding. RFC 8188, RFC 8291. */
  export function decrypt(
    body: Buffer,
    options: { readonly version: 'aes128gcm'; readonly privateKey: ECDH; readonly authSecret: string },
  ): Buffer;
}
