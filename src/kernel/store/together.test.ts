import { together } from '#kernel/store';
import { expect, it } from 'vitest';

it('returns all results', async () => {
  const second = new Promise<string>((resolve) => setImmediate(resolve, 'two'));
  expect(await together([second, Promise.resolve(1)])).toEqual(['two', 1]);
  expect(await together([])).toEqual([]);
});

it('ends when all work has ended, with the failure that came first', async () => {
  const ended: string[] = [];
  const later = new Promise((resolve) => setImmediate(resolve)).then(() => ended.push('later'));
  const first = Promise.reject(new Error('first'));
  const second = first.catch(() => Promise.reject(new Error('because of the first')));
  await expect(together([later, second, first])).rejects.toThrow(/^first$/);
  expect(ended).toEqual(['later']);
});
