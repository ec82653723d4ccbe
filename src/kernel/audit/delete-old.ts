import type { RealmWriteTx } from '#kernel/store';
import { sealOf } from './chain.ts';
import { record } from './record.ts';

/** Most entries that one transaction deletes. */
const MAX_DELETED = 5000;

/**
 * Deletes entries at the beginning of a chain that are older than `before` (seconds since 1970), seals where the chain
 * now begins so that nobody else can shorten it unnoticed, and leaves an entry about it. Returns whether more may be
 * left.
 */
export async function deleteOldEntries(tx: RealmWriteTx, before: number): Promise<boolean> {
  const first = await tx.db
    .selectFrom('audit_entry')
    .select((entry) => entry.fn.min<number | null>('sequence').as('sequence'))
    .where('realm_id', '=', tx.realmId)
    .executeTakeFirst();
  const oldest = await tx.db
    .selectFrom('audit_entry')
    .select((entry) => entry.fn.min<number | null>('sequence').as('sequence'))
    .where('realm_id', '=', tx.realmId)
    .where('created_at', '>=', before)
    .executeTakeFirst();
  const begin = Number(first?.sequence ?? 0);
  // The last entry always stays, however old: the next one is chained to it.
  const end = Math.min(Number(oldest?.sequence ?? (await lastOf(tx))), begin + MAX_DELETED);
  const last = await tx.db
    .selectFrom('audit_entry')
    .select(['sequence', 'entry_hash'])
    .where('realm_id', '=', tx.realmId)
    .where('sequence', '=', end - 1)
    .executeTakeFirst();
  if (!last || tx.auditKey === undefined) return false;
  const { sequence, entry_hash: hash } = last;
  await tx.db
    .updateTable('audit_head')
    .set({
      deleted_sequence: sequence,
      deleted_hash: hash,
      deleted_seal: sealOf(tx.auditKey, 'deleted', { realm_id: tx.realmId, sequence, hash }),
    })
    .where('realm_id', '=', tx.realmId)
    .execute();
  await tx.db.deleteFrom('audit_entry').where('realm_id', '=', tx.realmId).where('sequence', '<=', sequence).execute();
  record(tx, {
    action: 'audit_log.shortened',
    target: { kind: 'organization' },
    after: { through: sequence },
  });
  return end === begin + MAX_DELETED;
}

async function lastOf(tx: RealmWriteTx): Promise<number> {
  const head = await tx.db
    .selectFrom('audit_head')
    .select('last_sequence')
    .where('realm_id', '=', tx.realmId)
    .executeTakeFirst();
  return head?.last_sequence ?? 0;
}
