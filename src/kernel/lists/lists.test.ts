import { describe, expect, it } from 'vitest';
import { grouped, inTurn } from './index.ts';

describe('grouped pairs', () => {
  it('stand under their first, groups and members in the order in which they came', () => {
    const groups = grouped([
      ['b', 2],
      ['a', 3],
      ['b', 1],
      ['b', 2],
    ]);
    expect([...groups]).toEqual([
      ['b', [2, 1, 2]],
      ['a', [3]],
    ]);
    expect([...grouped([])]).toEqual([]);
  });
});

describe('items in turn', () => {
  it('come one after another, those that are nothing too, and no more than there are', () => {
    const next = inTurn([3, undefined, 1]);
    expect([next(), next(), next()]).toEqual([3, undefined, 1]);
    expect(() => next()).toThrow(RangeError);
  });
});
