import type { IncomingMessage, ServerResponse } from 'node:http';
import { BodyTooLarge, ServerBusy } from '#kernel/errors';
import type { HeldBytes } from './held-bytes.ts';

/** Largest text in the body of an authenticated request, in bytes; files of multipart bodies do not count. */
export const MAX_KNOWN_BYTES = 8 * 2 ** 20;
/** The same for a body that is not a form. */
export const MAX_KNOWN_WHOLE_BYTES = 10 * 2 ** 20;
/** Largest body of an unauthenticated request, in bytes. */
export const MAX_UNKNOWN_BYTES = 64 * 2 ** 10;

/** Counts the memory of one request's body, and releases it when the reply is sent. */
export class BodyShare {
  readonly #held: HeldBytes;
  readonly #caller: string;
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(held: HeldBytes, caller: string, maxBytes: number, response: ServerResponse) {
    this.#held = held;
    this.#caller = caller;
    this.#maxBytes = maxBytes;
    const release = () => {
      this.#held.giveBack(this.#caller, this.#bytes);
      this.#bytes = 0;
    };
    // Both events occur at most once, so `on` is enough; `once` takes twice as long.
    response.on('finish', release).on('close', release);
  }

  /** Throws if the Content-Length exceeds the limit. */
  assertFits({ headers }: IncomingMessage): void {
    if (Number(headers['content-length'] ?? 0) > this.#maxBytes) throw BodyTooLarge();
  }

  /** Counts received bytes; throws if they exceed the limit of the request, the caller, or all requests. */
  add(bytes: number): void {
    if (this.#bytes + bytes > this.#maxBytes) throw BodyTooLarge();
    if (!this.#held.take(this.#caller, bytes)) throw ServerBusy({ 'retry-after': 1 });
    this.#bytes += bytes;
  }
}
