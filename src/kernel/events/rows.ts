import type { RealmId } from '#kernel/ids';
import { compiled, compiledServerWide, type ReadTx, type RealmReadTx, type RealmWriteTx, sql } from '#kernel/store';
import { parseJson } from '#kernel/text';
import type { Audience } from './audience.ts';
import { Entry, StoredPayload } from './entry.ts';
import type { Details } from './event.ts';
import { PORTION_CHARACTERS } from './portions.ts';
import type { EventRegistry } from './registry.ts';

/** Most entries read from the database at once; no further one is read with them after the bytes of a portion. */
const READ_LIMIT = 1000;

/** The newest event ID of a realm; 0 if there is none. */
export async function headOf(tx: RealmReadTx): Promise<number> {
  const row = await tx.db.selectFrom('realm_log').select('head').where('realm_id', '=', tx.realmId).executeTakeFirst();
  return row?.head ?? 0;
}

/** The newest event IDs of realms. */
export const headsOf = compiledServerWide(({ db, dialect }, realmIds: readonly RealmId[]) =>
  db.selectFrom('realm_log').select(['realm_id', 'head']).where(dialect.anyOf('realm_id', realmIds)),
);

/** Begins the log of a new realm. */
export async function insertLog(tx: RealmWriteTx): Promise<void> {
  await tx.db.insertInto('realm_log').values({ realm_id: tx.realmId, head: 0 }).execute();
}

/**
 * Entries that end after `after`, oldest first. Entries of kinds that no longer exist are left out, and so are entries
 * whose audience cannot be parsed: one of them must not block all later ones. A payload that cannot be parsed is
 * delivered to nobody (`Entry.payload`).
 */
export async function readEntries(tx: RealmReadTx, registry: EventRegistry, after: number): Promise<readonly Entry[]> {
  for (let at = after; ; ) {
    const rows = await rowsAfter(tx, at);
    const entries = rows.flatMap((row) => toEntry(registry, tx.realmId, row) ?? []);
    const last = rows.at(-1);
    if (entries.length > 0 || !last) return entries;
    at = last.last_id;
  }
}

const rowsAfter = compiled(
  ({ realmId }, after: number) => sql<StoredEntry>`
    select id, last_id, kind, payload, details from event
    where realm_id = ${realmId} and last_id > ${after} and last_id <= (select coalesce(
        min(case when bytes > ${sql.lit(PORTION_CHARACTERS)} then last_id end), max(last_id)) from (
      select last_id, sum(size) over (order by last_id) as bytes from (
        select last_id, octet_length(payload) + octet_length(details) as size from event
        where realm_id = ${realmId} and last_id > ${after} order by last_id limit ${sql.lit(READ_LIMIT)}) one) known)
    order by last_id`,
);

/**
 * Whether this entry is in the log, and not another one with its ID, which is given out again if its transaction is
 * rolled back. Locks the realm's log first, and so waits for a commit that is still under way.
 */
export async function isEntryStored(tx: ReadTx, entry: Entry): Promise<boolean> {
  const log = tx.db.selectFrom('realm_log').select('head').where('realm_id', '=', entry.realm_id);
  const locked = await log.modifyEnd(tx.dialect.forUpdate).executeTakeFirst();
  if (!locked || locked.head < entry.last_id) return false;
  const row = await tx.db
    .selectFrom('event')
    .select(['kind', 'payload', 'details'])
    .where('realm_id', '=', entry.realm_id)
    .where('id', '=', entry.id)
    .executeTakeFirst();
  const isSame = row?.kind === entry.type.kind && row.payload === JSON.stringify(entry.payload);
  return isSame && row.details === JSON.stringify(entry.details);
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
  const details = parseJson(row.details) as (Details & { readonly audience: Audience }) | undefined;
  if (!type || !details?.audience) return undefined;
  return new Entry(
    { realm_id: realmId, id: row.id, last_id: row.last_id, size: row.payload.length + row.details.length },
    type,
    new StoredPayload(row.payload),
    details,
  );
}

/** Deletes entries up to `upTo` that are older than `before`; returns how many. */
export async function pruneEntries(tx: RealmWriteTx, upTo: number, before: number): Promise<number> {
  const result = await tx.db
    .deleteFrom('event')
    .where('realm_id', '=', tx.realmId)
    .where('id', '<=', upTo)
    .where('created_at', '<', before)
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}
