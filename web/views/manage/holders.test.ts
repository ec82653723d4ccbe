import { describe, expect, it } from 'vitest';
import { holderIds, isAllowed, valueOf } from './holders.ts';

const NOBODY = 10;

describe('who has a permission', () => {
  it.each([
    [7, { groups: [7], people: [] }],
    [NOBODY, { groups: [], people: [] }],
    [
      { direct_members: [3], direct_subgroups: [] },
      { groups: [], people: [3] },
    ],
    [
      { direct_members: [3], direct_subgroups: [7, 8] },
      { groups: [7, 8], people: [3] },
    ],
  ])('is told from %j and back', (value, ids) => {
    expect(holderIds(value, NOBODY)).toEqual(ids);
    expect(valueOf(ids, NOBODY)).toEqual(value);
  });

  it('is nobody where the last one is taken away, and cannot be where there is no such group', () => {
    expect(valueOf({ groups: [], people: [] }, NOBODY)).toBe(NOBODY);
    expect(valueOf({ groups: [], people: [] }, undefined)).toBeUndefined();
  });

  it('may be a group as the server bounds it (protocol/permissions#kinds)', () => {
    expect(isAllowed('gardeners', false, {})).toBe(true);
    expect(isAllowed('gardeners', false, { require_system_group: true })).toBe(false);
    expect(isAllowed('role:everyone', true, {})).toBe(false);
    expect(isAllowed('role:everyone', true, { allow_everyone_group: true })).toBe(true);
    expect(isAllowed('role:internet', true, { allow_everyone_group: true })).toBe(false);
    expect(isAllowed('role:nobody', true, {})).toBe(false);
    expect(isAllowed('role:members', true, {})).toBe(true);
    const listed = { allowed_system_groups: ['role:owners'] };
    expect([isAllowed('role:owners', true, listed), isAllowed('role:members', true, listed)]).toEqual([true, false]);
  });
});
