import { record } from '#kernel/audit';
import type { UserId } from '#kernel/ids';
import { type RealmReadTx, type RealmWriteTx, sql } from '#kernel/store';
import type { InvitationRow } from './tables.ts';

export type NewInvitation = Omit<InvitationRow, 'id' | 'realm_id' | 'invitation_state' | 'created_at'>;

/** Stores invitations and returns them in the order given. */
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

/** Most invitations that a list shows: the newest. */
const MAX_LISTED = 2000;

/**
 * A row whose lists are lists of IDs, whatever is stored: one that is broken brings nothing, and hides no other
 * (security#holes, row 39).
 */
function readable<R extends InvitationRow | undefined>(row: R): R {
  return row && { ...row, channel_ids: idsIn(row.channel_ids), group_ids: idsIn(row.group_ids) };
}

function idsIn<T extends number>(stored: readonly T[]): readonly T[] {
  const isList: boolean = Array.isArray(stored);
  return isList ? stored.filter((id) => Number.isSafeInteger(id)) : [];
}

/** Pending invitations that have not expired, newest last; of one inviter, or of the whole organization. */
export async function listInvitations(
  tx: RealmReadTx,
  inviterId: UserId | undefined,
): Promise<readonly InvitationRow[]> {
  let query = alive(tx).where('invitation_kind', '!=', 'confirmation');
  if (inviterId !== undefined) query = query.where('inviter_id', '=', inviterId);
  return (await query.orderBy('id', 'desc').limit(MAX_LISTED).execute()).map(readable).toReversed();
}

/** An invitation of a kind, whatever has become of it. */
export async function findInvitation(
  tx: RealmReadTx,
  kind: InvitationRow['invitation_kind'],
  id: number,
): Promise<InvitationRow | undefined> {
  return readable(
    await tx.db
      .selectFrom('invitation')
      .selectAll()
      .where('realm_id', '=', tx.realmId)
      .where('invitation_kind', '=', kind)
      .where('id', '=', id)
      .executeTakeFirst(),
  );
}

export async function findInvitationByKey(tx: RealmReadTx, hash: string): Promise<InvitationRow | undefined> {
  return readable(
    await tx.db
      .selectFrom('invitation')
      .selectAll()
      .where('realm_id', '=', tx.realmId)
      .where('key_hash', '=', hash)
      .executeTakeFirst(),
  );
}

/** A living invitation by its ID. */
export async function findAlive(tx: RealmReadTx, id: number): Promise<InvitationRow | undefined> {
  return readable(await alive(tx).where('id', '=', id).executeTakeFirst());
}

/** The newest living invitation that was mailed to an address. */
export async function findMailedTo(tx: RealmReadTx, emailKey: string): Promise<InvitationRow | undefined> {
  const newest = alive(tx).where('invitation_kind', '=', 'email').where('email_key', '=', emailKey);
  return readable(await newest.orderBy('id', 'desc').limit(1).executeTakeFirst());
}

/** Uses an invitation up, in one statement: of any number at once exactly one gets the row. */
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

/** Revokes one pending invitation; false when there is none. */
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

/**
 * Revokes what somebody offered and that is still good: everything, or what brings a higher role than `role`. False when
 * there was nothing.
 */
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

/** Revokes everything pending for an address whose owner has joined. */
export async function revokeInvitationsOf(tx: RealmWriteTx, emailKey: string): Promise<void> {
  await tx.db
    .updateTable('invitation')
    .set({ invitation_state: 'revoked' })
    .where('realm_id', '=', tx.realmId)
    .where('email_key', '=', emailKey)
    .where('invitation_state', '=', 'pending')
    .execute();
}

function alive(tx: RealmReadTx) {
  return tx.db
    .selectFrom('invitation')
    .selectAll()
    .where('realm_id', '=', tx.realmId)
    .where('invitation_state', '=', 'pending')
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', tx.now)]));
}

/** Adds to an organization's mails of a day; how many they are now. */
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

/** The day's mails of all organizations made since a time; undefined unless this one is among them. */
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
