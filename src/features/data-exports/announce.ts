import type { RealmRef } from '#kernel/auth';
import type { Context } from '#kernel/context';
import type { RealmWriteTx } from '#kernel/store';
import { dataExportsChanged } from './events.ts';
import { listDataExports } from './queries.ts';
import { toWireDataExport } from './to-wire.ts';

/** Tells administrators of all exports, as they are in this transaction. */
export async function announce(context: Context, tx: RealmWriteTx, realm: RealmRef): Promise<void> {
  const rows = await listDataExports(tx);
  const exports = rows.map((row) => toWireDataExport(context, realm, row));
  tx.emit(dataExportsChanged(realm.id, { exports }));
}
