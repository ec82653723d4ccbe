import type { MessageId, UserId } from '#kernel/ids';
import { type SqlBool, sql } from '#kernel/store';
import type { Lists } from '../merged/queries.ts';
import type { Reader } from '../queries.ts';

const condition = sql<SqlBool>;
const messageId = sql<MessageId>`message.id`;

/** One list for each direct conversation of a user; with `other`, only conversations that include this user, too. */
export const directLists = (userId: UserId, other: UserId = userId): Lists => ({
  keys: sql`select d.recipient_id as key from direct_participant d where d.user_id = ${userId} and exists (
    select 1 from direct_participant o where o.recipient_id = d.recipient_id and o.user_id = ${other})`,
  source: sql`message`,
  isListed: condition`message.recipient_id = list.key`,
  id: messageId,
});

/** Lists of all messages that may mention a user: by name, with a topic, a group or everybody. */
export const mentionLists = ({ userId, groups }: Reader): readonly Lists[] => [
  mentioningFlags(userId),
  { ...conversationLists(userId), isListed: condition`message.recipient_id = list.key and message.mentions_channel` },
  ...(groups.size > 0 ? [groupLists([...groups])] : []),
];

/**
 * One list for each of three flags of a user. `delivered` is among them because a message that was not received through
 * a conversation may mention everybody.
 */
const mentioningFlags = (userId: UserId): Lists => ({
  keys: sql`select 1 as key union all select 2 union all select 3`,
  source: sql`message_flag f join message on message.id = f.message_id`,
  isListed: condition`f.user_id = ${userId}
    and f.flag = case list.key when 1 then 'mentioned' when 2 then 'topic_wildcard_mentioned' else 'delivered' end`,
  id: sql<MessageId>`f.message_id`,
});

/** One list for each conversation in which a user has received something, not only by flags. */
const conversationLists = (userId: UserId): Lists => ({
  keys: sql`select c.recipient_id as key from subscription_period s join channel c on c.id = s.channel_id
      where s.user_id = ${userId}
    union select d.recipient_id from direct_participant d where d.user_id = ${userId}
    union select d.recipient_id from delivered_user r join delivery d on d.id = r.delivery_id where r.user_id = ${userId}`,
  source: sql`message`,
  isListed: condition`message.recipient_id = list.key`,
  id: messageId,
});

const groupLists = (groups: readonly number[]): Lists => ({
  keys: sql.join(
    groups.map((group) => sql`select cast(${group} as bigint) as key`),
    sql` union all `,
  ),
  source: sql`message_group_mention g join message on message.id = g.message_id`,
  isListed: condition`g.group_id = list.key`,
  id: sql<MessageId>`g.message_id`,
});
