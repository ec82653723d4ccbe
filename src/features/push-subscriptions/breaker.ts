import type { Clock } from '#kernel/clock';

/** Consecutive failures after which a push service is not called for a while. */
const MAX_FAILURES = 5;
/** Seconds of the first pause; each further pause doubles, up to the last value. */
const FIRST_REST_SECONDS = 10;
const LAST_REST_SECONDS = 600;
/** Most push services that are remembered: people choose the addresses, so there may be any number. */
const MAX_HOSTS = 1_000;

interface Trouble {
  readonly failures: number;
  readonly untilMs: number;
}

/**
 * Circuit breaker of this process for push services that do not answer. Each unanswered request takes up a slot for
 * seconds, so after a few of them the service is not called for a while, and deliveries to others go on.
 */
export class CircuitBreaker {
  readonly #troubles = new Map<string, Trouble>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Seconds until a host may be called; 0 if it may be called now. */
  pauseOf(host: string): number {
    const restMs = (this.#troubles.get(host)?.untilMs ?? 0) - this.#clock.monotonicMs();
    return Math.max(0, Math.ceil(restMs / 1000));
  }

  answered(host: string): void {
    this.#troubles.delete(host);
  }

  /**
   * Records a failure. Requests that were under way when the pause began do not count, because one short outage is no
   * reason for a long pause.
   */
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
