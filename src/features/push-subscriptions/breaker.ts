import type { Clock } from '#kernel/clock';

/** Failures in a row after which a push service is left alone for a while. */
const MAX_FAILURES = 5;
/** Seconds of the first rest; doubled with each that follows, up to the last. */
const FIRST_REST_SECONDS = 10;
const LAST_REST_SECONDS = 600;
/** Push services remembered; people choose the addresses, so there may be any number. */
const MAX_HOSTS = 1_000;

interface Trouble {
  failures: number;
  untilMs: number;
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

  failed(host: string): void {
    const { failures: before = 0, untilMs = 0 } = this.#troubles.get(host) ?? {};
    const failures = before + 1;
    const rests = failures - MAX_FAILURES;
    const seconds =
      rests < 0 ? 0 : Math.min(LAST_REST_SECONDS, FIRST_REST_SECONDS * 2 ** Math.floor(rests / MAX_FAILURES));
    const until = seconds === 0 ? untilMs : this.#clock.monotonicMs() + seconds * 1000;
    this.#troubles.delete(host);
    this.#troubles.set(host, { failures, untilMs: until });
    const [oldest] = this.#troubles.keys();
    if (this.#troubles.size > MAX_HOSTS && oldest !== undefined) this.#troubles.delete(oldest);
  }
}
