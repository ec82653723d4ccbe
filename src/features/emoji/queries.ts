import type { RealmReadTx, RealmWriteTx, WriteTx } from '#kernel/store';
import type { EmojiId, EmojiRow } from './tables.ts';

const emoji = (tx: RealmReadTx) => tx.db.selectFrom('realm_emoji').selectAll().where('realm_id', '=', tx.realmId);

/** All custom emoji, deactivated ones included, by ID. */
export function listEmoji(tx: RealmReadTx): Promise<readonly EmojiRow[]> {
  return emoji(tx).orderBy('id').execute();
}

/** The active emoji with a name. */
export function findEmojiByName(tx: RealmReadTx, name: string): Promise<EmojiRow | undefined> {
  return emoji(tx).where('name', '=', name).where('deactivated', '=', false).executeTakeFirst();
}

/** An emoji by ID, deactivated or not. */
export function findEmoji(tx: RealmReadTx, id: EmojiId): Promise<EmojiRow | undefined> {
  return emoji(tx).where('id', '=', id).executeTakeFirst();
}

export function insertEmoji(tx: WriteTx, row: Omit<EmojiRow, 'id' | 'deactivated'>): Promise<EmojiRow> {
  return tx.db
    .insertInto('realm_emoji')
    .values({ ...row, deactivated: false })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Deactivates an emoji; false if it is deactivated already. */
export async function deactivateEmoji(tx: RealmWriteTx, id: EmojiId): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('realm_emoji')
    .set({ deactivated: true })
    .where('realm_id', '=', tx.realmId)
    .where('id', '=', id)
    .where('deactivated', '=', false)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * The picture names of the emoji, deactivated ones included, that have one of these names as picture or still picture.
 */
export function listPictureNames(
  tx: RealmReadTx,
  names: readonly string[],
): Promise<readonly Pick<EmojiRow, 'file_name' | 'still_name'>[]> {
  return tx.db
    .selectFrom('realm_emoji')
    .select(['file_name', 'still_name'])
    .where('realm_id', '=', tx.realmId)
    .where((or) => or.or([tx.dialect.anyOfText('file_name', names), tx.dialect.anyOfText('still_name', names)]))
    .execute();
}
