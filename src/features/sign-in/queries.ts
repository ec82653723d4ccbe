import { record } from '#kernel/audit';
import type { UserId } from '#kernel/ids';
import { Role } from '#kernel/permissions';
import type { RealmReadTx, RealmWriteTx } from '#kernel/store';
import type { ExternalIdentityRow, OneTimeLinkRow } from './tables.ts';

const identities = (tx: RealmReadTx) =>
  tx.db.selectFrom('external_identity').selectAll().where('realm_id', '=', tx.realmId);

export async function findPasswordHash(tx: RealmReadTx, userId: UserId): Promise<string | undefined> {
  const row = await tx.db
    .selectFrom('user_password')
    .select('password_hash')
    .where('realm_id', '=', tx.realmId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row?.password_hash;
}

export async function setPasswordHash(tx: RealmWriteTx, userId: UserId, hash: string): Promise<void> {
  const row = { realm_id: tx.realmId, user_id: userId, password_hash: hash, changed_at: tx.now };
  await tx.db
    .insertInto('user_password')
    .values(row)
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ password_hash: hash, changed_at: tx.now }))
    .execute();
  record(tx, { action: 'user.password', target: { kind: 'user', id: userId } });
}

export async function insertOneTimeLink(tx: RealmWriteTx, row: OneTimeLinkRow): Promise<void> {
  await tx.db.deleteFrom('one_time_link').where('expires_at', '<=', tx.now).execute();
  await tx.db.insertInto('one_time_link').values(row).execute();
  const { user_id, purpose, address, expires_at } = row;
  if (user_id === null) return;
  const target = { kind: 'user', id: user_id };
  record(tx, { action: 'user.link', target, after: { purpose, address, expires_at } });
}

export function findOneTimeLink(
  tx: RealmReadTx,
  purpose: OneTimeLinkRow['purpose'],
  hash: string,
): Promise<OneTimeLinkRow | undefined> {
  return tx.db
    .selectFrom('one_time_link')
    .selectAll()
    .where('realm_id', '=', tx.realmId)
    .where('purpose', '=', purpose)
    .where('token_hash', '=', hash)
    .where('expires_at', '>', tx.now)
    .executeTakeFirst();
}

/** Deletes somebody's links of some purposes. */
export async function deleteOneTimeLinks(
  tx: RealmWriteTx,
  purposes: readonly OneTimeLinkRow['purpose'][],
  userId: UserId,
): Promise<void> {
  await tx.db
    .deleteFrom('one_time_link')
    .where('realm_id', '=', tx.realmId)
    .where('purpose', 'in', purposes)
    .where('user_id', '=', userId)
    .execute();
}

