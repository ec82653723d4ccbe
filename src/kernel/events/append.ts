import type { RealmId } from '#kernel/ids';
import { type Closing, compiledLast, inChunks, type RealmWriteTx, type WriteTx } from '#kernel/store';
import { Entry } from './entry.ts';
import type { EmittedEvent } from './event.ts';
import type { HeldLog } from './lock.ts';
import { eventTable } from './tables.ts';

/** Most entries stored by one statement. */
const INSERT_CHUNK = 1000;

/**
 * Gives events their IDs; they are stored at the end, together with those of all writes that share the transaction. The
 * lock of the realm's log keeps all other processes out until then.
 */
export function appendEntries(tx: RealmWriteTx, log: HeldLog, events: readonly EmittedEvent[]): readonly Entry[] {
  const entries = events.map(({ type, payload, details }) => {
    const id = log.head + 1;
    log.head += type.width(payload);
    const place = { realm_id: tx.realmId, id, last_id: log.head };
    const texts = { payload: JSON.stringify(payload), details: JSON.stringify(details) };
    leaveEntry(tx, { ...place, kind: type.kind, ...texts, created_at: tx.now });
    return new Entry({ ...place, size: texts.payload.length + texts.details.length }, type, payload, details);
  });
  tx.beforeCommit(setHead, { realmId: tx.realmId, head: log.head });
  return entries;
}

/** Stores the last head of each realm. */
const setHead: Closing<{ readonly realmId: RealmId; readonly head: number }> = async (tx, heads) => {
  const last = new Map(heads.map(({ realmId, head }) => [realmId, head]));
  for (const [realmId, head] of last) await updateHead(tx, realmId, head);
};

const updateHead = compiledLast(({ db }, realmId: RealmId, head: number) =>
  db.updateTable('realm_log').set({ head }).where('realm_id', '=', realmId),
);

interface Row {
  readonly realm_id: RealmId;
  readonly id: number;
  readonly last_id: number;
  readonly kind: string;
  readonly payload: string;
  readonly details: string;
  readonly created_at: number;
}

/** Queues a row that is stored together with those of other writes. */
function leaveEntry(tx: WriteTx, row: Row): void {
  if (tx.later) tx.later.insert(eventTable, row, { isNew: true });
  else tx.beforeCommit(insertEntries, row);
}

const insertEntries: Closing<Row> = async (tx, rows) => {
  // On SQLite, without a network in between, one statement per row is fastest.
  if (tx.dialect.isSerial || rows.length === 1) {
    for (const row of rows) await insertEvent(tx, row);
    return;
  }
  for (const chunk of inChunks(rows, INSERT_CHUNK))
    await tx.db
      .insertInto('event')
      .values([...chunk])
      .execute();
};

const insertEvent = compiledLast(({ db }, row: Row) => db.insertInto('event').values(row));
