import type { RealmReadTx, RealmWriteTx, WriteTx } from '#kernel/store';
import type { DomainId, DomainRow } from './tables.ts';

/** All domains of an organization, oldest first. */
export function listDomains(tx: RealmReadTx): Promise<readonly DomainRow[]> {
  return tx.db.selectFrom('realm_domain').selectAll().where('realm_id', '=', tx.realmId).orderBy('id').execute();
}

export async function insertDomain(
  tx: WriteTx,
  row: Pick<DomainRow, 'realm_id' | 'domain' | 'allow_subdomains'>,
): Promise<DomainId> {
  const { id } = await tx.db.insertInto('realm_domain').values(row).returning('id').executeTakeFirstOrThrow();
  return id;
}

export async function setAllowsSubdomains(tx: RealmWriteTx, id: DomainId, allow_subdomains: boolean): Promise<void> {
  await tx.db
    .updateTable('realm_domain')
    .set({ allow_subdomains })
    .where('realm_id', '=', tx.realmId)
    .where('id', '=', id)
    .execute();
}

export async function deleteDomain(tx: RealmWriteTx, id: DomainId): Promise<void> {
  await tx.db.deleteFrom('realm_domain').where('realm_id', '=', tx.realmId).where('id', '=', id).execute();
}
