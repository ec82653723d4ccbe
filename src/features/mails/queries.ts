import type { UserId } from '#kernel/ids';
import type { RealmReadTx, RealmWriteTx, WriteTx } from '#kernel/store';
import type { MailFailureRow, ReplyRow } from './tables.ts';

const failures = (tx: RealmReadTx) => tx.db.selectFrom('mail_failure').selectAll().where('realm_id', '=', tx.realmId);

/** Most failing addresses of a list. */
const MAX_LISTED = 1_000;

/** Stores a reply address; for a known one it updates the message and the expiry. */
export async function putReply(tx: WriteTx, row: ReplyRow): Promise<void> {
  const { message_id, expires_at } = row;
  await tx.db
    .insertInto('reply_address')
    .values(row)
    .onConflict((conflict) => conflict.columns(['realm_id', 'token_hash']).doUpdateSet({ message_id, expires_at }))
    .execute();
}

export function findReply(tx: RealmReadTx, token_hash: string): Promise<ReplyRow | undefined> {
  return tx.db
    .selectFrom('reply_address')
    .selectAll()
    .where('realm_id', '=', tx.realmId)
    .where('token_hash', '=', token_hash)
    .executeTakeFirst();
}

export async function deleteRepliesOf(tx: RealmWriteTx, userId: UserId): Promise<void> {
  await tx.db.deleteFrom('reply_address').where('realm_id', '=', tx.realmId).where('user_id', '=', userId).execute();
}

export async function deleteRepliesBefore(tx: RealmWriteTx, seconds: number): Promise<void> {
  await tx.db
    .deleteFrom('reply_address')
    .where('realm_id', '=', tx.realmId)
    .where('expires_at', '<', seconds)
    .execute();
}

export function findFailure(tx: RealmReadTx, userId: UserId): Promise<MailFailureRow | undefined> {
  return failures(tx).where('user_id', '=', userId).executeTakeFirst();
}

/** Lists failing addresses, most recent failure first. */
export function listFailures(tx: RealmReadTx): Promise<readonly MailFailureRow[]> {
  return failures(tx).orderBy('last_at', 'desc').orderBy('user_id').limit(MAX_LISTED).execute();
}

export async function upsertFailure(tx: WriteTx, row: MailFailureRow): Promise<void> {
  const { email, failures, first_at, last_at, reason } = row;
  await tx.db
    .insertInto('mail_failure')
    .values(row)
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ email, failures, first_at, last_at, reason }))
    .execute();
}

/** Deletes the failures of an account; returns whether there were any. */
export async function deleteFailure(tx: RealmWriteTx, userId: UserId): Promise<boolean> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('mail_failure')
    .where('realm_id', '=', tx.realmId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
