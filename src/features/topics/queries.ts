import { firstTwoOfTopic, isReceivedAlone } from '#features/messages';
import type { ChannelId, RecipientId, UserId } from '#kernel/ids';
import { cachedQuery, compiled, inChunks, type RealmReadTx, type RealmWriteTx, sql, type WriteTx } from '#kernel/store';
import { foldCase } from '#kernel/text';
import type { UserTopicRow } from './tables.ts';

/** A topic of a channel, by its names. */
export interface TopicKey {
  readonly channel_id: ChannelId;
  readonly topic: string;
}

/** Most rows of one statement. */
const CHUNK = 500;

/** Stores policies; replaces existing ones of the same user and topic. */
export async function upsertPolicies(
  tx: WriteTx,
  rows: readonly Omit<UserTopicRow, 'topic_key' | 'last_updated'>[],
): Promise<void> {
  for (const chunk of inChunks(rows, CHUNK)) {
    await tx.db
      .insertInto('user_topic')
      .values(chunk.map((row) => ({ ...row, topic_key: foldCase(row.topic), last_updated: tx.now })))
      .onConflict((conflict) =>
        conflict.columns(['user_id', 'channel_id', 'topic_key']).doUpdateSet((set) => ({
          topic: set.ref('excluded.topic'),
          visibility_policy: set.ref('excluded.visibility_policy'),
          last_updated: set.ref('excluded.last_updated'),
        })),
      )
      .execute();
  }
}

/** Deletes the policies of some users for a topic. */
export async function deletePolicies(
  tx: RealmWriteTx,
  userIds: readonly UserId[],
  { channel_id, topic }: TopicKey,
): Promise<void> {
  if (userIds.length === 0) return;
  await tx.db
    .deleteFrom('user_topic')
    .where('realm_id', '=', tx.realmId)
    .where(tx.dialect.anyOf('user_id', userIds))
    .where('channel_id', '=', channel_id)
    .where('topic_key', '=', foldCase(topic))
    .execute();
}

/** The policies that users have for a topic. */
export function listPoliciesFor(tx: RealmReadTx, { channel_id, topic }: TopicKey): Promise<readonly UserTopicRow[]> {
  return tx.db
    .selectFrom('user_topic')
    .selectAll()
    .where('realm_id', '=', tx.realmId)
    .where('channel_id', '=', channel_id)
    .where('topic_key', '=', foldCase(topic))
    .orderBy('user_id')
    .execute();
}

export async function findPolicy(tx: RealmReadTx, userId: UserId, topic: TopicKey): Promise<UserTopicRow | undefined> {
  return (await listPoliciesOn(tx, topic, [userId]))[0];
}

