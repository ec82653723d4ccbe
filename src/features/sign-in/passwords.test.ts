import { expect, it } from 'vitest';
import { hashPassword, inTurn, verifyPassword } from './passwords.ts';

const settled = () => new Promise(setImmediate);

it('works on one password at a time, in the order of coming, whatever becomes of each (security#asvs, 15.1.3)', async () => {
  const begun: number[] = [];
  const ends: ((isBroken: boolean) => void)[] = [];
  const works = [1, 2, 3, 4, 5].map((number) =>
    inTurn(async () => {
      begun.push(number);
      if (await new Promise<boolean>((end) => ends.push(end))) throw new Error('broken');
      return number;
    }),
  );
  const ended = Promise.allSettled(works);
  await settled();
  expect(begun).toEqual([1]);
  for (const isBroken of [true, false, true, false]) {
    ends.shift()?.(isBroken);
    await settled();
  }
  expect(begun).toEqual([1, 2, 3, 4, 5]);
  for (const end of ends) end(false);
  expect((await ended).map(({ status }) => status)).toEqual([
    'rejected',
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
  ]);
});

it('answers for each of many that come at once', async () => {
  const stored = await hashPassword('three nests');
  const guesses = ['three nests', 'two', 'three nests', ''].map((guess) => verifyPassword(stored, guess));
  const broken = [1, 2, 3].map(() => verifyPassword('no hash', 'three nests'));
  expect(await Promise.all([...guesses, ...broken])).toEqual([true, false, true, false, false, false, false]);
});
