import { describe, expect, it } from 'vitest';
import { grouped, inTurn, isReordering, isSameList, lookUp, without } from './index.ts';

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

describe('two lists', () => {
  it('are the same only with the same items in the same order', () => {
    expect(isSameList([1, 2], [1, 2])).toBe(true);
    for (const other of [[2, 1], [1], [1, 2, 3], []]) expect(isSameList([1, 2], other)).toBe(false);
  });

  it('are reorderings of each other only with every item once', () => {
    expect(isReordering([1, 2, 3], [3, 1, 2])).toBe(true);
    for (const wanted of [[1, 2], [1, 2, 2], [1, 2, 4], [1, 2, 3, 3], []])
      expect(isReordering([1, 2, 3], wanted)).toBe(false);
  });

  it('leave what only the first has, in its order', () => {
    expect(without([3, 1, 2, 3], new Set([1]))).toEqual([3, 2, 3]);
    expect(without(new Set([1]), [1])).toEqual([]);
  });
});

describe('items in turn', () => {
  it('come one after another, those that are nothing too, and no more than there are', () => {
    const next = inTurn([3, undefined, 1]);
    expect([next(), next(), next()]).toEqual([3, undefined, 1]);
    expect(() => next()).toThrow(RangeError);
  });
});

describe('a table', () => {
  it('has what was put into it, and nothing that every object has', () => {
    const table = { a: 1, constructor: 2 };
    expect(['a', 'constructor', 'b', 'toString', '__proto__'].map((name) => lookUp(table, name))).toEqual([
      1,
      2,
      ...Array(3),
    ]);
    expect(lookUp<number>({}, 'constructor')).toBeUndefined();
  });
});
