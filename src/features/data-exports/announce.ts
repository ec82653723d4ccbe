import type { RealmRefWriteTx } from '#kernel/auth';
import { dataExportsChanged } from './events.ts';
import { listDataExports } from './queries.ts';
import { toWireDataExport } from './to-wire.ts';

/** Sends administrators the list of all exports, as it is in this transaction. */
export async function announce(tx: RealmRefWriteTx): Promise<void> {
  const rows = await listDataExports(tx);
  const exports = rows.map((row) => toWireDataExport(tx.realm, row));
  tx.emit(dataExportsChanged({ exports }));
}
