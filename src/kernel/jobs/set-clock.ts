import { type Clock, ClockSteps } from '#kernel/clock';
import type { Store } from '#kernel/store';
import { shiftJobs } from './leases.ts';

/**
 * Adjusts jobs when the machine's clock is set: due jobs stay due, and claimed ones stay claimed. All workers of a
 * process wait for this before they check for jobs.
 */
export class SetClock {
  readonly #store: Store;
  readonly #steps: ClockSteps;
  readonly #leaseSeconds: number;
  #following: Promise<void> | undefined;
  /** Seconds by which the clock was set and jobs are not adjusted yet. */
  #owedSeconds = 0;

  constructor(store: Store, clock: Clock, leaseSeconds: number) {
    this.#store = store;
    this.#steps = new ClockSteps(clock);
    this.#leaseSeconds = leaseSeconds;
  }

  /** Whether the clock was set and jobs are not adjusted yet, so that their times and the clock do not match. */
  isBehind(): boolean {
    this.#owedSeconds += Math.round(this.#steps.look() / 1000);
    return this.#owedSeconds !== 0;
  }

  async follow(): Promise<void> {
    if (!this.isBehind()) return;
    this.#following ??= this.#shift().finally(() => (this.#following = undefined));
    await this.#following;
  }

  async #shift(): Promise<void> {
    const seconds = this.#owedSeconds;
    await this.#store.write((tx) => shiftJobs(tx, seconds, this.#leaseSeconds));
    this.#owedSeconds -= seconds;
  }
}
