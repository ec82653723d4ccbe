import { expect, it } from 'vitest';
import type { ArchiveFiles } from '../source.ts';
import { lettersOf } from './letters.ts';

const LINES = 1_000_000;

it('a mail of millions of empty lines takes little more memory than it has bytes', async () => {
  const head = Buffer.from('From a@b.test Mon Jan  1 10:00:00 2024\nSubject: x\n');
  const blank = Buffer.alloc(65_536, '\n');
  let most = 0;
  const stream = async function* () {
    yield head;
    for (let left = LINES; left > 0; left -= blank.length) {
      yield blank.subarray(0, left);
      most = Math.max(most, process.memoryUsage().heapUsed);
    }
  };
  const files = { open: () => Promise.resolve(stream()) };
  const before = process.memoryUsage().heapUsed;
  const sizes: (number | undefined)[] = [];
  for await (const letter of lettersOf(files as unknown as ArchiveFiles, 'a.mbox')) sizes.push(letter.bytes?.length);
  expect(sizes).toEqual(['Subject: x\n'.length + LINES]);
  expect((most - before) / 2 ** 20).toBeLessThan(150);
});
