import type { IncomingMessage, ServerResponse } from 'node:http';
import { systemClock } from '#kernel/clock';
import { BodyTooLarge, ServerBusy } from '#kernel/errors';
import type { Turns } from '#kernel/threads';
import type { HeldBytes } from './held-bytes.ts';

/** Largest text in the body of an authenticated request, in bytes; files of multipart bodies do not count. */
export const MAX_KNOWN_BYTES = 8 * 2 ** 20;
/** The same for a body that is not a form. */
export const MAX_KNOWN_WHOLE_BYTES = 10 * 2 ** 20;
/** Largest body of an unauthenticated request, in bytes. */
export const MAX_UNKNOWN_BYTES = 64 * 2 ** 10;

/** Bytes of a body above which it is parsed by turns. */
const LARGE_BYTES = 2 ** 20;

/**
 * Milliseconds of such a turn, if the reply is not sent before: what takes longer waits for somebody else, and would keep
 * all other large bodies waiting.
 */
const MAX_TURN_MS = 1000;

/** Where a body is counted. */
interface Counted {
  readonly held: HeldBytes;
  /** Turns of what becomes of large bodies. */
  readonly parsing: Turns;
  readonly caller: string;
  readonly maxBytes: number;
}

/** Counts the memory of one request's body, and releases it when the reply is sent. */
export class BodyShare {
  readonly #held: HeldBytes;
  readonly #parsing: Turns;
  readonly #caller: string;
  readonly #maxBytes: number;
  readonly #response: ServerResponse;
  #bytes = 0;

  constructor({ held, parsing, caller, maxBytes }: Counted, response: ServerResponse) {
    this.#held = held;
    this.#parsing = parsing;
    this.#caller = caller;
    this.#maxBytes = maxBytes;
    this.#response = response;
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
  /** Resolves when a large body that has been read may be parsed; undefined for others, which may at once. */
  parsingTurn(): Promise<void> | undefined {
    return this.#bytes > LARGE_BYTES ? this.#takeTurn() : undefined;
  }

  async #takeTurn(): Promise<void> {
    const end = onlyOnce(await this.#parsing.take(this.#caller));
    if (this.#response.closed) return end();
    systemClock.after(MAX_TURN_MS, end);
    this.#response.on('close', end);
  }
}

function onlyOnce(end: () => void): () => void {
  let isOver = false;
  return () => {
    if (!isOver) end();
    isOver = true;
  };
}
