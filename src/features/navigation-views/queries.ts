import type { ActorWriteTx } from '#kernel/auth';
import type { UserId } from '#kernel/ids';
import { compiled, type WriteTx } from '#kernel/store';
import type { NavigationViewRow } from './tables.ts';

/** A user's views, oldest first. */
export const listViews = compiled(({ db, realmId }, userId: UserId) =>
  db
    .selectFrom('navigation_view')
    .selectAll()
    .where('realm_id', '=', realmId)
    .where('user_id', '=', userId)
    .orderBy('id'),
);

export function insertView(tx: WriteTx, row: Omit<NavigationViewRow, 'id'>): Promise<NavigationViewRow> {
  return tx.db.insertInto('navigation_view').values(row).returningAll().executeTakeFirstOrThrow();
}

export async function setView(
  tx: WriteTx,
  { realm_id, user_id, id }: NavigationViewRow,
  values: Partial<Pick<NavigationViewRow, 'is_pinned' | 'view_name'>>,
): Promise<void> {
  await tx.db
    .updateTable('navigation_view')
    .set(values)
    .where('realm_id', '=', realm_id)
    .where('user_id', '=', user_id)
    .where('id', '=', id)
    .execute();
}

/** Deletes a view of the actor; returns false if there is none with this address. */
export async function deleteView(tx: ActorWriteTx, fragment: string): Promise<boolean> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('navigation_view')
    .where('realm_id', '=', tx.realmId)
    .where('user_id', '=', tx.actor.userId)
    .where('fragment', '=', fragment)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
