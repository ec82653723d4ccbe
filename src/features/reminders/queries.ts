import type { ActorWriteTx } from '#kernel/auth';
import type { UserId } from '#kernel/ids';
import { compiled, type RealmReadTx, type WriteTx } from '#kernel/store';
import type { ReminderId, ReminderRow } from './tables.ts';

/** A user's reminders that were not delivered, including failed ones, the next one first. */
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

/** Finds a reminder that is still to be delivered. */
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

/** Marks a reminder as delivered or failed; returns false if it was already marked, or was deleted. */
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

/** Deletes a reminder of the actor that was not delivered; returns false if there is none with this ID. */
export async function deleteReminder(tx: ActorWriteTx, id: ReminderId): Promise<boolean> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('reminder')
    .where('realm_id', '=', tx.realmId)
    .where('user_id', '=', tx.actor.userId)
    .where('id', '=', id)
    .where('delivered_at', 'is', null)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
