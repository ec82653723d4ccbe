import type { ActorReadTx } from '#kernel/auth';
import type { MessageId, RecipientId, UserId } from '#kernel/ids';
import { cachedQuery, compiled, type RealmReadTx, sql } from '#kernel/store';
import { foldCase } from '#kernel/text';
import { isReceived } from '../queries.ts';

/** The newest message of each topic that the actor can see, by `{recipient} {topic key}`; two queries at most. */
export async function latestInTopics(
  tx: ActorReadTx,
  channels: readonly { readonly recipientId: RecipientId; readonly isOpen: boolean }[],
  topicKeys: readonly string[],
): Promise<ReadonlyMap<string, MessageId>> {
  const latest = new Map<string, MessageId>();
  for (const isOpen of [true, false]) {
    const ids = channels.filter((channel) => channel.isOpen === isOpen).map((channel) => channel.recipientId);
    if (ids.length === 0) continue;
    let query = tx.db
      .selectFrom('message')
      .select((column) => ['recipient_id', 'topic_key', column.fn.max('id').as('newest')])
      .where('realm_id', '=', tx.realmId)
      .where(tx.dialect.anyOf('recipient_id', ids))
      .where(tx.dialect.anyOfText('topic_key', topicKeys))
      .groupBy(['recipient_id', 'topic_key']);
    if (!isOpen) query = query.where(isReceived(tx.actor.userId));
    for (const row of await query.execute()) latest.set(`${row.recipient_id} ${row.topic_key}`, row.newest);
  }
  return latest;
}

/** The conversations of direct messages, each with the newest of them; the newest conversation first. */
export const conversationsWith = compiled(
  ({ realmId, dialect }, ids: readonly MessageId[]) => sql<{ participants_key: string; max_id: MessageId }>`
    select r.participants_key, max(m.id) as max_id from message m join recipient r on r.id = m.recipient_id
    where m.realm_id = ${realmId} and ${dialect.anyOf('m.id', ids)}
    group by r.participants_key order by max(m.id) desc`,
);

/** The participants of direct conversations as they are stored: ascending IDs joined by commas. */
export async function conversationOf(
  tx: RealmReadTx,
  ids: readonly RecipientId[],
): Promise<ReadonlyMap<RecipientId, string>> {
  if (ids.length === 0) return new Map();
  const rows = await participantsById(tx, ids);
  return new Map(rows.map((row) => [row.id, row.participants_key ?? '']));
}

const participantsById = compiled(({ db, realmId, dialect }, ids: readonly RecipientId[]) =>
  db
    .selectFrom('recipient')
    .select(['id', 'participants_key'])
    .where('realm_id', '=', realmId)
    .where(dialect.anyOf('id', ids)),
);

/** Whether a topic has a message. */
export async function hasTopic(tx: RealmReadTx, recipientId: RecipientId, topic: string): Promise<boolean> {
  return (await firstTwoOfTopic(tx, recipientId, foldCase(topic))).length > 0;
}

/**
 * Finds up to two messages of a topic by its key. A topic with two keeps them until some are moved or deleted, so the
 * answer is cached and most messages need no query.
 */
export const firstTwoOfTopic = cachedQuery(
  ['message:changed'],
  compiled(({ db, realmId }, recipientId: RecipientId, key: string) =>
    db
      .selectFrom('message')
      .select('id')
      .where('realm_id', '=', realmId)
      .where('recipient_id', '=', recipientId)
      .where('topic_key', '=', key)
      .limit(2),
  ),
  { isLasting: (rows) => rows.length === 2 },
);

/** Whether a conversation has a message. */
export async function hasMessages(tx: RealmReadTx, recipientId: RecipientId): Promise<boolean> {
  const row = await tx.db
    .selectFrom('message')
    .select('id')
    .where('realm_id', '=', tx.realmId)
    .where('recipient_id', '=', recipientId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Everybody who has written or reacted in a topic. See protocol/messages#checks, step 7. */
export async function participantsIn(
  tx: RealmReadTx,
  recipientId: RecipientId,
  topic: string,
): Promise<readonly UserId[]> {
  const ofTopic = sql`m.realm_id = ${tx.realmId} and m.recipient_id = ${recipientId} and m.topic_key = ${foldCase(topic)}`;
  const { rows } = await sql<{ id: UserId }>`select m.sender_id as id from message m where ${ofTopic}
    union select r.user_id as id from message m join reaction r on r.message_id = m.id where ${ofTopic}`.execute(tx.db);
  return rows.map((row) => row.id);
}
