import { REALM_GROUP_SETTINGS, readRealm } from '#features/realms';
import type { GroupId } from '#kernel/ids';
import type { RealmReadTx } from '#kernel/store';
import { GroupNeedsAnother } from './errors.ts';
import { directSubgroups } from './members/queries.ts';
import { directHolders } from './nesting/queries.ts';
import { findGroups } from './queries.ts';
import { GROUP_SETTINGS } from './settings.ts';
import { channelsWithSettings, groupsWithSettings } from './holders/queries.ts';
import type { GroupRow } from './tables.ts';

/** Why a group cannot be deactivated. See protocol/groups#operations. */
type Objection =
  | { readonly type: 'subgroup'; readonly supergroup_ids: readonly GroupId[] }
  | { readonly type: 'channel'; readonly channel_id: number; readonly settings: readonly string[] }
  | { readonly type: 'user_group'; readonly group_id: GroupId; readonly settings: readonly string[] }
  | { readonly type: 'realm'; readonly settings: readonly string[] };

/** Everything in use that depends on a group: groups above it, and permissions that name it. */
export async function findObjections(tx: RealmReadTx, id: GroupId): Promise<readonly Objection[]> {
  const holding = await directHolders(tx, id);
  const above = holding.filter((group: GroupRow) => group.group_kind !== 'anonymous' && !group.deactivated);
  // A value in object form names the group by an anonymous one.
  const anonymous = holding.filter((group) => group.group_kind === 'anonymous').map((group) => group.id);
  const values = [id, ...anonymous];
  const access = new Set<number>(values);
  const objections: Objection[] =
    above.length > 0 ? [{ type: 'subgroup', supergroup_ids: above.map((group) => group.id) }] : [];
  for (const { id: channel_id, settings } of named(await channelsWithSettings(tx, values), access))
    objections.push({ type: 'channel', channel_id, settings });
  for (const row of await groupsWithSettings(tx, values)) {
    const settings = namesIn(row, access);
    if (row.id !== id && settings.length > 0) objections.push({ type: 'user_group', group_id: row.id, settings });
  }
  const realmRow = await readRealm(tx);
  const settings = REALM_GROUP_SETTINGS.map(({ name }) => name).filter((name) => access.has(realmRow[name]));
  if (settings.length > 0) objections.push({ type: 'realm', settings });
  return objections;
}

function named(rows: readonly { readonly id: number }[], access: ReadonlySet<number>) {
  return rows.map((row) => ({ id: row.id, settings: namesIn(row, access) }));
}

/** The columns that hold one of the groups. */
function namesIn(row: object, access: ReadonlySet<number>): readonly string[] {
  return Object.entries(row)
    .filter(([name, value]) => name.startsWith('can_') && typeof value === 'number' && access.has(value))
    .map(([name]) => name);
}

/**
 * Throws unless the groups in this one, and those that its permissions name, are in use: they may have been deactivated
 * since, and their members would have this group's rights, or rights over it, again.
 */
export async function assertOthersInUse(tx: RealmReadTx, id: GroupId): Promise<void> {
  const group = (await findGroups(tx, [id])).get(id);
  const named = group ? GROUP_SETTINGS.map(({ name }) => group[name]) : [];
  const inside = [...(await directSubgroups(tx, [id, ...named])).values()].flat();
  const groups = await findGroups(tx, [...new Set([...named, ...inside])]);
  const other = [...groups.values()].find((one) => one.deactivated && one.id !== id);
  if (other) throw GroupNeedsAnother({ name: other.name ?? '' });
}
