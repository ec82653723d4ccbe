import { invariant } from '#kernel/errors';
import type { RealmId } from '#kernel/ids';
import {
  type Closing,
  compiled,
  compiledLast,
  compiledServerWide,
  inChunks,
  type RealmWriteTx,
  sql,
  type WriteTx,
} from '#kernel/store';
import { Entry } from './entry.ts';
import type { EmittedEvent } from './event.ts';
import { heldLog } from './lock.ts';
import { eventTable } from './tables.ts';

/** Most entries stored by one statement. */
const INSERT_CHUNK = 1000;

/**
 * Gives events their IDs and stores them; the realm's counter row serialises this with every other process. Writes that
 * share the log from the beginning store theirs together.
 */
export async function appendEntries(tx: RealmWriteTx, events: readonly EmittedEvent[]): Promise<readonly Entry[]> {
  const total = events.reduce((sum, { type, payload }) => sum + type.width(payload), 0);
  const held = heldLog(tx);
  const head = held ? (held.head += total) : await advancedHead(tx, total);
  const entries = toEntries(tx.realmId, head - total + 1, events);
  const rows = entries.map((entry) => toRow(entry, tx.now));
  if (!held) await insertEntries(tx, rows);
  else {
    for (const row of rows) leaveEntry(tx, row);
    tx.beforeCommit(setHead, { realmId: tx.realmId, head });
  }
  return entries;
}

/** Events in their places, from the ID `first` on. */
function toEntries(realmId: RealmId, first: number, events: readonly EmittedEvent[]): readonly Entry[] {
  let next = first;
  return events.map(({ type, payload, details }) => {
    const id = next;
    next += type.width(payload);
    return new Entry(realmId, id, next - 1, type, payload, details);
  });
}

async function advancedHead(tx: RealmWriteTx, by: number): Promise<number> {
  const [counter] = await advanceHead(tx, by);
  invariant(counter, `realm ${tx.realmId} has no log`);
  return counter.head;
}

const advanceHead = compiled((db, { realmId }, by: number) =>
  db
    .updateTable('realm_log')
    .set({ head: sql<number>`head + ${by}` })
    .where('realm_id', '=', realmId)
    .returning('head'),
);

/** Stores the last of the heads, which all are of one realm. */
const setHead: Closing<{ readonly realmId: RealmId; readonly head: number }> = async (tx, heads) => {
  const last = heads.at(-1);
  if (last) await updateHead(tx, last.realmId, last.head);
};

const updateHead = compiledLast((db, _of, realmId: RealmId, head: number) =>
  db.updateTable('realm_log').set({ head }).where('realm_id', '=', realmId),
);

type Row = ReturnType<typeof toRow>;

/** Leaves a row to be stored with those of other writes. */
function leaveEntry(tx: WriteTx, row: Row): void {
  if (tx.later) tx.later.insert(eventTable, row, { isNew: true });
  else tx.beforeCommit(insertEntries, row);
}

const insertEntries: Closing<Row> = async (tx, rows) => {
  const [only] = rows;
  if (only && rows.length === 1) {
    await insertEvent(tx, only);
    return;
  }
  for (const chunk of inChunks(rows, INSERT_CHUNK))
    await tx.db
      .insertInto('event')
      .values([...chunk])
      .execute();
};

const insertEvent = compiledServerWide((db, _of, row: Row) => db.insertInto('event').values(row));

function toRow(entry: Entry, now: number) {
  return {
    realm_id: entry.realm_id,
    id: entry.id,
    last_id: entry.last_id,
    kind: entry.type.kind,
    payload: JSON.stringify(entry.payload),
    details: JSON.stringify(entry.details),
    created_at: now,
  };
}
