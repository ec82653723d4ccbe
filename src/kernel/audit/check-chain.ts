import type { RealmId } from '#kernel/ids';
import { ofRealm, type RealmReadTx, type Store } from '#kernel/store';
import { BEGINNING, hashOfEntry, sealOf } from './chain.ts';
import type { AuditHeadRow, AuditRow } from './tables.ts';

/** Entries that are read at a time. */
const PAGE = 1000;

/** Result of checking a chain: how far it goes, and the first place where it is broken. */
export interface ChainReport {
  /** Number of the last entry whose hash follows from the one before. */
  readonly entries: number;
  /** Entries at its beginning that were deleted because of their age. */
  readonly deleted: number;
  /** Entries after these without a seal: written before seals existed, or by somebody else. */
  readonly unsealed: number;
  readonly lastHash: string;
  /** Number of the first entry that is missing, changed or too many; undefined where all is right. */
  readonly brokenAt: number | undefined;
}

/** Position while walking along a chain. */
interface Walk {
  readonly sequence: number;
  readonly hash: string;
  readonly isSealed: boolean;
}

/**
 * Follows the chain of an organization from its beginning, or from where the server deleted what was too old, to its recorded
 * end, a page at a time. Without a key seals are not looked at.
 */
export async function checkChain(
  store: Pick<Store, 'read'>,
  realmId: RealmId,
  key: string | undefined,
): Promise<ChainReport> {
  let walk: Walk = { sequence: 0, hash: BEGINNING, isSealed: false };
  let deleted = 0;
  let sealedFrom: number | undefined;
  const report = (brokenAt: number | undefined): ChainReport => ({
    entries: walk.sequence,
    deleted,
    unsealed: (sealedFrom ?? walk.sequence + 1) - deleted - 1,
    lastHash: walk.hash,
    brokenAt,
  });
  for (;;) {
    const { rows, head } = await store.read((tx) => readPage(ofRealm(tx, realmId), walk.sequence));
    const begin = head?.deleted_sequence ?? 0;
    if (begin > walk.sequence) {
      // Also where older entries were deleted while we read.
      walk = { sequence: begin, hash: head?.deleted_hash ?? '', isSealed: false };
      deleted = begin;
      sealedFrom = undefined;
      if (head && !isDeletedByUs(head, key)) return report(begin);
      continue;
    }
    for (const row of rows) {
      if (!follows(row, walk, key)) return report(walk.sequence + 1);
      if (row.seal !== null) sealedFrom ??= row.sequence;
      walk = { sequence: row.sequence, hash: row.entry_hash, isSealed: row.seal !== null };
    }
    if (rows.length === PAGE) continue;
    const isWhole = (head?.last_sequence ?? 0) === walk.sequence && (head?.last_hash ?? BEGINNING) === walk.hash;
    return report(isWhole ? undefined : walk.sequence + 1);
  }
}

async function readPage(tx: RealmReadTx, after: number) {
  return {
    head: await tx.db.selectFrom('audit_head').selectAll().where('realm_id', '=', tx.realmId).executeTakeFirst(),
    rows: await tx.db
      .selectFrom('audit_entry')
      .selectAll()
      .where('realm_id', '=', tx.realmId)
      .where('sequence', '>', after)
      .orderBy('sequence')
      .limit(PAGE)
      .execute(),
  };
}

/** Once there are seals, every entry has one. */
function follows(row: AuditRow, { sequence, hash, isSealed }: Walk, key: string | undefined): boolean {
  if (row.sequence !== sequence + 1 || row.entry_hash !== hashOfEntry(hash, row)) return false;
  if (row.seal === null) return !isSealed;
  return key === undefined || row.seal === sealOf(key, 'entry', { ...row, hash: row.entry_hash });
}

function isDeletedByUs(head: AuditHeadRow, key: string | undefined): boolean {
  const { realm_id, deleted_sequence: sequence, deleted_hash: hash, deleted_seal } = head;
  if (sequence === null || hash === null) return false;
  return key === undefined || deleted_seal === sealOf(key, 'deleted', { realm_id, sequence, hash });
}
