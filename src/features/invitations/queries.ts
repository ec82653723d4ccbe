import { record } from '#kernel/audit';
import type { UserId } from '#kernel/ids';
import { type RealmReadTx, type RealmWriteTx, sql } from '#kernel/store';
import type { InvitationRow } from './tables.ts';

export type NewInvitation = Omit<InvitationRow, 'id' | 'realm_id' | 'invitation_state' | 'created_at'>;

/** Stores invitations, and records in the audit log that they were made. */
export async function insertInvitations(tx: RealmWriteTx, invitations: readonly NewInvitation[]): Promise<void> {
  if (invitations.length === 0) return;
  const rows = invitations.map((row) => ({
    ...row,
    realm_id: tx.realmId,
    invitation_state: 'pending' as const,
    channel_ids: JSON.stringify(row.channel_ids),
    group_ids: JSON.stringify(row.group_ids),
    created_at: tx.now,
  }));
  await tx.db.insertInto('invitation').values(rows).execute();
  for (const { invitation_kind, email, invited_as, expires_at } of invitations)
    record(tx, {
      action: 'invitation.made',
      target: { kind: 'invitation', name: email ?? invitation_kind },
      after: { kind: invitation_kind, invited_as, expires_at },
    });
}

/** Most invitations that are listed, the newest ones. */
const MAX_LISTED = 2000;

/**
 * Replaces invalid lists of IDs in a row by empty ones, so that one damaged row does not fail the whole list
 * (security#holes, row 39).
 */
function readable<R extends InvitationRow | undefined>(row: R): R {
  return row && { ...row, channel_ids: idsIn(row.channel_ids), group_ids: idsIn(row.group_ids) };
}

function idsIn<T extends number>(stored: readonly T[]): readonly T[] {
  const isList: boolean = Array.isArray(stored);
  return isList ? stored.filter((id) => Number.isSafeInteger(id)) : [];
}

/**
 * Returns pending invitations that have not expired, oldest first: those of one inviter, or of the whole organization.
 */
export async function listInvitations(
  tx: RealmReadTx,
  inviterId: UserId | undefined,
): Promise<readonly InvitationRow[]> {
  let query = alive(tx).where('invitation_kind', '!=', 'confirmation');
  if (inviterId !== undefined) query = query.where('inviter_id', '=', inviterId);
  return (await query.orderBy('id', 'desc').limit(MAX_LISTED).execute()).map(readable).toReversed();
}

/** Finds an invitation or link by its ID, in any state. */
export async function findInvitation(
  tx: RealmReadTx,
  kind: InvitationRow['invitation_kind'],
  id: number,
): Promise<InvitationRow | undefined> {
  return readable(await every(tx).where('invitation_kind', '=', kind).where('id', '=', id).executeTakeFirst());
}

export async function findInvitationByKey(tx: RealmReadTx, hash: string): Promise<InvitationRow | undefined> {
  return readable(await every(tx).where('key_hash', '=', hash).executeTakeFirst());
}

/** Finds an invitation by its ID if it is pending and has not expired. */
export async function findAlive(tx: RealmReadTx, id: number): Promise<InvitationRow | undefined> {
  return readable(await alive(tx).where('id', '=', id).executeTakeFirst());
}

/** Finds the newest pending invitation that was mailed to an address. */
export async function findMailedTo(tx: RealmReadTx, emailKey: string): Promise<InvitationRow | undefined> {
  const newest = alive(tx).where('invitation_kind', '=', 'email').where('email_key', '=', emailKey);
  return readable(await newest.orderBy('id', 'desc').limit(1).executeTakeFirst());
}

/** Marks an invitation as used, in one statement, so that of concurrent requests exactly one gets the row. */
export async function takeInvitation(tx: RealmWriteTx, hash: string): Promise<InvitationRow | undefined> {
  return readable(
    await tx.db
      .updateTable('invitation')
      .set({ invitation_state: 'used' })
      .where('realm_id', '=', tx.realmId)
      .where('key_hash', '=', hash)
      .where('invitation_kind', '!=', 'link')
      .where('invitation_state', '=', 'pending')
      .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', tx.now)]))
      .returningAll()
      .executeTakeFirst(),
  );
}

/** Revokes one pending invitation; false if there is none. */
export async function revokeInvitation(tx: RealmWriteTx, id: number): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('invitation')
    .set({ invitation_state: 'revoked' })
    .where('realm_id', '=', tx.realmId)
    .where('id', '=', id)
    .where('invitation_state', '=', 'pending')
    .executeTakeFirst();
  if (numUpdatedRows > 0n) record(tx, { action: 'invitation.revoked', target: { kind: 'invitation', id } });
  return numUpdatedRows > 0n;
}

/** Revokes a user's pending invitations: all, or those for a higher role than `role`. False if there were none. */
export async function revokeInvitationsBy(tx: RealmWriteTx, inviterId: UserId, role?: number): Promise<boolean> {
  let update = tx.db
    .updateTable('invitation')
    .set({ invitation_state: 'revoked' })
    .where('realm_id', '=', tx.realmId)
    .where('inviter_id', '=', inviterId)
    .where('invitation_state', '=', 'pending')
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', tx.now)]));
  // Higher roles have lower numbers.
  if (role !== undefined) update = update.where('invited_as', '<', role);
  const { numUpdatedRows } = await update.executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  const target = { kind: 'user', id: inviterId };
  record(tx, { action: 'invitation.revoked', target, after: { revoked: Number(numUpdatedRows) } });
  return true;
}

/** Revokes all pending invitations for an address whose owner has joined. */
export async function revokeInvitationsOf(tx: RealmWriteTx, emailKey: string): Promise<void> {
  await tx.db
    .updateTable('invitation')
    .set({ invitation_state: 'revoked' })
    .where('realm_id', '=', tx.realmId)
    .where('email_key', '=', emailKey)
    .where('invitation_state', '=', 'pending')
    .execute();
}

const every = (tx: RealmReadTx) => tx.db.selectFrom('invitation').selectAll().where('realm_id', '=', tx.realmId);

function alive(tx: RealmReadTx) {
  return every(tx)
    .where('invitation_state', '=', 'pending')
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', tx.now)]));
}

/** Adds to an organization's count of mails on a day; returns the new count. */
export async function addToDay(tx: RealmWriteTx, day: number, mails: number): Promise<number> {
  const { mail_count } = await tx.db
    .insertInto('invitation_day')
    .values({ realm_id: tx.realmId, invitation_day: day, mail_count: mails })
    .onConflict((conflict) =>
      conflict
        .columns(['invitation_day', 'realm_id'])
        .doUpdateSet({ mail_count: sql<number>`invitation_day.mail_count + ${mails}` }),
    )
    .returning('mail_count')
    .executeTakeFirstOrThrow();
  return mail_count;
}

/** Sums up the day's mails of all organizations created since a time; undefined if this one is not among them. */
export async function countOfYoung(tx: RealmReadTx, day: number, since: number): Promise<number | undefined> {
  const rows = await tx.db
    .selectFrom('invitation_day')
    .innerJoin('realm', 'realm.id', 'invitation_day.realm_id')
    .select(['invitation_day.realm_id', 'mail_count'])
    .where('invitation_day', '=', day)
    .where('realm.date_created', '>', since)
    .execute();
  if (!rows.some((row) => row.realm_id === tx.realmId)) return undefined;
  return rows.reduce((sum, row) => sum + row.mail_count, 0);
}
