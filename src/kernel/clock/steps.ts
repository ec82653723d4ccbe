import type { Clock } from './clock.ts';

/** Milliseconds by which the time of day and the monotonic clock may drift apart before the clock counts as set. */
const TOLERANCE_MS = 2000;

/** Notices that the time of day was set: by a person, after a sleep, or by a time service that found it wrong. */
export class ClockSteps {
  readonly #clock: Pick<Clock, 'nowMs' | 'monotonicMs'>;
  #offsetMs: number;
  #forwardMs = 0;

  constructor(clock: Pick<Clock, 'nowMs' | 'monotonicMs'>) {
    this.#clock = clock;
    this.#offsetMs = clock.nowMs() - clock.monotonicMs();
  }

  /** Milliseconds by which the clock was set since the last look, negative when it was set back; 0 when it was not. */
  look(): number {
    const offsetMs = this.#clock.nowMs() - this.#clock.monotonicMs();
    const stepMs = offsetMs - this.#offsetMs;
    // Small corrections are followed, so that they never add up to a step.
    this.#offsetMs = offsetMs;
    if (Math.abs(stepMs) < TOLERANCE_MS) return 0;
    this.#forwardMs += Math.max(0, stepMs);
    return stepMs;
  }

  /** Seconds by which an earlier recorded time may seem too old: the sum of all steps forward. */
  get forwardSeconds(): number {
    this.look();
    return Math.ceil(this.#forwardMs / 1000);
  }
}
