import type { Clock } from './clock.ts';

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
