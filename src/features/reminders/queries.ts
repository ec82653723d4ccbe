import type { UserId } from '#kernel/ids';
import { compiled, type RealmReadTx, type RealmWriteTx, type WriteTx } from '#kernel/store';
import type { ReminderId, ReminderRow } from './tables.ts';

/** A user's reminders that were not delivered, failed ones included, the next first. */
export const listReminders = compiled(({ db, realmId }, userId: UserId) =>
  db
    .selectFrom('reminder')
    .selectAll()
    .where('realm_id', '=', realmId)
    .where('user_id', '=', userId)
    .where('delivered_at', 'is', null)
    .orderBy('deliver_at')
    .orderBy('id'),
);

/** A reminder that is still to be delivered. */
export function findPending(tx: RealmReadTx, id: ReminderId): Promise<ReminderRow | undefined> {
  return tx.db
    .selectFrom('reminder')
    .selectAll()
    .where('realm_id', '=', tx.realmId)
    .where('id', '=', id)
    .where('delivered_at', 'is', null)
    .where('failed', '=', false)
    .executeTakeFirst();
}

export function insertReminder(
  tx: WriteTx,
  row: Omit<ReminderRow, 'id' | 'failed' | 'delivered_at'>,
): Promise<ReminderRow> {
  return tx.db
    .insertInto('reminder')
    .values({ ...row, failed: false, delivered_at: null })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Marks a reminder as delivered or failed; false when it was already, or is gone. */
export async function settleReminder(
  tx: WriteTx,
  { id, realm_id }: Pick<ReminderRow, 'id' | 'realm_id'>,
  outcome: Partial<Pick<ReminderRow, 'failed' | 'delivered_at'>>,
): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('reminder')
    .set(outcome)
    .where('realm_id', '=', realm_id)
    .where('id', '=', id)
    .where('delivered_at', 'is', null)
    .where('failed', '=', false)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Deletes a user's own reminder that was not delivered; false when there is none of this ID. */
export async function deleteReminder(tx: RealmWriteTx, userId: UserId, id: ReminderId): Promise<boolean> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('reminder')
    .where('realm_id', '=', tx.realmId)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('delivered_at', 'is', null)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
