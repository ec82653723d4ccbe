import { setSystemGroups } from '#features/realms';
import { asId, type GroupId, type RealmId, recordOf } from '#kernel/ids';
import { SYSTEM_GROUPS, type SystemGroupName } from '#kernel/permissions';
import type { RealmWriteTx } from '#kernel/store';
import { foldCase } from '#kernel/text';
import { insertSubgroups } from './members/queries.ts';
import { insertGroup, setOwnSettings } from './queries.ts';
import { GROUP_SETTINGS } from './settings.ts';
import type { GroupRow } from './tables.ts';

/**
 * Makes the eight system groups of a new organization, nested as the roles are. See protocol/permissions#system-groups.
 */
export async function insertSystemGroups(tx: RealmWriteTx): Promise<Readonly<Record<SystemGroupName, GroupId>>> {
  const ids = new Map<SystemGroupName, GroupId>();
  let nobody = asId<GroupId>(0);
  for (const { name, description } of SYSTEM_GROUPS) {
    const id = await insertGroup(tx, unmanagedGroup(tx.realmId, nobody, { group_kind: 'system', name, description }));
    if (name === 'role:nobody') nobody = id;
    ids.set(name, id);
  }
  await nest(tx, ids);
  await setOwnSettings(tx, nobody);
  const all = recordOf(
    SYSTEM_GROUPS.map(({ name }) => name),
    (name) => ids.get(name) ?? nobody,
  );
  await setSystemGroups(tx, all);
  return all;
}

/** A new group that nobody may change, of the system or without a name. */
export function unmanagedGroup<T extends Pick<GroupRow, 'group_kind' | 'name' | 'description'>>(
  realm_id: RealmId,
  nobody: GroupId,
  group: T,
) {
  const settings = recordOf(
    GROUP_SETTINGS.map(({ name }) => name),
    () => nobody,
  );
  return { realm_id, ...group, name_key: foldCase(group.name), creator_id: null, ...settings };
}

/** role:nobody stands outside the chain; each other group is the one subgroup of the next. */
async function nest(tx: RealmWriteTx, ids: ReadonlyMap<SystemGroupName, GroupId>): Promise<void> {
  const chain = [...ids.values()].slice(1);
  for (const [index, id] of chain.entries()) {
    const above = chain[index + 1];
    if (above !== undefined) await insertSubgroups(tx, above, [id]);
  }
}
