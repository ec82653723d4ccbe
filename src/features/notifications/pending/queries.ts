import type { MessageId, UserId } from '#kernel/ids';
import { compiled, inChunks, type RealmReadTx, type RealmWriteTx, type WriteTx } from '#kernel/store';
import type { MissedRow } from './tables.ts';

/** When the mails that are being gathered for these users are due: as their first message is, however many follow. */
export async function gatheringFor(tx: RealmReadTx, userIds: readonly UserId[]): Promise<ReadonlyMap<UserId, number>> {
  const rows = await firstMissed(tx, userIds);
  return new Map(rows.flatMap(({ id, due }) => (due === null ? [] : [[id, due]])));
}

const firstMissed = compiled(({ db, realmId, dialect }, userIds: readonly UserId[]) =>
  db
    .selectFrom('user')
    .select((user) => [
      'user.id',
      user
        .selectFrom('missed_message')
        .select('due_at')
        .whereRef('missed_message.user_id', '=', 'user.id')
        .orderBy('message_id')
        .limit(1)
        .as('due'),
    ])
    .where('user.realm_id', '=', realmId)
    .where(dialect.anyOf('user.id', userIds)),
);

export async function insertMissed(tx: WriteTx, rows: readonly MissedRow[]): Promise<void> {
  for (const chunk of inChunks(rows, 500))
    await tx.db
      .insertInto('missed_message')
      .values([...chunk])
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}

/** The organization's mail that is due next. */
export async function firstDue(
  tx: RealmReadTx,
): Promise<{ readonly user_id: UserId; readonly due_at: number } | undefined> {
  return tx.db
    .selectFrom('missed_message')
    .select(['user_id', 'due_at'])
    .where('realm_id', '=', tx.realmId)
    .orderBy('due_at')
    .orderBy('user_id')
    .limit(1)
    .executeTakeFirst();
}

/** Lists the messages gathered for a user, oldest first. */
export function listMissed(tx: RealmReadTx, userId: UserId, limit: number): Promise<readonly MissedRow[]> {
  return tx.db
    .selectFrom('missed_message')
    .selectAll()
    .where('realm_id', '=', tx.realmId)
    .where('user_id', '=', userId)
    .orderBy('message_id')
    .limit(limit)
    .execute();
}

/** Deletes gathered messages of a user; all of them if none are named. */
export async function deleteMissed(tx: RealmWriteTx, userId: UserId, messageIds?: readonly MessageId[]): Promise<void> {
  const all = tx.db.deleteFrom('missed_message').where('realm_id', '=', tx.realmId).where('user_id', '=', userId);
  await (messageIds ? all.where(tx.dialect.anyOf('message_id', messageIds)) : all).execute();
}
