import type { Client } from '../../../client/index.ts';
import type { RegisterState } from '../../../model/index.ts';

export type Group = RegisterState['realm_user_groups'][number];

/** The groups that people made, by name. */
export function ownGroups({ model }: Client): readonly Group[] {
  return (model.facts.get('realm_user_groups') ?? [])
    .filter((group) => !group.is_system_group)
    .toSorted((a, b) => a.name.localeCompare(b.name));
}

export function groupWith({ model }: Client, id: number): Group | undefined {
  return model.facts.get('realm_user_groups')?.find((group) => group.id === id);
}

/** The IDs of a group and of every group inside it. */
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

/** Everybody in a group, by themselves or through a group in it. */
export function membersOf(client: Client, group: Group): ReadonlySet<number> {
  const all = [...groupsBelow(client, group)].flatMap((id) => groupWith(client, id)?.members ?? []);
  return new Set(all.map(Number));
}

/** What each part of a group's page is told. */
export interface GroupTabProps {
  readonly group: Group;
  /** Who may change the group, where the viewer may not. */
  readonly fixedBy: string | undefined;
}

export function groupAddress(id: number, tab: string): string {
  return `#groups/${id}/-/${tab}`;
}
