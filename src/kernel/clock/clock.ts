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
  /** Milliseconds of a monotonic clock, for durations: setting the machine's clock does not change it. */
  monotonicMs(): number;
  /** A number in [0, 1). Never for secrets. */
  random(): number;
  /** Runs `task` once after `ms` milliseconds. Does not keep the process alive. */
  after(ms: number, task: () => void): Timer;
  /** Unguessable text of `length` letters and digits. */
  token(length: number): string;
  /**
   * Sets the time of day to that of a clock that several processes share, in milliseconds since 1970. Returns the
   * milliseconds by which it was moved. Absent where the clock is not shared.
   */
  agree?(theirsMs: number): number;
}

/** Milliseconds by which two clocks may differ before they are adjusted: more than a round trip takes. */
const TOLERANCE_MS = 2000;

/**
 * A clock whose time of day follows that of the database, so that times written by several processes can be compared.
 * Durations stay those of the machine.
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
