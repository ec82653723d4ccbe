import type { IncomingMessage, ServerResponse } from 'node:http';
import { BodyTooLarge, ServerBusy } from '#kernel/errors';
import type { HeldBytes } from './held-bytes.ts';

/** Largest text body of a known user, in bytes; files of multipart bodies are not counted. */
export const MAX_KNOWN_BYTES = 8 * 2 ** 20;
/** The same of a body that is no form, and so of one value. */
export const MAX_KNOWN_WHOLE_BYTES = 10 * 2 ** 20;
/** Largest body of a stranger, in bytes. */
export const MAX_UNKNOWN_BYTES = 64 * 2 ** 10;

/** The memory that one request's body may take; it is given back when the request has been answered. */
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
    // Each comes once, and what is asked for only once costs as much again.
    response.on('finish', release).on('close', release);
  }

  /** Throws when the length that a request states is over the bound. */
  assertFits({ headers }: IncomingMessage): void {
    if (Number(headers['content-length'] ?? 0) > this.#maxBytes) throw BodyTooLarge();
  }

  /** Counts bytes that have come; throws when there are too many of this request, its caller, or all together. */
  add(bytes: number): void {
    if (this.#bytes + bytes > this.#maxBytes) throw BodyTooLarge();
    if (!this.#held.take(this.#caller, bytes)) throw ServerBusy({ 'retry-after': 1 });
    this.#bytes += bytes;
  }
}
