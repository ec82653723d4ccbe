import type { RealmId, UserId } from '#kernel/ids';
import { type ReadTx, type RealmReadTx, sql, type WriteTx } from '#kernel/store';
import type { DataExportId, DataExportRow } from './tables.ts';
import type { WireExportType } from './wire.ts';

const dataExports = (tx: RealmReadTx) => tx.db.selectFrom('data_export').selectAll().where('realm_id', '=', tx.realmId);

/** Most exports that are listed, the newest ones; enough for four years at the highest rate. */
const MAX_SHOWN = 1000;

/** The exports of an organization, oldest first. */
export async function listDataExports(tx: RealmReadTx): Promise<readonly DataExportRow[]> {
  const rows = await dataExports(tx).orderBy('id', 'desc').limit(MAX_SHOWN).execute();
  return rows.toReversed();
}

export function findDataExport(tx: RealmReadTx, id: DataExportId): Promise<DataExportRow | undefined> {
  return dataExports(tx).where('id', '=', id).executeTakeFirst();
}

/** The oldest export that has not ended. */
export function findPending(tx: RealmReadTx): Promise<DataExportRow | undefined> {
  return dataExports(tx)
    .where('finished_at', 'is', null)
    .where('failed_at', 'is', null)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
}

/** Counts the exports requested since a time, whether they succeeded or not. */
export async function countSince(tx: RealmReadTx, since: number): Promise<number> {
  const { count } = await tx.db
    .selectFrom('data_export')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('realm_id', '=', tx.realmId)
    .where('requested_at', '>=', since)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Whether an organization has more than `most` messages; counts no further. */
export async function hasMoreMessages(tx: RealmReadTx, most: number): Promise<boolean> {
  const rows = await tx.db
    .selectFrom('message')
    .select(sql<number>`1`.as('one'))
    .where('realm_id', '=', tx.realmId)
    .orderBy('id')
    .offset(most)
    .limit(1)
    .execute();
  return rows.length > 0;
}

export async function insertDataExport(
  tx: WriteTx,
  row: { readonly realm_id: RealmId; readonly acting_user_id: UserId; readonly export_type: WireExportType },
): Promise<DataExportId> {
  const { id } = await tx.db
    .insertInto('data_export')
    .values({
      ...row,
      requested_at: tx.now,
      finished_at: null,
      failed_at: null,
      deleted_at: null,
      file_key: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Stores how an export ended. */
export async function setDataExport(
  tx: WriteTx,
  { realm_id, id }: DataExportRow,
  values: Partial<Pick<DataExportRow, 'finished_at' | 'failed_at' | 'deleted_at' | 'file_key'>>,
): Promise<void> {
  await tx.db.updateTable('data_export').set(values).where('realm_id', '=', realm_id).where('id', '=', id).execute();
}

/** Returns which keys belong to exports that are not deleted. */
export async function knownKeys(tx: ReadTx, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await tx.db
    .selectFrom('data_export')
    .select('file_key')
    .where(tx.dialect.anyOfText('file_key', keys))
    .where('deleted_at', 'is', null)
    .execute();
  return new Set(rows.flatMap(({ file_key }) => (file_key === null ? [] : [file_key])));
}
