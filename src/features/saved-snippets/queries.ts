import type { ActorWriteTx } from '#kernel/auth';
import type { UserId } from '#kernel/ids';
import { compiled, type WriteTx } from '#kernel/store';
import type { SnippetId, SnippetRow } from './tables.ts';

/** A user's snippets, oldest first. */
export const listSnippets = compiled(({ db, realmId }, userId: UserId) =>
  db
    .selectFrom('saved_snippet')
    .selectAll()
    .where('realm_id', '=', realmId)
    .where('user_id', '=', userId)
    .orderBy('id'),
);

export function insertSnippet(
  tx: WriteTx,
  row: Pick<SnippetRow, 'realm_id' | 'user_id' | 'title' | 'content'>,
): Promise<SnippetRow> {
  return tx.db
    .insertInto('saved_snippet')
    .values({ ...row, date_created: tx.now })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Changes a snippet of the actor; returns undefined if there is none with this ID. */
export function setSnippet(
  tx: ActorWriteTx,
  id: SnippetId,
  values: Partial<Pick<SnippetRow, 'title' | 'content'>>,
): Promise<SnippetRow | undefined> {
  return tx.db
    .updateTable('saved_snippet')
    .set(values)
    .where('realm_id', '=', tx.realmId)
    .where('user_id', '=', tx.actor.userId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

/** Deletes a snippet of the actor; returns false if there is none with this ID. */
export async function deleteSnippet(tx: ActorWriteTx, id: SnippetId): Promise<boolean> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('saved_snippet')
    .where('realm_id', '=', tx.realmId)
    .where('user_id', '=', tx.actor.userId)
    .where('id', '=', id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
