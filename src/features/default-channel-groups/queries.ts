import type { ChannelId } from '#kernel/ids';
import { ascending } from '#kernel/lists';
import { collectedIds, type RealmReadTx, type RealmWriteTx, type WriteTx } from '#kernel/store';
import type { DefaultGroupId, DefaultGroupRow } from './tables.ts';
import type { WireDefaultGroup } from './wire.ts';

const defaultGroups = (tx: RealmReadTx) =>
  tx.db.selectFrom('default_channel_group').selectAll().where('realm_id', '=', tx.realmId);

/** All groups with their channels, by name. */
export async function listDefaultGroups(tx: RealmReadTx): Promise<WireDefaultGroup[]> {
  const groups = await defaultGroups(tx).orderBy('name').execute();
  // A row for each group: rows of 40,000 channels took most of the time of a change.
  const members = await tx.db
    .selectFrom('default_channel_group_member')
    .select(['default_group_id', tx.dialect.collected('channel_id').as('collected')])
    .where('realm_id', '=', tx.realmId)
    .groupBy('default_group_id')
    .execute();
  const streams = new Map(
    members.map((row) => [row.default_group_id, ascending(collectedIds<ChannelId>(row.collected))]),
  );
  return groups.map(({ id, name, description }) => ({ id, name, description, streams: [...(streams.get(id) ?? [])] }));
}

export function findDefaultGroup(tx: RealmReadTx, id: DefaultGroupId): Promise<DefaultGroupRow | undefined> {
  return defaultGroups(tx).where('id', '=', id).executeTakeFirst();
}

export async function isNameTaken(tx: RealmReadTx, name: string): Promise<boolean> {
  const row = await tx.db
    .selectFrom('default_channel_group')
    .select('id')
    .where('realm_id', '=', tx.realmId)
    .where('name', '=', name)
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertDefaultGroup(
  tx: WriteTx,
  row: Pick<DefaultGroupRow, 'realm_id' | 'name' | 'description'>,
): Promise<DefaultGroupId> {
  const { id } = await tx.db.insertInto('default_channel_group').values(row).returning('id').executeTakeFirstOrThrow();
  return id;
}

export async function setDefaultGroup(
  tx: RealmWriteTx,
  id: DefaultGroupId,
  values: Partial<Pick<DefaultGroupRow, 'name' | 'description'>>,
): Promise<void> {
  await tx.db
    .updateTable('default_channel_group')
    .set(values)
    .where('realm_id', '=', tx.realmId)
    .where('id', '=', id)
    .execute();
}

/** Deletes a group; its channels stay as they are. */
export async function deleteDefaultGroup(tx: RealmWriteTx, id: DefaultGroupId): Promise<void> {
  await tx.db
    .deleteFrom('default_channel_group_member')
    .where('realm_id', '=', tx.realmId)
    .where('default_group_id', '=', id)
    .execute();
  await tx.db.deleteFrom('default_channel_group').where('realm_id', '=', tx.realmId).where('id', '=', id).execute();
}

/** Returns the channels of one group. */
export async function channelsIn(tx: RealmReadTx, id: DefaultGroupId): Promise<ReadonlySet<ChannelId>> {
  const rows = await tx.db
    .selectFrom('default_channel_group_member')
    .select('channel_id')
    .where('realm_id', '=', tx.realmId)
    .where('default_group_id', '=', id)
    .execute();
  return new Set(rows.map((row) => row.channel_id));
}

export async function insertChannels(
  tx: RealmWriteTx,
  id: DefaultGroupId,
  channelIds: readonly ChannelId[],
): Promise<void> {
  if (channelIds.length === 0) return;
  const rows = channelIds.map((channel_id) => ({ realm_id: tx.realmId, default_group_id: id, channel_id }));
  await tx.db.insertInto('default_channel_group_member').values(rows).execute();
}

export async function deleteChannels(
  tx: RealmWriteTx,
  id: DefaultGroupId,
  channelIds: readonly ChannelId[],
): Promise<void> {
  await tx.db
    .deleteFrom('default_channel_group_member')
    .where('realm_id', '=', tx.realmId)
    .where('default_group_id', '=', id)
    .where(tx.dialect.anyOf('channel_id', channelIds))
    .execute();
}

/** Removes a channel from every group; returns whether it was in one. */
export async function deleteChannelEverywhere(tx: RealmWriteTx, channelId: ChannelId): Promise<boolean> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('default_channel_group_member')
    .where('realm_id', '=', tx.realmId)
    .where('channel_id', '=', channelId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
