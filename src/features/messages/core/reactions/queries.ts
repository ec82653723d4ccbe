import { asId, type MessageId, type UserId } from '#kernel/ids';
import { grouped } from '#kernel/lists';
import {
  compiled,
  compiledColumns,
  compiledRows,
  inChunks,
  type RealmReadTx,
  type RealmWriteTx,
  sql,
  type WriteTx,
} from '#kernel/store';
import { deleteInSlices } from '../slices.ts';
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
  await deleteInSlices((most) => {
    const all = tx.db.selectFrom('reaction').select('id').where('realm_id', '=', tx.realmId);
    const some = all.where(tx.dialect.anyOf('message_id', ids)).limit(most);
    const rows = tx.db.deleteFrom('reaction').where('realm_id', '=', tx.realmId).where('id', 'in', some);
    return rows.executeTakeFirst();
  });
}

/** One reaction of an emoji to a message, the one of a certain person if given. */
export function findReaction(
  tx: RealmReadTx,
  messageId: MessageId,
  { emoji_code, reaction_type, user_id }: Pick<ReactionRow, 'emoji_code' | 'reaction_type'> & { user_id?: UserId },
): Promise<ReactionRow | undefined> {
  return tx.db
    .selectFrom('reaction')
    .selectAll()
    .where('realm_id', '=', tx.realmId)
    .where('message_id', '=', messageId)
    .where('emoji_code', '=', emoji_code)
    .where('reaction_type', '=', reaction_type)
    .$if(user_id !== undefined, (query) => query.where('user_id', '=', user_id ?? asId<UserId>(0)))
    .limit(1)
    .executeTakeFirst();
}

/**
 * Counts the different emoji of the reactions to a message, at most `most`. Steps from one emoji to the next in the
 * index, so that it takes the same however many people reacted with each.
 */
export async function countEmojiOn(tx: RealmReadTx, messageId: MessageId, most: number): Promise<number> {
  const [row] = await emojiOn(tx, messageId, most);
  return Number(row?.count ?? 0);
}

// Only the rows that are counted are compared with the organization, which a message has one of anyway: told of it in
// the look-ups too, PostgreSQL guesses that it leaves few rows, and sorts all.
const emojiOn = compiled(
  ({ realmId }, id: MessageId, most: number) =>
    sql<{ count: number }>`with recursive step(number, reaction_type, emoji_code) as (
      select 1, reaction_type, emoji_code from reaction where realm_id = ${realmId} and id =
        (select id from reaction where message_id = ${id} order by reaction_type, emoji_code limit 1)
      union all
      select number + 1, found.reaction_type, found.emoji_code from step join reaction found on found.id = coalesce(
        (select id from reaction where message_id = ${id} and reaction_type = step.reaction_type
          and emoji_code > step.emoji_code order by reaction_type, emoji_code limit 1),
        (select id from reaction where message_id = ${id} and reaction_type > step.reaction_type
          order by reaction_type, emoji_code limit 1)
      ) where found.realm_id = ${realmId} and number < ${most}
    ) select count(*) as count from step`,
);

/** The reactions to some messages, oldest first. */
export async function reactionsTo(
  tx: RealmReadTx,
  ids: readonly MessageId[],
): Promise<ReadonlyMap<MessageId, readonly ReactionRow[]>> {
  const reactions: (readonly ReactionRow[])[] = [];
  for (const chunk of inChunks(ids, 5000)) reactions.push(await reactionsByMessage(tx, chunk));
  return grouped(reactions.flat().map((one) => [one.message_id, one]));
}

/** Reactions whose IDs are read at once, and that are read at once: a few milliseconds of work. */
const [IDS_AT_ONCE, READ_AT_ONCE] = [2500, 500];

/** All reactions to a message in pages, oldest first: there may be one of each emoji by everybody. */
export async function* reactionPages(tx: RealmReadTx, id: MessageId): AsyncGenerator<readonly ReactionRow[]> {
  const ids: number[] = [];
  let last: Key = { user_id: asId<UserId>(0), reaction_type: '', emoji_code: '' };
  for (let isWhole = false; !isWhole; ) {
    const keys = await keysAfter(tx, id, last);
    for (const key of keys) ids.push(key.id);
    last = keys.at(-1) ?? last;
    isWhole = keys.length < IDS_AT_ONCE;
  }
  // Sorted as numbers of the machine, which takes a tenth of the time.
  const sorted = [...Float64Array.from(ids).sort()];
  for (const some of inChunks(sorted, READ_AT_ONCE)) yield reactionsById(tx, some);
}

/** The place of a reaction in the index of those to a message. */
type Key = Pick<ReactionRow, 'user_id' | 'reaction_type' | 'emoji_code'>;

const KEY = ['id', 'user_id', 'reaction_type', 'emoji_code'] as const;
const keysAfter = compiledColumns(KEY, ({ db, realmId }, id: MessageId, last: Key) =>
  db
    .selectFrom('reaction')
    .select(KEY)
    .where('realm_id', '=', realmId)
    .where('message_id', '=', id)
    .where(
      sql<boolean>`(user_id, reaction_type, emoji_code) > (${last.user_id}, ${last.reaction_type}, ${last.emoji_code})`,
    )
    .orderBy('user_id')
    .orderBy('reaction_type')
    .orderBy('emoji_code')
    .limit(IDS_AT_ONCE),
);

const reactionsById = compiledRows(reaction, ({ db, realmId, dialect }, ids: readonly number[]) =>
  db.selectFrom('reaction').selectAll().where('realm_id', '=', realmId).where(dialect.anyOf('id', ids)).orderBy('id'),
);

const reactionsByMessage = compiledRows(reaction, ({ db, realmId, dialect }, ids: readonly MessageId[]) =>
  db
    .selectFrom('reaction')
    .selectAll()
    .where('realm_id', '=', realmId)
    .where(dialect.anyOf('message_id', ids))
    .orderBy('id'),
);
