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

/** Milliseconds by which two clocks may differ before one of them is wrong: more than an answer takes on its way. */
const TOLERANCE_MS = 2000;

/**
 * A clock whose time of day is that of a database which several processes share, as it was told last: what one of them
 * writes down another one can compare with its own time. Lengths of time stay the machine's.
 */
export function commonClock(own: Clock): Clock {
  let aheadMs = 0;
  const nowMs = () => own.nowMs() + aheadMs;
  return {
    nowMs,
    now: () => Math.floor(nowMs() / 1000),
    monotonicMs: () => own.monotonicMs(),
    random: () => own.random(),
    after: (ms, task) => own.after(ms, task),
    token: (length) => own.token(length),
    agree: (theirsMs) => {
      const moved = Math.round(theirsMs - nowMs());
      if (Math.abs(moved) <= TOLERANCE_MS) return 0;
      aheadMs += moved;
      return moved;
    },
  };
}
