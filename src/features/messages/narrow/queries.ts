import { type WayToRead, waysToRead } from '#features/channels';
import type { ChannelId, GroupId, RealmId, RecipientId, UserId } from '#kernel/ids';
import { type Expression, type ReadTx, reference, sql, type SqlBool } from '#kernel/store';
import { EVERYTHING, isReceived, type StoredFlag, type Window } from '../core/index.ts';
import { unreadOf } from '../reading/index.ts';

/** A condition on the table `message`. */
export type Condition = Expression<SqlBool>;

/** A condition, or a function that makes one for the messages of a window. */
export type Asked = Condition | ((window: Window) => Condition);

/** The conditions for the messages of a window. */
export const askedWithin = (asked: readonly Asked[], window: Window = EVERYTHING): readonly Condition[] =>
  asked.map((one) => (typeof one === 'function' ? one(window) : one));

/** The reader, as far as conditions depend on them. The user's groups may give access to private channels. */
export interface Reader {
  readonly userId: UserId;
  /** Null for a spectator. */
  readonly role: number | null;
  readonly groups: ReadonlySet<GroupId>;
}

export const condition = sql<SqlBool>;

export const negation = (inner: Condition): Condition => condition`not (${inner})`;
export const conjunction = (conditions: readonly Condition[]): Condition =>
  condition`(${sql.join([...conditions], sql` and `)})`;
export const always: Condition = condition`1 = 1`;
export const never: Condition = condition`1 = 0`;
export const inConversation = (id: RecipientId): Condition => condition`message.recipient_id = ${id}`;
export const withTopic = (key: string): Condition =>
  condition`(message.channel_id is not null and message.topic_key = ${key})`;
export const isDirect: Condition = condition`message.channel_id is null`;
export const sentBy = (id: UserId): Condition => condition`message.sender_id = ${id}`;
export const withId = (id: number): Condition => condition`message.id = ${id}`;
export const isResolved: Condition = condition`(message.channel_id is not null and message.topic like '✔ %')`;
export const hasAttachment: Condition = condition`message.has_attachment = true`;
export const hasImage: Condition = condition`message.has_image = true`;
export const hasLink: Condition = condition`message.has_link = true`;

export const hasReaction: Condition = condition`exists (select 1 from reaction r where r.message_id = message.id)`;

/** In a channel that is not private. */
export const inPublicChannel: Condition = condition`exists (
  select 1 from channel c where c.id = message.channel_id and c.invite_only = false)`;
export const inWebPublicChannel: Condition = condition`exists (
  select 1 from channel c where c.id = message.channel_id and c.is_web_public = true)`;
export const inArchivedChannel: Condition = condition`exists (
  select 1 from channel c where c.id = message.channel_id and c.is_archived = true)`;

export const includesPerson = (id: UserId): Condition => condition`exists (
  select 1 from direct_participant p where p.recipient_id = message.recipient_id and p.user_id = ${id})`;
/** In a conversation of three people or more. */
export const inGroup: Condition = condition`(
  select count(*) from direct_participant p where p.recipient_id = message.recipient_id) >= 3`;

/** Limited to the window: reading all of a user's flags again for each window would take quadratic time. */
export const withFlag =
  (tx: ReadTx, userId: UserId, ...flags: readonly StoredFlag[]): Asked =>
  ({ first, last }) =>
    condition`message.id in (select f.message_id from message_flag f
      where f.user_id = ${userId} and ${tx.dialect.anyOfText('f.flag', flags)}
        and f.message_id >= ${first} and f.message_id <= ${last})`;

export const isUnread =
  (realmId: RealmId, userId: UserId): Asked =>
  (window) =>
    condition`message.id in (${unreadOf(realmId, userId, window)})`;

/** Condition that the reader's policy of the topic is one of these: 1 muted, 2 unmuted, 3 followed. */
const hasPolicy = (userId: UserId, policies: Condition): Condition => condition`exists (select 1 from user_topic u
  where u.user_id = ${userId} and u.channel_id = message.channel_id and u.topic_key = message.topic_key
    and ${policies})`;

export const isFollowed = (userId: UserId): Condition => hasPolicy(userId, condition`u.visibility_policy = 3`);

/** In a muted topic, or in a muted channel unless the topic is unmuted or followed. See protocol/narrows#operators. */
export const isMuted = (userId: UserId): Condition => condition`(message.channel_id is not null and (
  ${hasPolicy(userId, condition`u.visibility_policy = 1`)}
  or (exists (select 1 from subscription t
      where t.channel_id = message.channel_id and t.user_id = ${userId} and t.is_muted = true)
    and not ${hasPolicy(userId, condition`u.visibility_policy in (2, 3)`)})))`;

/**
 * Not hidden by muting. In channels that the narrow names, only muted topics are hidden. See protocol/fetching#anchors,
 * `first_unread`.
 */
export const notHidden = (tx: ReadTx, userId: UserId, named: readonly ChannelId[]): Condition =>
  condition`(message.channel_id is null or not ${isMuted(userId)}
    or (${tx.dialect.anyOf('message.channel_id', named)} and not ${hasPolicy(userId, condition`u.visibility_policy = 1`)}))`;

/**
 * Mentions the reader by name, in a group, or with everybody. A reader who never received the message is not mentioned.
 */
export const mentions = (tx: ReadTx, { userId, groups }: Reader): Condition => condition`(
  (message.mentions_channel or ${hasFlag(userId, 'mentioned')} or ${hasFlag(userId, 'topic_wildcard_mentioned')}
    or (message.mentions_groups and exists (select 1 from message_group_mention g
      where g.message_id = message.id and ${tx.dialect.anyOf('g.group_id', [...groups])})))
  and not ${hasFlag(userId, 'historical')})`;

const hasFlag = (userId: UserId, flag: StoredFlag): Condition => condition`exists (select 1 from message_flag f
  where f.message_id = message.id and f.user_id = ${userId} and f.flag = ${flag})`;

/**
 * Has all words of one of the searches, by the full-text index. Limited to the window, because gathering all messages
 * with a common word takes long.
 */
export const hasWords = (tx: ReadTx, { first, last }: Window, ...searches: readonly (readonly string[])[]): Condition =>
  condition`message.id in (select hit.id from (${tx.dialect.search.idsWith(...searches)}) hit
    where hit.id >= ${first} and hit.id <= ${last})`;

/** Has the text in its source or, for channel messages, in its topic; case is ignored. */
export const contains = (tx: ReadTx, text: string): Condition =>
  condition`(${tx.dialect.containsText('message.content', text)}
    or (message.channel_id is not null and ${tx.dialect.containsText('message.topic', text)}))`;

/** Messages that reached the reader and that the reader may still read. See protocol/fetching#visibility. */
export const receivedAndOpen = (tx: ReadTx, reader: Reader): Condition =>
  condition`(${isReceived(reader.userId)} and (message.channel_id is null or exists (
    select 1 from channel c where c.id = message.channel_id and ${openTo(tx, reader)})))`;

/** Whether the channel `c` is open to the reader. */
function openTo(tx: ReadTx, { userId, role, groups }: Reader): Condition {
  const ids = [...groups];
  const open = (way: WayToRead): Condition => {
    if (way === 'subscription')
      return condition`exists (select 1 from subscription t
        where t.channel_id = c.id and t.user_id = ${userId} and t.is_subscribed = true)`;
    if ('permission' in way) return tx.dialect.anyOf(`c.${way.permission}`, ids);
    return condition`${reference(`c.${way.flag}`)} = ${sql.lit(way.is)}`;
  };
  return condition`(${sql.join(waysToRead(role).map(open), sql` or `)})`;
}
