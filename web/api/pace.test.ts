import { expect, test } from 'vitest';
import { paced } from './pace.ts';

test('the first is run at once, and of those that come meanwhile the newest, once the time is over', async () => {
  const wakes: (() => void)[] = [];
  const clock = { now: () => 0, random: () => 0, sleep: () => new Promise<void>((resolve) => wakes.push(resolve)) };
  const runs: number[] = [];
  const pace = paced(clock, 500);
  for (const count of [1, 2, 3]) pace(() => runs.push(count));
  expect(runs).toEqual([1]);
  const wake = async () => {
    wakes.shift()?.();
    await Promise.resolve();
  };
  await wake();
  expect(runs).toEqual([1, 3]);
  // What was run again rests again; then nothing waits, and the next is run at once.
  pace(() => runs.push(4));
  expect(runs).toEqual([1, 3]);
  await wake();
  await wake();
  expect(runs).toEqual([1, 3, 4]);
  pace(() => runs.push(5));
  expect(runs).toEqual([1, 3, 4, 5]);
});
