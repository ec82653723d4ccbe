import type { RealmId } from '#kernel/ids';
import type { Store } from '#kernel/store';
import { BEGINNING, hashOfEntry } from './chain.ts';
import type { AuditRow } from './tables.ts';

/** Entries that are read at a time. */
const PAGE = 1000;

/** What became of a chain: how many entries it has, and the first place where it is broken. */
export interface ChainReport {
  readonly entries: number;
  readonly lastHash: string;
  /** Number of the first entry that is missing, changed or too many; undefined where all is right. */
  readonly brokenAt: number | undefined;
}

/** Follows the chain of an organization from its beginning to its recorded end, a page at a time. */
export async function checkChain(store: Pick<Store, 'read'>, realmId: RealmId): Promise<ChainReport> {
  let hash = BEGINNING;
  for (let sequence = 0; ; ) {
    const { rows, head } = await store.read(async (tx) => ({
      head: await tx.db.selectFrom('audit_head').selectAll().where('realm_id', '=', realmId).executeTakeFirst(),
      rows: await tx.db
        .selectFrom('audit_entry')
        .selectAll()
        .where('realm_id', '=', realmId)
        .where('sequence', '>', sequence)
        .orderBy('sequence')
        .limit(PAGE)
        .execute(),
    }));
    for (const row of rows) {
      if (!follows(row, sequence, hash)) return { entries: sequence, lastHash: hash, brokenAt: sequence + 1 };
      sequence = row.sequence;
      hash = row.entry_hash;
    }
    if (rows.length === PAGE) continue;
    const isWhole = (head?.last_sequence ?? 0) === sequence && (head?.last_hash ?? BEGINNING) === hash;
    return { entries: sequence, lastHash: hash, brokenAt: isWhole ? undefined : sequence + 1 };
  }
}

function follows(row: AuditRow, before: number, hash: string): boolean {
  return row.sequence === before + 1 && row.entry_hash === hashOfEntry(hash, row);
}
