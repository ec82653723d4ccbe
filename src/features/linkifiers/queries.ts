import { type RealmReadTx, type RealmWriteTx, setPositions } from '#kernel/store';
import type { LinkifierId, LinkifierRow } from './tables.ts';

export type LinkifierColumns = Pick<
  LinkifierRow,
  'pattern' | 'url_template' | 'example_input' | 'reverse_template' | 'alternative_url_templates'
>;

/** All linkifiers in the order of application. */
export function listLinkifiers(tx: RealmReadTx): Promise<readonly LinkifierRow[]> {
  return tx.db
    .selectFrom('realm_linkifier')
    .selectAll()
    .where('realm_id', '=', tx.realmId)
    .orderBy('position')
    .orderBy('id')
    .execute();
}

export function insertLinkifier(tx: RealmWriteTx, columns: LinkifierColumns, position: number): Promise<LinkifierRow> {
  return tx.db
    .insertInto('realm_linkifier')
    .values({ ...encoded(columns), realm_id: tx.realmId, position })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function setLinkifier(tx: RealmWriteTx, id: LinkifierId, columns: LinkifierColumns): Promise<void> {
  await tx.db
    .updateTable('realm_linkifier')
    .set(encoded(columns))
    .where('realm_id', '=', tx.realmId)
    .where('id', '=', id)
    .execute();
}

function encoded(columns: LinkifierColumns) {
  return { ...columns, alternative_url_templates: JSON.stringify(columns.alternative_url_templates) };
}

/** Deletes a linkifier; returns false if it did not exist. */
export async function deleteLinkifier(tx: RealmWriteTx, id: LinkifierId): Promise<boolean> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('realm_linkifier')
    .where('realm_id', '=', tx.realmId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Sets the linkifiers' positions to those in the list, from 0. */
export function setLinkifierOrder(tx: RealmWriteTx, ids: readonly LinkifierId[]): Promise<void> {
  return setPositions(tx, 'realm_linkifier', ids);
}
