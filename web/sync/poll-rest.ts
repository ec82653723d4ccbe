import type { Clock } from '../api/index.ts';

/** Shortest time between polls in milliseconds; after this many busy polls in a row, the third value. */
const [REST_MS, BUSY_POLLS, BUSY_REST_MS] = [50, 8, 150];

/**
 * Delays polls that follow soon after another, so that the events of a short time are drawn together. After many such
 * polls nobody can read each message, and the delay is longer.
 */
export class PollRest {
  readonly #clock: Clock;
  /** In milliseconds since 1970. */
  #nextPollAt = 0;
  /** Number of polls in a row that had to wait. */
  #busyPolls = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Waits until the next poll may begin; rejects if `woken` is aborted before. */
  async wait(woken: AbortSignal): Promise<void> {
    const rest = this.#nextPollAt - this.#clock.now();
    // A larger value means that the clock was set back, which must not cause a wait.
    const isBusy = rest > 0 && rest <= BUSY_REST_MS;
    this.#busyPolls = isBusy ? this.#busyPolls + 1 : 0;
    if (isBusy) await this.#clock.sleep(rest, woken);
    this.#nextPollAt = this.#clock.now() + (this.#busyPolls >= BUSY_POLLS ? BUSY_REST_MS : REST_MS);
  }
}
