import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '#kernel/clock';
import { Slots } from '#kernel/lists';
import { isUnwanted } from './rest.ts';

/** Milliseconds between two checks of the bodies that are arriving. */
const LOOK_MS = 1000;
/** Lowest rate of a body, averaged over this window. */
const MIN_BYTES_PER_SECOND = 1024;
const WINDOW_MS = 10_000;
/**
 * Milliseconds in which a body must arrive: one of an unauthenticated request, and one of a known user, which may be a
 * large file.
 */
const UNKNOWN_MS = 30_000;
const KNOWN_MS = 3_600_000;
/** Milliseconds for which the rest of a refused body is read. */
const REST_MS = 5000;

interface Watched {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Time by which the body must be complete. */
  deadline: number;
  windowBegan: number;
  bytesBefore: number;
  /** When the body was refused; since then only its rest is read. */
  restBegan?: number;
  /** Stops watching the request. */
  forget?: () => void;
}

type OnSlow = (request: IncomingMessage, response: ServerResponse) => void;

/** Closes requests whose body takes too long in total, or arrives too slowly. */
export class Pace {
  readonly #clock: Clock;
  readonly #onSlow: OnSlow;
  readonly #watched = new Slots<Watched>();
  readonly #byRequest = new WeakMap<IncomingMessage, Watched>();
  #isLooking = false;

  constructor(clock: Clock, onSlow: OnSlow) {
    this.#clock = clock;
    this.#onSlow = onSlow;
  }

  /** Starts with the time limit of unauthenticated requests. */
  watch(request: IncomingMessage, response: ServerResponse): void {
    const now = this.#clock.monotonicMs();
    const bytesBefore = request.socket.bytesRead;
    const deadline = now + UNKNOWN_MS;
    const watched: Watched = { request, response, deadline, windowBegan: now, bytesBefore };
    watched.forget = this.#watched.add(watched);
    this.#byRequest.set(request, watched);
    this.#lookLater();
  }

  forget(request: IncomingMessage): void {
    this.#byRequest.get(request)?.forget?.();
    this.#byRequest.delete(request);
  }

  /** Extends the time limit to that of known users. */
  extend(request: IncomingMessage): void {
    const watched = this.#byRequest.get(request);
    if (watched) watched.deadline = this.#clock.monotonicMs() + KNOWN_MS;
  }

  #lookLater(): void {
    if (this.#isLooking) return;
    this.#isLooking = true;
    this.#clock.after(LOOK_MS, () => {
      this.#isLooking = false;
      const now = this.#clock.monotonicMs();
      for (const watched of this.#watched) this.#look(watched, now);
      if (this.#watched.size > 0) this.#lookLater();
    });
  }

  #look(watched: Watched, now: number): void {
    const { request, response } = watched;
    if (isUnwanted(request)) watched.deadline = Math.min(watched.deadline, (watched.restBegan ??= now) + REST_MS);
    if (request.complete || request.destroyed) this.forget(request);
    else if (now >= watched.deadline || isTooSlow(watched, now)) {
      this.forget(request);
      this.#onSlow(request, response);
    }
  }
}

function isTooSlow(watched: Watched, now: number): boolean {
  const { request, windowBegan, bytesBefore } = watched;
  // If bytes are waiting to be read, this server is slow, not the client.
  const isOurs = request.readableLength > 0;
  if (!isOurs && now - windowBegan < WINDOW_MS) return false;
  const { bytesRead } = request.socket;
  watched.windowBegan = now;
  watched.bytesBefore = bytesRead;
  return !isOurs && bytesRead - bytesBefore < (MIN_BYTES_PER_SECOND * (now - windowBegan)) / 1000;
}