export async function countPolicies(tx: RealmReadTx, userId: UserId): Promise<number> {
  const { count } = await tx.db
    .selectFrom('user_topic')
    .select((select) => select.fn.countAll().as('count'))
    .where('realm_id', '=', tx.realmId)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Which of some users have policies of at most `most` topics. */
export async function usersWithFewPolicies(
  tx: RealmReadTx,
  userIds: readonly UserId[],
  most: number,
): Promise<readonly UserId[]> {
  const many = new Set((await usersWithMore(tx, userIds, most)).map((row) => row.user_id));
  return userIds.filter((userId) => !many.has(userId));
}

const usersWithMore = compiled(({ db, realmId, dialect }, userIds: readonly UserId[], most: number) =>
  db
    .selectFrom('user_topic')
    .select('user_id')
    .where('realm_id', '=', realmId)
    .where(dialect.anyOf('user_id', userIds))
    .groupBy('user_id')
    .having((column) => column.fn.countAll(), '>', most),
);

/** The policies that some users have for a topic. */
export function listPoliciesOn(
  tx: RealmReadTx,
  { channel_id, topic }: TopicKey,
  userIds: readonly UserId[],
): Promise<readonly UserTopicRow[]> {
  return policiesOn(tx, userIds, channel_id, foldCase(topic));
}

const policiesOn = cachedQuery(
  ['user_topic'],
  compiled(({ db, realmId, dialect }, users: readonly UserId[], channelId: ChannelId, key: string) =>
    db
      .selectFrom('user_topic')
      .selectAll()
      .where('realm_id', '=', realmId)
      .where(dialect.anyOf('user_id', users))
      .where('channel_id', '=', channelId)
      .where('topic_key', '=', key),
  ),
);

/** Policies that users have for topics of a channel, at most `most` of them. */
export function listPoliciesIn(tx: RealmReadTx, channelId: ChannelId, most: number): Promise<readonly UserTopicRow[]> {
  return tx.db
    .selectFrom('user_topic')
    .selectAll()
    .where('realm_id', '=', tx.realmId)
    .where('channel_id', '=', channelId)
    .limit(most)
    .execute();
}

/** Who has policies of topics in a channel; looks at each person once, however many policies they have. */
export async function holdersIn(tx: RealmReadTx, channelId: ChannelId): Promise<readonly UserId[]> {
  const { rows } = await sql<{ id: UserId }>`select u.id from "user" u where u.realm_id = ${tx.realmId} and exists (
    select 1 from user_topic t where t.user_id = u.id and t.channel_id = ${channelId})`.execute(tx.db);
  return rows.map(({ id }) => id);
}

/** Policies of some users in channels that are not archived, each with the channel's name. */
export const listPoliciesOf = compiled(({ db, realmId, dialect }, userIds: readonly UserId[]) =>
  db
    .selectFrom('user_topic')
    .innerJoin('channel', 'channel.id', 'user_topic.channel_id')
    .selectAll('user_topic')
    .select('channel.name as channel_name')
    .where('user_topic.realm_id', '=', realmId)
    .where(dialect.anyOf('user_topic.user_id', userIds))
    .where('channel.is_archived', '=', false)
    .orderBy('user_topic.channel_id')
    .orderBy('user_topic.topic_key'),
);

/** A topic with its newest message, in that message's spelling. */
export interface TopicRow {
  readonly name: string;
  readonly max_id: number;
}

/** Lists the topics of a channel, newest first; with `receiverId` only those with a message that this user received. */
export async function listTopics(
  tx: RealmReadTx,
  recipientId: RecipientId,
  receiverId: UserId | undefined,
): Promise<readonly TopicRow[]> {
  const reached = receiverId === undefined ? sql`true` : reachedBy(receiverId);
  const { rows } = await sql<TopicRow>`
    select message.topic as name, t.max_id as max_id
    from (
      select max(m.id) as max_id from message m
      where m.realm_id = ${tx.realmId} and m.recipient_id = ${recipientId} and ${reached} group by m.topic_key
    ) t join message on message.id = t.max_id
    order by t.max_id desc`.execute(tx.db);
  return rows;
}

/** Condition that a user received the message `m` in a channel: during a subscription period, or by itself. */
const reachedBy = (userId: UserId) => sql<boolean>`(
  exists (select 1 from subscription_period s where s.channel_id = m.channel_id and s.user_id = ${userId}
    and s.after_message_id < m.id and (s.until_message_id is null or m.id <= s.until_message_id))
  or ${isReceivedAlone('m', sql`${userId}`)})`;

/** Whether a user received another message of the topic. */
export async function receivedOthersOf(
  tx: RealmReadTx,
  userId: UserId,
  {
    id,
    recipient_id,
    topic_key,
  }: { readonly id: number; readonly recipient_id: RecipientId; readonly topic_key: string },
): Promise<boolean> {
  const { rows } = await sql<{ id: number }>`select m.id from message m
    where m.realm_id = ${tx.realmId} and m.recipient_id = ${recipient_id} and m.topic_key = ${topic_key} and m.id != ${id}
      and ${reachedBy(userId)} limit 1`.execute(tx.db);
  return rows.length > 0;
}

/** Whether a message is the only one of its topic. */
export async function isOnlyMessage(
  tx: RealmReadTx,
  message: { readonly id: number; readonly recipient_id: RecipientId; readonly topic_key: string },
): Promise<boolean> {
  return (await firstTwoOfTopic(tx, message.recipient_id, message.topic_key)).length === 1;
}
