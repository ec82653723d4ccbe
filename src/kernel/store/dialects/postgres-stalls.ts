import { type Clock, repeat } from '#kernel/clock';
import type { Gate } from './postgres-gate.ts';

/** Milliseconds without an answer after which it is looked whether the server can be reached at all. */
const SUSPICIOUS_MS = 3000;
/** Milliseconds without an answer after which a connection is given up, although others can be made; the server gives up before. */
const HOPELESS_MS = 35_000;
const LOOK_EVERY_MS = 1000;

/** A connection, and how many statements it was sent and has answered. */
export interface Watched {
  sent: number;
  answered: number;
  /** Whether it is in a transaction that may take long. */
  isUnbounded: boolean;
  /** Ends the connection without a word to the server: what waits for it fails. */
  readonly cut: () => void;
}

interface Observation {
  readonly answered: number;
  readonly sinceMs: number;
}

/**
 * Finds connections that have gone silent because packets are dropped on the way: nobody says that, and TCP alone would
 * wait for a quarter of an hour. Watching costs a statement nothing but two numbers.
 */
export class Stalls {
  readonly #clock: Clock;
  readonly #gate: Gate;
  readonly #seen = new Map<Watched, Observation>();
  readonly stop: () => Promise<void>;

  constructor(clock: Clock, gate: Gate) {
    this.#clock = clock;
    this.#gate = gate;
    this.stop = repeat(clock, () => this.look(), { everyMs: LOOK_EVERY_MS, failed: () => undefined });
  }

  watch(one: Watched): void {
    this.#seen.set(one, { answered: one.answered, sinceMs: this.#clock.monotonicMs() });
  }

  forget(one: Watched): void {
    this.#seen.delete(one);
  }

  async look(): Promise<void> {
    const silent = this.#silentFor(SUSPICIOUS_MS);
    if (silent.length === 0) return;
    const isReachable = await this.#gate.check();
    // What has answered while we looked is left alone.
    for (const one of this.#silentFor(isReachable ? HOPELESS_MS : SUSPICIOUS_MS)) one.cut();
  }

  #silentFor(ms: number): readonly Watched[] {
    const now = this.#clock.monotonicMs();
    const silent: Watched[] = [];
    for (const [one, { answered, sinceMs }] of this.#seen) {
      if (one.sent === one.answered || one.answered !== answered) this.watch(one);
      else if (now - sinceMs >= (one.isUnbounded && ms === HOPELESS_MS ? Number.POSITIVE_INFINITY : ms))
        silent.push(one);
    }
    return silent;
  }
}
