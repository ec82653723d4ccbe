import { describe, expect, it } from 'vitest';
import { isAmong } from './rights.ts';

const groups = [
  { id: 1, members: [7], direct_subgroup_ids: [] },
  { id: 2, members: [8], direct_subgroup_ids: [1] },
  { id: 3, members: [], direct_subgroup_ids: [2, 4] },
  { id: 4, members: [9], direct_subgroup_ids: [3] },
];

describe('who holds a permission', () => {
  it('is told by groups within groups, however they are tied', () => {
    expect([7, 8, 9, 10].map((me) => isAmong(me, 3, groups))).toEqual([true, true, true, false]);
    expect([7, 8, 9].map((me) => isAmong(me, 2, groups))).toEqual([true, true, false]);
  });

  it('may name people beside groups, or nobody', () => {
    const holders = { direct_members: [10], direct_subgroups: [1] };
    expect([7, 8, 10].map((me) => isAmong(me, holders, groups))).toEqual([true, false, true]);
    expect(isAmong(7, 99, groups)).toBe(false);
    expect(isAmong(7, undefined, groups)).toBe(false);
  });
});
