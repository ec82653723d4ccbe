import type { Facts } from './facts.ts';
import type { RegisterState } from './register.ts';

/** Who holds a permission: a group, or people and groups. */
type Holders =
  | number
  | { readonly direct_members: readonly number[]; readonly direct_subgroups: readonly number[] }
  | undefined;

/** The fields of groups that membership needs. */
type Groups = readonly {
  readonly id: number;
  readonly members: readonly number[];
  readonly direct_subgroup_ids: readonly number[];
}[];

/** Whether somebody holds a permission, directly or through nested groups. See protocol/permissions#values. */
export function isAmong(me: number, holders: Holders, groups: Groups): boolean {
  if (holders === undefined) return false;
  if (typeof holders !== 'number' && holders.direct_members.includes(me)) return true;
  const open = typeof holders === 'number' ? [holders] : [...holders.direct_subgroups];
  const seen = new Set<number>();
  const byId = new Map(groups.map((group) => [group.id, group]));
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    const group = byId.get(id);
    if (group?.members.includes(me) === true) return true;
    open.push(...(group?.direct_subgroup_ids ?? []));
  }
  return false;
}

type GroupSetting = { [K in keyof RegisterState]: RegisterState[K] extends Holders ? K : never }[keyof RegisterState] &
  `realm_${string}_group`;

/**
 * Whether the viewer has a permission of the organization or of a channel; one of the two is enough, and each may be
 * absent.
 */
export function mayIn(facts: Facts, setting: GroupSetting | undefined, ofChannel?: Holders): boolean {
  const me = facts.get('user_id') ?? 0;
  const groups = facts.get('realm_user_groups') ?? [];
  const isHolder = setting !== undefined && isAmong(me, facts.get(setting), groups);
  return isHolder || isAmong(me, ofChannel, groups);
}
