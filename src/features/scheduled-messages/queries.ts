import type { ActorWriteTx } from '#kernel/auth';
import type { MessageId, UserId } from '#kernel/ids';
import { compiled, type RealmReadTx, type RealmWriteTx, type WriteTx } from '#kernel/store';
import type { ScheduledId, ScheduledRow } from './tables.ts';

/** A user's messages that were not sent, including failed ones, the next one first. */
export const listScheduled = compiled(({ db, realmId }, userId: UserId) =>
  db
    .selectFrom('scheduled_message')
    .selectAll()
    .where('realm_id', '=', realmId)
    .where('user_id', '=', userId)
    .where('delivered_at', 'is', null)
    .orderBy('deliver_at')
    .orderBy('id'),
);

/** Finds a scheduled message, sent or not; the caller checks whose it is. */
export function findScheduled(tx: RealmReadTx, id: ScheduledId): Promise<ScheduledRow | undefined> {
  return tx.db
    .selectFrom('scheduled_message')
    .selectAll()
    .where('realm_id', '=', tx.realmId)
    .where('id', '=', id)
    .executeTakeFirst();
}

type NewScheduled = Omit<
  ScheduledRow,
  'id' | 'failed' | 'failure' | 'version' | 'delivered_at' | 'message_id' | 'recipient_ids'
> & { readonly recipient_ids: string };

export function insertScheduled(tx: WriteTx, row: NewScheduled): Promise<ScheduledRow> {
  return tx.db
    .insertInto('scheduled_message')
    .values({ ...row, failed: false, failure: null, version: 0, delivered_at: null, message_id: null })
    .returningAll()
    .executeTakeFirstOrThrow();
}

type Changes = Partial<Omit<ScheduledRow, 'id' | 'realm_id' | 'user_id' | 'version' | 'recipient_ids'>> & {
  /** As JSON. */
  readonly recipient_ids?: string;
};

/**
 * Changes a message that is still to be sent; returns undefined if somebody changed, sent or deleted it since it was
 * read.
 */
export function setScheduled(
  tx: WriteTx,
  seen: Pick<ScheduledRow, 'id' | 'realm_id' | 'version'>,
  changes: Changes,
): Promise<ScheduledRow | undefined> {
  return tx.db
    .updateTable('scheduled_message')
    .set({ ...changes, version: seen.version + 1 })
    .where('realm_id', '=', seen.realm_id)
    .where('id', '=', seen.id)
    .where('version', '=', seen.version)
    .where('delivered_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
}

/** Records the message that it became. */
export async function setMessage(tx: RealmWriteTx, id: ScheduledId, messageId: MessageId): Promise<void> {
  await tx.db
    .updateTable('scheduled_message')
    .set({ message_id: messageId })
    .where('realm_id', '=', tx.realmId)
    .where('id', '=', id)
    .execute();
}

/** Deletes a message of the actor that was not sent; returns false if there is none with this ID. */
export async function deleteScheduled(tx: ActorWriteTx, id: ScheduledId): Promise<boolean> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('scheduled_message')
    .where('realm_id', '=', tx.realmId)
    .where('user_id', '=', tx.actor.userId)
    .where('id', '=', id)
    .where('delivered_at', 'is', null)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
