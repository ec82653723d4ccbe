import { expect, it } from 'vitest';
import { commonClock, TestClock } from './index.ts';

it('takes the time of day that it is told when its own is wrong, and keeps its own lengths of time', () => {
  const own = new TestClock();
  const clock = commonClock(own);
  const [began, monotonic] = [own.nowMs(), own.monotonicMs()];
  expect(clock.agree?.(began + 1900)).toBe(0);
  expect(clock.nowMs()).toBe(began);
  expect(clock.agree?.(began - 3_600_000)).toBe(-3_600_000);
  own.advance(5000);
  expect(clock.nowMs()).toBe(began - 3_595_000);
  expect(clock.now()).toBe(Math.floor((began - 3_595_000) / 1000));
  expect(clock.monotonicMs() - monotonic).toBe(5000);
  expect(clock.agree?.(own.nowMs())).toBe(3_600_000);
  expect(clock.nowMs()).toBe(own.nowMs());
});
