import type { Client } from '../../../client/index.ts';
import type { RegisterState } from '../../../model/index.ts';
import { compareNames } from '../../../words/index.ts';

export type Group = RegisterState['realm_user_groups'][number];

/** Lists the groups that people created, by name. */
export function ownGroups({ model }: Client): readonly Group[] {
  return (model.facts.get('realm_user_groups') ?? [])
    .filter((group) => !group.is_system_group)
    .toSorted((a, b) => compareNames(a.name, b.name));
}

export function groupWith({ model }: Client, id: number): Group | undefined {
  return model.facts.get('realm_user_groups')?.find((group) => group.id === id);
}

/** Returns the IDs of a group and of all groups nested in it. */
export function groupsBelow(client: Client, top: Group): ReadonlySet<number> {
  const found = new Set<number>();
  const waiting: Group[] = [top];
  for (let group = waiting.pop(); group; group = waiting.pop()) {
    if (found.has(group.id)) continue;
    found.add(group.id);
    for (const id of group.direct_subgroup_ids) {
      const inside = groupWith(client, id);
      if (inside) waiting.push(inside);
    }
  }
  return found;
}

/** Returns the IDs of everybody in a group, directly or through nested groups. */
export function membersOf(client: Client, group: Group): ReadonlySet<number> {
  const all = [...groupsBelow(client, group)].flatMap((id) => groupWith(client, id)?.members ?? []);
  return new Set(all.map(Number));
}

/** Properties of each tab of a group. */
export interface GroupTabProps {
  readonly group: Group;
  /** Who may change the group, if the viewer may not. */
  readonly fixedBy: string | undefined;
}

export function groupAddress(id: number, tab: string): string {
  return `#groups/${id}/-/${tab}`;
}
