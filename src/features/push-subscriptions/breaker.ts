import type { Clock } from '#kernel/clock';

/** Failures in a row after which a push service is left alone for a while. */
const MAX_FAILURES = 5;
/** Seconds of the first rest; doubled with each that follows, up to the last. */
const FIRST_REST_SECONDS = 10;
const LAST_REST_SECONDS = 600;
/** Push services remembered; people choose the addresses, so there may be any number. */
const MAX_HOSTS = 1_000;

interface Trouble {
  readonly failures: number;
  readonly untilMs: number;
}

/**
 * Push services that do not answer, as this process sees them. Each unanswered request holds a place for seconds; so after a
 * few the service is not asked for a while, and what is for others goes on.
 */
export class CircuitBreaker {
  readonly #troubles = new Map<string, Trouble>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Seconds until a host may be asked; 0 when it may be now. */
  pauseOf(host: string): number {
    const restMs = (this.#troubles.get(host)?.untilMs ?? 0) - this.#clock.monotonicMs();
    return Math.max(0, Math.ceil(restMs / 1000));
  }

  answered(host: string): void {
    this.#troubles.delete(host);
  }

  /** Requests that were under way when the rest began say nothing new: one short outage is no reason for a long rest. */
  failed(host: string): void {
    if (this.pauseOf(host) > 0) return;
    const failures = (this.#troubles.get(host)?.failures ?? 0) + 1;
    const rests = failures - MAX_FAILURES;
    const seconds = rests < 0 ? 0 : Math.min(LAST_REST_SECONDS, FIRST_REST_SECONDS * 2 ** rests);
    this.#troubles.delete(host);
    this.#troubles.set(host, { failures, untilMs: this.#clock.monotonicMs() + seconds * 1000 });
    const [oldest] = this.#troubles.keys();
    if (this.#troubles.size > MAX_HOSTS && oldest !== undefined) this.#troubles.delete(oldest);
  }
}
