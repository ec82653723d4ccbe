import type { UserId } from '#kernel/ids';
import { insertWhole, type WholeRow, type WriteTx } from '#kernel/store';
import type { Plan } from '../plan.ts';

/** Stores the last presence of each user, numbered in the order in which they were reported. */
export async function importPresences(tx: WriteTx, { tables, users, realmId: realm_id }: Plan): Promise<void> {
  const rows = new Map<UserId, Omit<WholeRow<'presence'>, 'update_id'> & { readonly at: number }>();
  for (const row of tables.rows('zerver_userpresence')) {
    const user_id = users.of(row.idOrNull('user_profile'));
    const last_connected_at = row.timeOrNull('last_connected_time');
    if (user_id === undefined || last_connected_at === null) continue;
    const last_active_at = row.timeOrNull('last_active_time');
    rows.set(user_id, { realm_id, user_id, last_active_at, last_connected_at, at: row.int('last_update_id', 0) });
  }
  const ordered = [...rows.values()].toSorted((a, b) => a.at - b.at);
  await insertWhole(
    tx,
    'presence',
    ordered.map(({ at: _at, ...row }, index) => ({ ...row, update_id: index + 1 })),
  );
  await insertWhole(tx, 'presence_counter', [{ realm_id, newest_update_id: ordered.length }]);
}
