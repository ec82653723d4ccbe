import { expect, it } from 'vitest';
import { askedTogether } from './asked-together.ts';

it('asks once for all simultaneous callers, and again for callers that arrive meanwhile', async () => {
  const open: ((answer: number) => void)[] = [];
  const asked = askedTogether(() => new Promise<number>((resolve) => open.push(resolve)));
  const first = [asked(), asked()];
  await expect.poll(() => open.length).toBe(1);
  const later = [asked(), asked()];
  open[0]?.(1);
  expect(await Promise.all(first)).toEqual([1, 1]);
  await expect.poll(() => open.length).toBe(2);
  open[1]?.(2);
  expect(await Promise.all(later)).toEqual([2, 2]);
  expect(open.length).toBe(2);
});

it('asks again after a failure, which every waiting caller gets', async () => {
  let count = 0;
  const asked = askedTogether(async () => {
    if (++count === 1) throw new Error('away');
    return count;
  });
  expect((await Promise.allSettled([asked(), asked()])).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await asked()).toBe(2);
});
