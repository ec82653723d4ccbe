import { invariant } from '#kernel/errors';
import type { RealmId } from '#kernel/ids';
import { compiled, inChunks, type ReadTx, sql, type WriteTx } from '#kernel/store';
import type { Audience } from './audience.ts';
import { Entry } from './entry.ts';
import type { Details, EmittedEvent } from './event.ts';
import type { EventRegistry } from './registry.ts';

/** Most entries read from the database at once. */
const READ_LIMIT = 2000;
/** Most entries stored by one statement. */
const INSERT_CHUNK = 1000;

/** The newest event ID of a realm; 0 when it has none. */
export async function headOf(tx: ReadTx, realmId: RealmId): Promise<number> {
  const row = await tx.db.selectFrom('realm_log').select('head').where('realm_id', '=', realmId).executeTakeFirst();
  return row?.head ?? 0;
}

/**
 * Locks the realm's log until the commit and returns its newest ID: entries of this transaction come after it, and those
 * of other transactions either before it or after all of ours.
 */
export async function lockLog(tx: WriteTx, realmId: RealmId): Promise<number> {
  const [row] = await lockedHead(tx, realmId);
  return row?.head ?? 0;
}

/** Locks the realm's log until the commit, for who need not know its newest ID; nothing where writers wait anyway. */
export async function holdLog(tx: WriteTx, realmId: RealmId): Promise<void> {
  if (!tx.dialect.isSerial) await lockLog(tx, realmId);
}

const lockedHead = compiled((db, [realmId]: [RealmId], dialect) =>
  db.selectFrom('realm_log').select('head').where('realm_id', '=', realmId).modifyEnd(dialect.forUpdate),
);

/** Begins the log of a new realm. */
export async function insertLog(tx: WriteTx, realmId: RealmId): Promise<void> {
  await tx.db.insertInto('realm_log').values({ realm_id: realmId, head: 0 }).execute();
}

const advanceHead = compiled((db, [by, realmId]: [number, RealmId]) =>
  db
    .updateTable('realm_log')
    .set({ head: sql<number>`head + ${by}` })
    .where('realm_id', '=', realmId)
    .returning('head'),
);

type EventValues = [RealmId, number, number, string, string, string, number];
const insertEvent = compiled((db, [realm_id, id, last_id, kind, payload, details, created_at]: EventValues) =>
  db.insertInto('event').values({ realm_id, id, last_id, kind, payload, details, created_at }),
);

/** Gives events their IDs and stores them; the realm's counter row serialises this with every other process. */
export async function appendEntries(
  tx: WriteTx,
  realmId: RealmId,
  events: readonly EmittedEvent[],
): Promise<readonly Entry[]> {
  const widths = events.map(({ type, payload }) => type.width(payload));
  const total = widths.reduce((sum, width) => sum + width, 0);
  const [counter] = await advanceHead(tx, total, realmId);
  invariant(counter, `realm ${realmId} has no log`);
  let next = counter.head - total + 1;
  const entries = events.map(({ type, payload, details }, index) => {
    const id = next;
    next += widths[index] ?? 1;
    return new Entry(realmId, id, next - 1, type, payload, details);
  });
  const [only] = entries;
  if (only && entries.length === 1) {
    const row = toRow(only, tx.now);
    await insertEvent(tx, realmId, row.id, row.last_id, row.kind, row.payload, row.details, tx.now);
    return entries;
  }
  for (const chunk of inChunks(entries, INSERT_CHUNK)) {
    await tx.db
      .insertInto('event')
      .values(chunk.map((entry) => toRow(entry, tx.now)))
      .execute();
  }
  return entries;
}

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

/**
 * Entries that reach beyond `after`, oldest first. Those of kinds that no longer exist are left out, and so are those
 * that cannot be read: one of them must not keep anybody from all that come after it.
 */
export async function readEntries(
  tx: ReadTx,
  registry: EventRegistry,
  realmId: RealmId,
  after: number,
): Promise<readonly Entry[]> {
  const rows = await tx.db
    .selectFrom('event')
    .select(['id', 'last_id', 'kind', 'payload', 'details'])
    .where('realm_id', '=', realmId)
    .where('last_id', '>', after)
    .orderBy('id')
    .limit(READ_LIMIT)
    .execute();
  return rows.flatMap((row) => toEntry(registry, realmId, row) ?? []);
}

interface StoredEntry {
  readonly id: number;
  readonly last_id: number;
  readonly kind: string;
  readonly payload: string;
  readonly details: string;
}

function toEntry(registry: EventRegistry, realmId: RealmId, row: StoredEntry): Entry | undefined {
  const type = registry.find(row.kind);
  const details = parsed(row.details) as (Details & { readonly audience: Audience }) | undefined;
  const payload = parsed(row.payload);
  if (!type?.schema.safeParse(payload).success || !details?.audience) return undefined;
  return new Entry(realmId, row.id, row.last_id, type, payload, details);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Deletes entries up to `upTo` that are older than `before`. Returns how many went. */
export async function pruneEntries(tx: WriteTx, realmId: RealmId, upTo: number, before: number): Promise<number> {
  const result = await tx.db
    .deleteFrom('event')
    .where('realm_id', '=', realmId)
    .where('id', '<=', upTo)
    .where('created_at', '<', before)
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}
