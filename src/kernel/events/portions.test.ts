import { describe, expect, it } from 'vitest';
import { TestClock } from '#kernel/clock';
import type { Entry } from './entry.ts';
import { inPortions, Portions } from './portions.ts';

const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn++) await new Promise(setImmediate);
};

describe('portions of old entries', () => {
  it('are worked on one at a time, for people in turns, and of each what has begun first', async () => {
    const portions = new Portions(new TestClock());
    const done: string[] = [];
    let working = 0;
    const take = (userId: number, name: string, hasBegun = false) =>
      portions.take(userId, hasBegun, async () => {
        expect(++working).toBe(1);
        await turns(3);
        working--;
        done.push(name);
      });
    const poll = async (userId: number, name: string) => {
      await take(userId, `${name}1`);
      await take(userId, `${name}2`, true);
    };
    await Promise.all([poll(1, 'a'), poll(1, 'b'), poll(1, 'c'), poll(2, 'd')]);
    expect(done).toEqual(['a1', 'a2', 'd1', 'b1', 'd2', 'b2', 'c1', 'c2']);
  });

  it('leave others as much time as they take, and go on after one that failed', async () => {
    const clock = new TestClock();
    const portions = new Portions(clock);
    const slow = portions.take(1, false, async () => clock.advance(20));
    const fails = portions.take(1, false, () => Promise.reject(new Error('no database')));
    const last = portions.take(1, false, async () => undefined);
    await slow;
    await turns(1);
    let isOver = false;
    const refused = expect(fails)
      .rejects.toThrow('no database')
      .then(() => (isOver = true));
    clock.advance(19);
    await turns(5);
    expect(isOver).toBe(false);
    clock.advance(1);
    await refused;
    await turns(5);
    await last;
  });

  it('have many small entries, or one large one', () => {
    const sized = (...sizes: number[]) => sizes.map((size) => ({ size }) as Entry);
    const sizes = (...all: number[]) => inPortions(sized(...all)).map((portion) => portion.map(({ size }) => size));
    expect(sizes()).toEqual([]);
    expect(sizes(1, 2, 3)).toEqual([[1, 2, 3]]);
    expect(sizes(300_000, 300_000, 9_000_000, 1)).toEqual([[300_000, 300_000], [9_000_000], [1]]);
  });
});
