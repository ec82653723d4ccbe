import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Window, windows } from './index.ts';

const ALL = { first: 1, last: 130_000 };
const FIRST_WIDTH = 163;

interface Walked {
  readonly windows: readonly Window[];
  /** Milliseconds of the longest statement after the first ten, and of all. */
  readonly longest: number;
  readonly whole: number;
}

/** Walks over all messages; `costOf` says what a statement over a window of this width takes, in milliseconds. */
async function walk(costOf: (width: number) => number, isOlder = true): Promise<Walked> {
  const seen: Window[] = [];
  let [longest, whole] = [0, 0];
  for await (const window of windows(ALL, isOlder, { width: FIRST_WIDTH })) {
    const ms = costOf(window.last - window.first + 1);
    vi.advanceTimersByTime(ms);
    seen.push(window);
    whole += ms;
    if (seen.length > 10) longest = Math.max(longest, ms);
  }
  return { windows: seen, longest, whole };
}

describe('windows of messages', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => void vi.useRealTimers());

  it('have every message once, from the newest or the oldest on', async () => {
    for (const isOlder of [true, false]) {
      const { windows: seen } = await walk((width) => width / 100, isOlder);
      const ascending = isOlder ? seen.toReversed() : seen;
      expect(ascending[0]?.first).toBe(ALL.first);
      expect(ascending.at(-1)?.last).toBe(ALL.last);
      expect(ascending.slice(1).every(({ first }, n) => first === (ascending[n]?.last ?? 0) + 1)).toBe(true);
    }
  });

  it('become as narrow as their messages are dear', async () => {
    for (const perMessage of [0.001, 0.01, 0.1]) {
      const { longest, whole } = await walk((width) => width * perMessage);
      expect(longest, `${perMessage}`).toBeLessThanOrEqual(48);
      expect(whole).toBeLessThan(130_000 * perMessage + 100);
    }
  });

  it('do not become narrow because of what each takes in any case', async () => {
    for (const [fixed, perMessage, most] of [
      [3.4, 0.0001, 200],
      [8, 0.0001, 500],
      [13, 0.0001, 500],
      [20, 0.001, 1000],
      [40, 0.01, 10_000],
    ] as const) {
      const { longest, whole } = await walk((width) => fixed + width * perMessage);
      expect(longest, `${fixed}`).toBeLessThanOrEqual(fixed + 12);
      expect(whole, `${fixed}`).toBeLessThan(most);
    }
  });

  it('are given up when their statements have taken half a minute', async () => {
    await expect(walk((width) => width)).rejects.toMatchObject({ row: { status: 503 }, extra: { 'retry-after': 5 } });
  });
});
