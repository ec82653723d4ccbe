import type { ActorReadTx } from '#kernel/auth';
import { asId, type GroupId } from '#kernel/ids';
import { inChunks, type RealmReadTx, type RealmWriteTx, sql, type WriteTx } from '#kernel/store';
import { foldCase } from '#kernel/text';
import { deleteMembers, deleteSubgroups } from './members/queries.ts';
import type { GroupRow } from './tables.ts';

const groups = (tx: RealmReadTx) => tx.db.selectFrom('user_group').selectAll().where('realm_id', '=', tx.realmId);

/** Rows of one statement; bounds its parameters. */
const CHUNK = 500;

export type NewGroup = Omit<GroupRow, 'id' | 'date_created' | 'deactivated'>;

/** How many named groups are in use, and how many the actor has made since a time. */
export async function countGroups(
  tx: ActorReadTx,
  since: number,
): Promise<{ readonly used: number; readonly made: number }> {
  const { rows } = await sql<{ used: number; made: number }>`
    select count(case when deactivated then null else 1 end) as used,
      count(case when creator_id = ${tx.actor.userId} and date_created > ${since} then 1 end) as made
    from user_group where realm_id = ${tx.realmId} and group_kind = 'named'`.execute(tx.db);
  return { used: Number(rows[0]?.used), made: Number(rows[0]?.made) };
}

export async function insertGroup(tx: WriteTx, row: NewGroup): Promise<GroupId> {
  const { id } = await tx.db
    .insertInto('user_group')
    .values({ ...row, date_created: tx.now, deactivated: false })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Makes so many groups that are all alike. */
export async function insertAlike(tx: WriteTx, row: NewGroup, count: number): Promise<readonly GroupId[]> {
  const ids: GroupId[] = [];
  const rows = Array.from({ length: count }, () => ({ ...row, date_created: tx.now, deactivated: false }));
  for (const chunk of inChunks(rows, CHUNK)) {
    const made = await tx.db.insertInto('user_group').values(chunk).returning('id').execute();
    ids.push(...made.map(({ id }) => id));
  }
  return ids;
}

/** Lets role:nobody hold its own permissions: it could not name itself when it was made. */
export async function setOwnSettings(tx: RealmWriteTx, nobody: GroupId): Promise<void> {
  await tx.db
    .updateTable('user_group')
    .set({
      can_add_members_group: nobody,
      can_join_group: nobody,
      can_leave_group: nobody,
      can_manage_group: nobody,
      can_mention_group: nobody,
      can_remove_members_group: nobody,
    })
    .where('realm_id', '=', tx.realmId)
    .where('id', '=', nobody)
    .execute();
}

/** Changes columns of one group. */
export async function setGroup(
  tx: RealmWriteTx,
  id: GroupId,
  values: Partial<Omit<GroupRow, 'id' | 'realm_id'>>,
): Promise<void> {
  await tx.db.updateTable('user_group').set(values).where('realm_id', '=', tx.realmId).where('id', '=', id).execute();
}

/** Ends an anonymous group that no setting holds any more. */
export async function deleteGroup(tx: RealmWriteTx, groupId: GroupId): Promise<void> {
  await deleteMembers(tx, groupId);
  await deleteSubgroups(tx, groupId);
  await tx.db.deleteFrom('user_group').where('realm_id', '=', tx.realmId).where('id', '=', groupId).execute();
}

/** Groups by ID; unknown IDs are missing from the map. */
export async function findGroups(tx: RealmReadTx, ids: readonly GroupId[]): Promise<ReadonlyMap<GroupId, GroupRow>> {
  if (ids.length === 0) return new Map();
  const rows = await groups(tx).where(tx.dialect.anyOf('id', ids)).execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** The named or system group of this name, ignoring case, deactivated ones included. */
export function findGroupByName(tx: RealmReadTx, name: string): Promise<GroupRow | undefined> {
  return groups(tx).where('group_kind', '!=', 'anonymous').where('name_key', '=', foldCase(name)).executeTakeFirst();
}

/** System and named groups, deactivated ones included, by ID. */
export function listGroups(tx: RealmReadTx): Promise<readonly GroupRow[]> {
  return groups(tx).where('group_kind', '!=', 'anonymous').orderBy('id').execute();
}

/** So many active groups that people made after an ID, by ID. */
export function listNamedGroupsAfter(tx: RealmReadTx, id: number, most: number): Promise<readonly GroupRow[]> {
  return groups(tx)
    .where('group_kind', '=', 'named')
    .where('deactivated', '=', false)
    .where('id', '>', asId<GroupId>(id))
    .orderBy('id')
    .limit(most)
    .execute();
}

/** Up to when full members have been announced; undefined before the first time. */
export async function findAnnouncedUntil(tx: RealmReadTx): Promise<number | undefined> {
  const row = await tx.db
    .selectFrom('full_member_clock')
    .select('announced_until')
    .where('realm_id', '=', tx.realmId)
    .executeTakeFirst();
  return row?.announced_until;
}

export async function setAnnouncedUntil(tx: RealmWriteTx, announced_until: number): Promise<void> {
  await tx.db
    .insertInto('full_member_clock')
    .values({ realm_id: tx.realmId, announced_until })
    .onConflict((conflict) => conflict.columns(['realm_id']).doUpdateSet({ announced_until }))
    .execute();
}
