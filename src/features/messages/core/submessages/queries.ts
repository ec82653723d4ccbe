import type { MessageId } from '#kernel/ids';
import { grouped } from '#kernel/lists';
import { compiled, inChunks, type RealmReadTx, type WriteTx } from '#kernel/store';
import type { SubmessageRow } from '../tables.ts';

export function insertSubmessage(tx: WriteTx, row: Omit<SubmessageRow, 'id'>): Promise<SubmessageRow> {
  return tx.db.insertInto('submessage').values(row).returningAll().executeTakeFirstOrThrow();
}

/** The parts of widgets of some messages, oldest first. */
export async function submessagesOf(
  tx: RealmReadTx,
  ids: readonly MessageId[],
): Promise<ReadonlyMap<MessageId, readonly SubmessageRow[]>> {
  const parts: (readonly SubmessageRow[])[] = [];
  for (const chunk of inChunks(ids, 5000)) parts.push(await submessagesByMessage(tx, chunk));
  return grouped(parts.flat().map((one) => [one.message_id, one]));
}

const submessagesByMessage = compiled(({ db, realmId, dialect }, ids: readonly MessageId[]) =>
  db
    .selectFrom('submessage')
    .selectAll()
    .where('realm_id', '=', realmId)
    .where(dialect.anyOf('message_id', ids))
    .orderBy('id'),
);
