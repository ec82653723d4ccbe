import type { GroupId } from '#kernel/ids';
import { isSameList } from '#kernel/lists';
import type { GroupSettingValue } from '#kernel/permissions';
import { codePointLength } from '#kernel/text';
import { GroupNameBlank, GroupNamePrefix, GroupNameTooLong } from './errors.ts';

interface NamesNobody {
  readonly groups: { readonly 'role:nobody': GroupId };
}

/**
 * The one form of a value: lists ascending and without repeats, a single subgroup as that group, nothing at all as
 * role:nobody. See protocol/permissions#values.
 */
export function normalise(value: GroupSettingValue, realm: NamesNobody): GroupSettingValue {
  if (typeof value === 'number') return value;
  const direct_members = ascending(value.direct_members);
  const direct_subgroups = ascending(value.direct_subgroups);
  const [first, second] = direct_subgroups;
  if (direct_members.length > 0 || second !== undefined) return { direct_members, direct_subgroups };
  return first ?? realm.groups['role:nobody'];
}

/** Whether two normalised values are the same; a group and an object never are. */
export function sameValue(a: GroupSettingValue, b: GroupSettingValue): boolean {
  if (typeof a === 'number' || typeof b === 'number') return a === b;
  return isSameList(a.direct_members, b.direct_members) && isSameList(a.direct_subgroups, b.direct_subgroups);
}

function ascending<T extends number>(ids: readonly T[]): readonly T[] {
  return [...new Set(ids)].toSorted((a, b) => a - b);
}

/** Longest name of a group, in code points. See protocol/groups#operations. */
const MAX_GROUP_NAME = 100;
/** What mentions and system groups begin with. */
const RESERVED = ['@', 'role:', 'user:', 'stream:', 'channel:'];

/** Throws unless a (trimmed) name is one a group may have. See protocol/groups#operations. */
export function assertGroupName(name: string): void {
  if (name === '') throw GroupNameBlank();
  if (codePointLength(name) > MAX_GROUP_NAME) throw GroupNameTooLong();
  const prefix = RESERVED.find((reserved) => name.startsWith(reserved));
  if (prefix !== undefined) throw GroupNamePrefix({ prefix });
}
