import { type Clock, repeat } from '#kernel/clock';
import type { Gate } from './postgres-gate.ts';

/** Milliseconds without a reply after which the server is probed. */
const SUSPICIOUS_MS = 3000;
/**
 * Milliseconds without a reply after which a connection is closed even if the server can be reached; the server's own
 * timeout is shorter.
 */
const HOPELESS_MS = 35_000;
const LOOK_EVERY_MS = 1000;

/** How many statements a connection was sent and has answered. */
export interface Watched {
  sent: number;
  answered: number;
  /** Whether it is in a transaction without time limits. */
  isUnbounded: boolean;
  /** Closes the connection without telling the server; its statements fail. */
  readonly cut: () => void;
}

interface Observation {
  readonly answered: number;
  readonly sinceMs: number;
}

/**
 * Finds connections whose packets are dropped on the way: TCP alone would notice after a quarter of an hour. Costs each
 * statement only two increments.
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
    // A connection that has answered meanwhile is not closed.
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
