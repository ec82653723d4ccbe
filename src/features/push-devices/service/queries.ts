import type { RealmId } from '#kernel/ids';
import type { ReadTx } from '#kernel/store';

/** Number of active accounts of a role in an organization. */
export interface RoleCount {
  readonly realm_id: RealmId;
  readonly role: number;
  readonly is_bot: boolean;
  readonly count: number;
}

/** Counts the active accounts of all organizations by role. */
export async function countRoles(tx: ReadTx): Promise<readonly RoleCount[]> {
  const rows = await tx.db
    .selectFrom('user')
    .select(['realm_id', 'role', 'is_bot'])
    .select(({ fn }) => fn.countAll().as('count'))
    .where('is_active', '=', true)
    .groupBy(['realm_id', 'role', 'is_bot'])
    .execute();
  return rows.map((row) => ({ ...row, count: Number(row.count) }));
}
