export const SECONDS_PER_DAY = 86_400;

/** A timer that has been set and can be taken back. */
export interface Timer {
  cancel(): void;
}

/** Time and chance, handed in so that tests can move them. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  nowMs(): number;
  /** Whole seconds since 1970, UTC. */
  now(): number;
  /** Milliseconds from some moment on, for lengths of time: nobody who sets the machine's clock moves it. */
  monotonicMs(): number;
  /** A number in [0, 1). Never for secrets. */
  random(): number;
  /** Runs `task` once after `ms` milliseconds. Does not keep the process alive. */
  after(ms: number, task: () => void): Timer;
  /** Unguessable text of `length` letters and digits. */
  token(length: number): string;
  /**
   * Told what time it is, in milliseconds since 1970, where processes meet: from then on the time of day is this one when it
   * was another. Gives the milliseconds by which it was moved. Absent: the clock goes by itself.
   */
  agree?(theirsMs: number): number;
}
