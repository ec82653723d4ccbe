import type { RealmReadTx, RealmWriteTx } from '#kernel/store';
import type { ScimResourceRow, ScimTokenRow } from './tables.ts';

const scimTokens = (tx: RealmReadTx) => tx.db.selectFrom('scim_token').selectAll().where('realm_id', '=', tx.realmId);

/** Most tokens that are listed. */
const MAX_TOKENS = 1_000;

export async function insertToken(
  tx: RealmWriteTx,
  row: Pick<ScimTokenRow, 'name' | 'token_hash' | 'owner_id'>,
): Promise<number> {
  const { id } = await tx.db
    .insertInto('scim_token')
    .values({ ...row, realm_id: tx.realmId, created_at: tx.now, last_used_at: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export function findToken(tx: RealmReadTx, token_hash: string): Promise<ScimTokenRow | undefined> {
  return scimTokens(tx).where('token_hash', '=', token_hash).executeTakeFirst();
}

/** The tokens of an organization, oldest first. */
export function listTokens(tx: RealmReadTx): Promise<readonly ScimTokenRow[]> {
  return scimTokens(tx).orderBy('id').limit(MAX_TOKENS).execute();
}

/** Deletes a token; returns false if there is none with this ID. */
export async function deleteToken(tx: RealmWriteTx, id: number): Promise<boolean> {
  const row = await tx.db
    .deleteFrom('scim_token')
    .where('realm_id', '=', tx.realmId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function setTokenUsed(tx: RealmWriteTx, id: number): Promise<void> {
  await tx.db
    .updateTable('scim_token')
    .set({ last_used_at: tx.now })
    .where('realm_id', '=', tx.realmId)
    .where('id', '=', id)
    .execute();
}

type Kind = ScimResourceRow['kind'];

/** The stored facts of directories about resources of a kind. */
export async function listResources(
  tx: RealmReadTx,
  kind: Kind,
  ids: readonly number[],
): Promise<ReadonlyMap<number, ScimResourceRow>> {
  const rows = await tx.db
    .selectFrom('scim_resource')
    .selectAll()
    .where('realm_id', '=', tx.realmId)
    .where('kind', '=', kind)
    .where(tx.dialect.anyOf('resource_id', ids))
    .execute();
  return new Map(rows.map((row) => [row.resource_id, row]));
}

/** IDs of the resources with a directory's external ID. */
export async function findByExternalId(tx: RealmReadTx, kind: Kind, externalId: string): Promise<readonly number[]> {
  const rows = await tx.db
    .selectFrom('scim_resource')
    .select('resource_id')
    .where('realm_id', '=', tx.realmId)
    .where('kind', '=', kind)
    .where('external_id', '=', externalId)
    .orderBy('resource_id')
    .limit(200)
    .execute();
  return rows.map((row) => row.resource_id);
}

/** Stores a directory's facts about a resource; members that are not given stay. */
export async function setResource(
  tx: RealmWriteTx,
  kind: Kind,
  resource_id: number,
  values: Partial<Pick<ScimResourceRow, 'external_id' | 'is_deleted'>>,
): Promise<void> {
  await tx.db
    .insertInto('scim_resource')
    .values({ realm_id: tx.realmId, kind, resource_id, external_id: null, is_deleted: false, ...values })
    .onConflict((conflict) => conflict.columns(['realm_id', 'kind', 'resource_id']).doUpdateSet(values))
    .execute();
}