/** Expiry of the last of somebody's links back to an address. */
export async function lastWayBackOf(tx: RealmReadTx, userId: UserId): Promise<number | undefined> {
  const row = await tx.db
    .selectFrom('one_time_link')
    .select('expires_at')
    .where('realm_id', '=', tx.realmId)
    .where('purpose', '=', 'email-stop')
    .where('user_id', '=', userId)
    .orderBy('expires_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.expires_at;
}

/** Deletes somebody's links back to an address that expire later than a time. */
export async function deleteWaysBackAfter(tx: RealmWriteTx, userId: UserId, expires_at: number): Promise<void> {
  await tx.db
    .deleteFrom('one_time_link')
    .where('realm_id', '=', tx.realmId)
    .where('purpose', '=', 'email-stop')
    .where('user_id', '=', userId)
    .where('expires_at', '>', expires_at)
    .execute();
}

export function deleteOneTimeLink(
  tx: RealmWriteTx,
  purpose: OneTimeLinkRow['purpose'],
  hash: string,
): Promise<OneTimeLinkRow | undefined> {
  return tx.db
    .deleteFrom('one_time_link')
    .where('realm_id', '=', tx.realmId)
    .where('purpose', '=', purpose)
    .where('token_hash', '=', hash)
    .where('expires_at', '>', tx.now)
    .returningAll()
    .executeTakeFirst();
}

/** Records that a token was used; returns false if it was used before. */
export async function insertSpent(tx: RealmWriteTx, token_hash: string, expires_at: number): Promise<boolean> {
  await tx.db.deleteFrom('spent_token').where('expires_at', '<=', tx.now).execute();
  const row = await tx.db
    .insertInto('spent_token')
    .values({ realm_id: tx.realmId, token_hash, expires_at })
    .onConflict((conflict) => conflict.column('token_hash').doNothing())
    .returning('token_hash')
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether a token was recorded as used, and still counts as such. */
export async function findSpent(tx: RealmReadTx, token_hash: string): Promise<boolean> {
  const row = await tx.db
    .selectFrom('spent_token')
    .select('token_hash')
    .where('token_hash', '=', token_hash)
    .where('realm_id', '=', tx.realmId)
    .where('expires_at', '>', tx.now)
    .executeTakeFirst();
  return row !== undefined;
}

/** Links an identity of a provider to an account; an existing link stays. */
export async function insertIdentity(
  tx: RealmWriteTx,
  row: Omit<ExternalIdentityRow, 'id' | 'linked_at' | 'last_used_at' | 'picture_url'>,
) {
  const made = await tx.db
    .insertInto('external_identity')
    .values({ ...row, linked_at: tx.now, last_used_at: tx.now, picture_url: null })
    .onConflict((conflict) => conflict.columns(['realm_id', 'issuer', 'subject']).doNothing())
    .returning('id')
    .executeTakeFirst();
  const { user_id, provider, issuer, subject } = row;
  const target = { kind: 'user', id: user_id };
  if (made) record(tx, { action: 'user.connected', target, after: { provider, issuer, subject } });
}

export async function touchIdentity(tx: RealmWriteTx, id: number): Promise<void> {
  await tx.db
    .updateTable('external_identity')
    .set({ last_used_at: tx.now })
    .where('realm_id', '=', tx.realmId)
    .where('id', '=', id)
    .execute();
}

/** Records the picture that a provider named. */
export async function setIdentityPicture(tx: RealmWriteTx, id: number, picture_url: string): Promise<void> {
  await tx.db
    .updateTable('external_identity')
    .set({ picture_url })
    .where('realm_id', '=', tx.realmId)
    .where('id', '=', id)
    .execute();
}

/** Deletes a link of an account; returns undefined if it has none with this ID. */
export async function deleteIdentity(
  tx: RealmWriteTx,
  userId: UserId,
  id: number,
): Promise<ExternalIdentityRow | undefined> {
  const ended = await tx.db
    .deleteFrom('external_identity')
    .where('realm_id', '=', tx.realmId)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  const target = { kind: 'user', id: userId };
  if (ended)
    record(tx, {
      action: 'user.disconnected',
      target,
      before: { provider: ended.provider, issuer: ended.issuer, subject: ended.subject },
    });
  return ended;
}

/** Whether an active owner is linked to one of these providers. */
export async function hasLinkedOwner(tx: RealmReadTx, providers: readonly string[]): Promise<boolean> {
  if (providers.length === 0) return false;
  const row = await tx.db
    .selectFrom('external_identity')
    .innerJoin('user', 'user.id', 'external_identity.user_id')
    .select('user.id')
    .where('external_identity.realm_id', '=', tx.realmId)
    .where('external_identity.provider', 'in', providers)
    .where('user.is_active', '=', true)
    .where('user.role', '=', Role.owner)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Finds the account that an identity of a provider is linked to. */
export function findIdentity(
  tx: RealmReadTx,
  { issuer, subject }: { readonly issuer: string; readonly subject: string },
): Promise<ExternalIdentityRow | undefined> {
  return identities(tx).where('issuer', '=', issuer).where('subject', '=', subject).executeTakeFirst();
}

/** Lists the identities that an account is linked to, oldest first. */
export function listIdentities(tx: RealmReadTx, userId: UserId): Promise<readonly ExternalIdentityRow[]> {
  return identities(tx).where('user_id', '=', userId).orderBy('id').limit(100).execute();
}

/** The identities of one issuer in an organization, oldest first. */
export function listIdentitiesOf(
  tx: RealmReadTx,
  issuer: string,
): Promise<readonly Pick<ExternalIdentityRow, 'subject' | 'user_id'>[]> {
  return tx.db
    .selectFrom('external_identity')
    .select(['subject', 'user_id'])
    .where('realm_id', '=', tx.realmId)
    .where('issuer', '=', issuer)
    .orderBy('id')
    .execute();
}
