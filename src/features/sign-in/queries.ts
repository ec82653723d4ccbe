import { record } from '#kernel/audit';
import type { RealmId, UserId } from '#kernel/ids';
import { Role } from '#kernel/permissions';
import type { ReadTx, WriteTx } from '#kernel/store';
import type { ExternalIdentityRow, OneTimeLinkRow } from './tables.ts';

export async function findPasswordHash(tx: ReadTx, realmId: RealmId, userId: UserId): Promise<string | undefined> {
  const row = await tx.db
    .selectFrom('user_password')
    .select('password_hash')
    .where('realm_id', '=', realmId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row?.password_hash;
}

export async function setPasswordHash(tx: WriteTx, realmId: RealmId, userId: UserId, hash: string): Promise<void> {
  const row = { realm_id: realmId, user_id: userId, password_hash: hash, changed_at: tx.now };
  await tx.db
    .insertInto('user_password')
    .values(row)
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ password_hash: hash, changed_at: tx.now }))
    .execute();
  record(tx, realmId, { action: 'user.password', target: { kind: 'user', id: userId } });
}

export async function insertOneTimeLink(tx: WriteTx, row: OneTimeLinkRow): Promise<void> {
  await tx.db.deleteFrom('one_time_link').where('expires_at', '<=', tx.now).execute();
  await tx.db.insertInto('one_time_link').values(row).execute();
  const { realm_id, user_id, purpose, address, expires_at } = row;
  if (user_id === null) return;
  const target = { kind: 'user', id: user_id };
  record(tx, realm_id, { action: 'user.link', target, after: { purpose, address, expires_at } });
}

export function findOneTimeLink(
  tx: ReadTx,
  purpose: OneTimeLinkRow['purpose'],
  realmId: RealmId,
  hash: string,
): Promise<OneTimeLinkRow | undefined> {
  return tx.db
    .selectFrom('one_time_link')
    .selectAll()
    .where('realm_id', '=', realmId)
    .where('purpose', '=', purpose)
    .where('token_hash', '=', hash)
    .where('expires_at', '>', tx.now)
    .executeTakeFirst();
}

/** Ends somebody's links of some purposes. */
export async function deleteOneTimeLinks(
  tx: WriteTx,
  purposes: readonly OneTimeLinkRow['purpose'][],
  realmId: RealmId,
  userId: UserId,
): Promise<void> {
  await tx.db
    .deleteFrom('one_time_link')
    .where('realm_id', '=', realmId)
    .where('purpose', 'in', purposes)
    .where('user_id', '=', userId)
    .execute();
}

export function deleteOneTimeLink(
  tx: WriteTx,
  purpose: OneTimeLinkRow['purpose'],
  realmId: RealmId,
  hash: string,
): Promise<OneTimeLinkRow | undefined> {
  return tx.db
    .deleteFrom('one_time_link')
    .where('realm_id', '=', realmId)
    .where('purpose', '=', purpose)
    .where('token_hash', '=', hash)
    .where('expires_at', '>', tx.now)
    .returningAll()
    .executeTakeFirst();
}

/** Remembers that something was used; false when it was used before. */
export async function insertSpent(
  tx: WriteTx,
  realmId: RealmId,
  token_hash: string,
  expires_at: number,
): Promise<boolean> {
  await tx.db.deleteFrom('spent_token').where('expires_at', '<=', tx.now).execute();
  const row = await tx.db
    .insertInto('spent_token')
    .values({ realm_id: realmId, token_hash, expires_at })
    .onConflict((conflict) => conflict.column('token_hash').doNothing())
    .returning('token_hash')
    .executeTakeFirst();
  return row !== undefined;
}

/** Links somebody of a provider to an account; whoever was linked stays. */
export async function insertIdentity(
  tx: WriteTx,
  row: Omit<ExternalIdentityRow, 'id' | 'linked_at' | 'last_used_at' | 'picture_url'>,
) {
  const made = await tx.db
    .insertInto('external_identity')
    .values({ ...row, linked_at: tx.now, last_used_at: tx.now, picture_url: null })
    .onConflict((conflict) => conflict.columns(['realm_id', 'issuer', 'subject']).doNothing())
    .returning('id')
    .executeTakeFirst();
  const { realm_id, user_id, provider, issuer, subject } = row;
  const target = { kind: 'user', id: user_id };
  if (made) record(tx, realm_id, { action: 'user.connected', target, after: { provider, issuer, subject } });
}

export async function touchIdentity(tx: WriteTx, realmId: RealmId, id: number): Promise<void> {
  await tx.db
    .updateTable('external_identity')
    .set({ last_used_at: tx.now })
    .where('realm_id', '=', realmId)
    .where('id', '=', id)
    .execute();
}

/** Remembers which picture a provider named. */
export async function setIdentityPicture(
  tx: WriteTx,
  realmId: RealmId,
  id: number,
  picture_url: string,
): Promise<void> {
  await tx.db
    .updateTable('external_identity')
    .set({ picture_url })
    .where('realm_id', '=', realmId)
    .where('id', '=', id)
    .execute();
}

/** Ends a link of an account; undefined when it has none of this ID. */
export async function deleteIdentity(
  tx: WriteTx,
  realmId: RealmId,
  userId: UserId,
  id: number,
): Promise<ExternalIdentityRow | undefined> {
  const ended = await tx.db
    .deleteFrom('external_identity')
    .where('realm_id', '=', realmId)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  const target = { kind: 'user', id: userId };
  if (ended)
    record(tx, realmId, {
      action: 'user.disconnected',
      target,
      before: { provider: ended.provider, issuer: ended.issuer, subject: ended.subject },
    });
  return ended;
}

/** Whether an active owner is linked to one of these providers. */
export async function hasLinkedOwner(tx: ReadTx, realmId: RealmId, providers: readonly string[]): Promise<boolean> {
  if (providers.length === 0) return false;
  const row = await tx.db
    .selectFrom('external_identity')
    .innerJoin('user', 'user.id', 'external_identity.user_id')
    .select('user.id')
    .where('external_identity.realm_id', '=', realmId)
    .where('external_identity.provider', 'in', providers)
    .where('user.is_active', '=', true)
    .where('user.role', '=', Role.owner)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The account that somebody of a provider is linked to. */
export function findIdentity(
  tx: ReadTx,
  realmId: RealmId,
  { issuer, subject }: { readonly issuer: string; readonly subject: string },
): Promise<ExternalIdentityRow | undefined> {
  return tx.db
    .selectFrom('external_identity')
    .selectAll()
    .where('realm_id', '=', realmId)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
}

/** What an account is linked to, oldest first. */
export function listIdentities(tx: ReadTx, realmId: RealmId, userId: UserId): Promise<readonly ExternalIdentityRow[]> {
  return tx.db
    .selectFrom('external_identity')
    .selectAll()
    .where('realm_id', '=', realmId)
    .where('user_id', '=', userId)
    .orderBy('id')
    .limit(100)
    .execute();
}

/** Whom one issuer vouches for in an organization, oldest first. */
export function listIdentitiesOf(
  tx: ReadTx,
  realmId: RealmId,
  issuer: string,
): Promise<readonly Pick<ExternalIdentityRow, 'subject' | 'user_id'>[]> {
  return tx.db
    .selectFrom('external_identity')
    .select(['subject', 'user_id'])
    .where('realm_id', '=', realmId)
    .where('issuer', '=', issuer)
    .orderBy('id')
    .execute();
}
