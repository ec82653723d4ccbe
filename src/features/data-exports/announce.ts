import type { RealmRef } from '#kernel/auth';
import type { Context } from '#kernel/context';
import type { WriteTx } from '#kernel/store';
import { dataExportsChanged } from './events.ts';
import { listDataExports } from './queries.ts';
import { toWireDataExport } from './to-wire.ts';

/** Tells administrators of all exports, as they are in this transaction. */
export async function announce(context: Context, tx: WriteTx, realm: RealmRef): Promise<void> {
  const rows = await listDataExports(tx, realm.id);
  const exports = rows.map((row) => toWireDataExport(context, realm, row));
  tx.emit(dataExportsChanged(realm.id, { exports }));
}
