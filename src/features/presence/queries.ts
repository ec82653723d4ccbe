import type { UserId } from '#kernel/ids';
import { compiled, inChunks, type RealmReadTx, type RealmWriteTx, sql, type WriteTx } from '#kernel/store';
import type { PresenceRow } from './tables.ts';

const presences = (tx: RealmReadTx) => tx.db.selectFrom('presence').selectAll().where('realm_id', '=', tx.realmId);

/** Rows written after an update, oldest first. */
export function listPresencesAfter(tx: RealmReadTx, updateId: number): Promise<readonly PresenceRow[]> {
  return presences(tx).where('update_id', '>', updateId).orderBy('update_id').execute();
}

/** A presence with facts about its person. */
export interface PersonPresence extends PresenceRow {
  readonly email: string;
  readonly email_address_visibility: number;
  readonly date_joined: number;
}

/** Presences of active people who were connected since a time, oldest update first. */
export const listPeoplePresences = compiled(({ db, realmId }, connectedSince: number) =>
  db
    .selectFrom('presence')
    .innerJoin('user', 'user.id', 'presence.user_id')
    .selectAll('presence')
    .select(['user.email', 'user.email_address_visibility', 'user.date_joined'])
    .where('presence.realm_id', '=', realmId)
    .where('user.is_active', '=', true)
    .where('user.is_bot', '=', false)
    .where('presence.last_connected_at', '>=', connectedSince)
    .orderBy('presence.update_id'),
);

export function findPresence(tx: RealmReadTx, userId: UserId): Promise<PresenceRow | undefined> {
  return presences(tx).where('user_id', '=', userId).executeTakeFirst();
}

export async function findPresences(
  tx: RealmReadTx,
  userIds: readonly UserId[],
): Promise<ReadonlyMap<UserId, PresenceRow>> {
  const rows = await presences(tx).where(tx.dialect.anyOf('user_id', userIds)).execute();
  return new Map(rows.map((row) => [row.user_id, row]));
}

/** Takes `count` update IDs and returns the first. Other transactions that write presences wait until the commit. */
export async function takeUpdateIds(tx: RealmWriteTx, count: number): Promise<number> {
  const row = await tx.db
    .insertInto('presence_counter')
    .values({ realm_id: tx.realmId, newest_update_id: count })
    .onConflict((conflict) =>
      conflict
        .column('realm_id')
        .doUpdateSet({ newest_update_id: sql<number>`presence_counter.newest_update_id + ${count}` }),
    )
    .returning('newest_update_id')
    .executeTakeFirstOrThrow();
  return row.newest_update_id - count + 1;
}

/** Stores presences; replaces a person's earlier presence unless that is newer. */
export async function upsertPresences(tx: WriteTx, rows: readonly PresenceRow[]): Promise<void> {
  for (const chunk of inChunks(rows, 500)) {
    await tx.db
      .insertInto('presence')
      .values([...chunk])
      .onConflict((conflict) =>
        conflict
          .columns(['realm_id', 'user_id'])
          .doUpdateSet((set) => ({
            last_active_at: set.ref('excluded.last_active_at'),
            last_connected_at: set.ref('excluded.last_connected_at'),
            update_id: set.ref('excluded.update_id'),
          }))
          .whereRef('presence.update_id', '<', 'excluded.update_id'),
      )
      .execute();
  }
}
