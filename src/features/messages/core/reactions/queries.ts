import type { MessageId } from '#kernel/ids';
import { grouped } from '#kernel/lists';
import { compiledRows, inChunks, type RealmReadTx, type RealmWriteTx, type WriteTx } from '#kernel/store';
import { reaction, type ReactionRow } from './tables.ts';

/** Stores a reaction; returns false when the user has already reacted with this emoji. */
export async function insertReaction(tx: WriteTx, row: Omit<ReactionRow, 'id'>): Promise<boolean> {
  const made = await tx.db
    .insertInto('reaction')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return made !== undefined;
}

export async function deleteReaction(tx: RealmWriteTx, id: number): Promise<void> {
  await tx.db.deleteFrom('reaction').where('realm_id', '=', tx.realmId).where('id', '=', id).execute();
}

export async function deleteReactionsTo(tx: RealmWriteTx, ids: readonly MessageId[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.db
    .deleteFrom('reaction')
    .where('realm_id', '=', tx.realmId)
    .where(tx.dialect.anyOf('message_id', ids))
    .execute();
}

/** The reactions of one emoji to a message, oldest first. */
export function listReactionsOfEmoji(
  tx: RealmReadTx,
  messageId: MessageId,
  emoji: Pick<ReactionRow, 'emoji_code' | 'reaction_type'>,
): Promise<readonly ReactionRow[]> {
  return tx.db
    .selectFrom('reaction')
    .selectAll()
    .where('realm_id', '=', tx.realmId)
    .where('message_id', '=', messageId)
    .where('emoji_code', '=', emoji.emoji_code)
    .where('reaction_type', '=', emoji.reaction_type)
    .orderBy('id')
    .execute();
}

/** Counts the different emoji of the reactions to a message. */
export async function countEmojiOn(tx: RealmReadTx, messageId: MessageId): Promise<number> {
  const different = tx.db
    .selectFrom('reaction')
    .select(['emoji_code', 'reaction_type'])
    .distinct()
    .where('realm_id', '=', tx.realmId)
    .where('message_id', '=', messageId);
  return (await different.execute()).length;
}

/** The reactions to some messages, oldest first. */
export async function reactionsTo(
  tx: RealmReadTx,
  ids: readonly MessageId[],
): Promise<ReadonlyMap<MessageId, readonly ReactionRow[]>> {
  const reactions: (readonly ReactionRow[])[] = [];
  for (const chunk of inChunks(ids, 5000)) reactions.push(await reactionsByMessage(tx, chunk));
  return grouped(reactions.flat().map((one) => [one.message_id, one]));
}

const reactionsByMessage = compiledRows(reaction, ({ db, realmId, dialect }, ids: readonly MessageId[]) =>
  db
    .selectFrom('reaction')
    .selectAll()
    .where('realm_id', '=', realmId)
    .where(dialect.anyOf('message_id', ids))
    .orderBy('id'),
);
