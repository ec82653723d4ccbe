import { expect, test } from 'vitest';
import { InSight } from './in-sight.ts';

/** Messages in sight; `pass` ends the shortest wait of the clock. */
function scene() {
  const wakes: (() => void)[] = [];
  const seen: number[][] = [];
  const state = { isLookedAt: true };
  const sight = new InSight({
    clock: { sleep: () => new Promise<void>((resolve) => wakes.push(resolve)) },
    isLookedAt: () => state.isLookedAt,
    seen: (ids) => seen.push([...ids]),
  });
  const pass = async () => {
    wakes.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { sight, seen, state, pass };
}

test('what stays in sight is told of, however many come and go meanwhile', async () => {
  const { sight, seen, pass } = scene();
  sight.show([1, 2]);
  for (const id of [3, 4, 5]) sight.show([2, id]);
  await pass();
  expect(seen).toEqual([[2]]);
  await pass();
  expect(seen).toEqual([[2], [2, 5]]);
  sight.show([6]);
  await pass();
  expect(seen.at(-1)).toEqual([6]);
});

test('nothing is told of while another window is looked at, or once the view is gone', async () => {
  const { sight, seen, state, pass } = scene();
  state.isLookedAt = false;
  sight.show([1]);
  await pass();
  expect(seen).toEqual([]);
  state.isLookedAt = true;
  sight.show([2]);
  sight.leave();
  await pass();
  expect(seen).toEqual([]);
});
