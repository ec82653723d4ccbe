import type { ChannelId, GroupId, MessageId, RealmId, RecipientId, UserId } from '#kernel/ids';
import { collectedIds, compiled, type Expression, type RealmReadTx, sql, type SqlBool } from '#kernel/store';
import type { StoredFlag } from '../../core/index.ts';

/** Above every message ID. */
const END = sql.lit(9_007_199_254_740_991);

/** A stretch of a conversation that a user has received and not read; its ends count. */
interface Gap {
  readonly recipient_id: RecipientId;
  readonly lo: number;
  readonly hi: number;
}

/** Where a `gap` within a `span` begins and ends; without a gap nothing of the conversation has been read. */
const LO = sql`case when span.lo > coalesce(gap.lo, 0) then span.lo else coalesce(gap.lo, 0) end`;
const HI = sql`case when span.hi < coalesce(gap.hi, ${END}) then span.hi else coalesce(gap.hi, ${END}) end`;

/** What lies between a user's intervals, in each conversation while the user received it. Gaps may overlap. */
function gapsOf(realmId: RealmId, userId: UserId): Expression<Gap> {
  return sql<Gap>`
    select span.recipient_id, ${LO} as lo, ${HI} as hi
    from (
      select c.recipient_id, s.after_message_id + 1 as lo, coalesce(s.until_message_id, ${END}) as hi
        from subscription_period s join channel c on c.id = s.channel_id
        where s.realm_id = ${realmId} and s.user_id = ${userId}
      union all select d.recipient_id, 1, ${END} from direct_participant d
        where d.realm_id = ${realmId} and d.user_id = ${userId}
      union all select h.recipient_id, h.id, h.id from message_flag f join message h on h.id = f.message_id
        where f.realm_id = ${realmId} and f.user_id = ${userId} and f.flag in ('historical', 'delivered')
    ) span left join (
      select recipient_id, last_id + 1 as lo,
        coalesce(lead(first_id) over (partition by recipient_id order by first_id) - 1, ${END}) as hi
        from read_interval where realm_id = ${realmId} and user_id = ${userId}
      union all select recipient_id, 0, min(first_id) - 1
        from read_interval where realm_id = ${realmId} and user_id = ${userId} group by recipient_id
    ) gap on gap.recipient_id = span.recipient_id`;
}

/**
 * IDs of everything a user has received and not read. Only the gaps between the intervals are looked into: what it costs
 * follows the number of unread messages and of conversations, not what has been read. An ID may come twice.
 */
export function unreadOf(realmId: RealmId, userId: UserId): Expression<{ id: MessageId }> {
  return sql<{ id: MessageId }>`select m.id from (${gapsOf(realmId, userId)}) g cross join message m
    where m.recipient_id = g.recipient_id and m.id >= g.lo and m.id <= g.hi`;
}

/**
 * The first message that a user has received and not read, among those that all conditions let through. Each gap is
 * looked into up to its first such message: what it costs follows the number of gaps, however much they hold. Where few
 * pass the conditions, it is asked for one window of IDs (ends count) after another.
 */
export async function findFirstUnread(
  tx: RealmReadTx,
  userId: UserId,
  conditions: readonly Expression<SqlBool>[],
  among: { readonly first: number; readonly last: number },
): Promise<MessageId | undefined> {
  const within = sql.join([sql`message.recipient_id = g.recipient_id`, ...conditions], sql` and `);
  const { rows } = await sql<{ id: MessageId | null }>`select min(first.id) as id from (
    select (select message.id from message where ${within} and message.id >= g.lo and message.id <= g.hi
      and message.id >= ${among.first} and message.id <= ${among.last} order by message.id limit 1) as id
    from (${gapsOf(tx.realmId, userId)}) g) first`.execute(tx.db);
  return rows[0]?.id ?? undefined;
}

/** A message that one of several users has received and not read. */
interface UnreadBy {
  readonly user_id: UserId;
  readonly recipient_id: RecipientId;
  readonly id: MessageId;
}

/** What each of the users has received and not read in the channels of some conversations, ascending. */
export async function listUnreadBy(
  tx: RealmReadTx,
  userIds: readonly UserId[],
  recipientIds: readonly RecipientId[],
): Promise<readonly UnreadBy[]> {
  const users = (column: string) => tx.dialect.anyOf(column, userIds);
  const places = (column: string) => tx.dialect.anyOf(column, recipientIds);
  const { rows } = await sql<UnreadBy>`
    select distinct span.user_id, m.recipient_id, m.id from (
      select s.user_id, c.recipient_id, s.after_message_id + 1 as lo, coalesce(s.until_message_id, ${END}) as hi
        from subscription_period s join channel c on c.id = s.channel_id
        where s.realm_id = ${tx.realmId} and ${users('s.user_id')} and ${places('c.recipient_id')}
      union all select f.user_id, h.recipient_id, h.id, h.id from message_flag f join message h on h.id = f.message_id
        where f.realm_id = ${tx.realmId} and ${users('f.user_id')} and f.flag in ('historical', 'delivered')
          and ${places('h.recipient_id')}
    ) span left join (
      select user_id, recipient_id, last_id + 1 as lo,
        coalesce(lead(first_id) over (partition by user_id, recipient_id order by first_id) - 1, ${END}) as hi
        from read_interval where realm_id = ${tx.realmId} and ${users('user_id')} and ${places('recipient_id')}
      union all select user_id, recipient_id, 0, min(first_id) - 1 from read_interval
        where realm_id = ${tx.realmId} and ${users('user_id')} and ${places('recipient_id')}
        group by user_id, recipient_id
    ) gap on gap.user_id = span.user_id and gap.recipient_id = span.recipient_id
    cross join message m
    where m.recipient_id = span.recipient_id and m.id >= ${LO} and m.id <= ${HI}
    order by m.id`.execute(tx.db);
  return rows;
}

/** What is unread of a topic, or of a direct conversation. */
export interface UnreadGroup {
  readonly channel_id: ChannelId | null;
  readonly participants_key: string | null;
  readonly topic: string;
  readonly ids: readonly MessageId[];
}

/** Everything unread in direct conversations and in subscribed channels; read from an index alone. */
export async function listUnread(tx: RealmReadTx, userId: UserId): Promise<readonly UnreadGroup[]> {
  const rows = await unreadGroups(tx, userId);
  // Gaps overlap where a message came in more than one way.
  return rows.map((row) => ({ ...row, ids: [...new Set(collectedIds<MessageId>(row.ids))] }));
}

const unreadGroups = compiled(
  ({ realmId, dialect }, userId: UserId) => sql<Omit<UnreadGroup, 'ids'> & { readonly ids: string }>`
    select r.channel_id, r.participants_key, unread.topic, unread.ids from (
      select g.recipient_id, m.topic, ${dialect.collected('m.id')} as ids
        from (${gapsOf(realmId, userId)}) g cross join message m
        where m.recipient_id = g.recipient_id and m.id >= g.lo and m.id <= g.hi
        group by g.recipient_id, m.topic
    ) unread join recipient r on r.id = unread.recipient_id
    where r.realm_id = ${realmId} and (r.channel_id is null or exists (select 1 from subscription t
      where t.channel_id = r.channel_id and t.user_id = ${userId} and t.is_subscribed = true))`,
);

/** What is unread and mentions everybody in its conversation. */
export async function listUnreadForAll(tx: RealmReadTx, userId: UserId): Promise<ReadonlySet<MessageId>> {
  const { rows } = await sql<{ ids: string | null }>`select ${tx.dialect.collected('m.id')} as ids
    from (${gapsOf(tx.realmId, userId)}) g cross join message m
    where m.recipient_id = g.recipient_id and m.mentions_channel and m.id >= g.lo and m.id <= g.hi`.execute(tx.db);
  return new Set(collectedIds<MessageId>(rows[0]?.ids ?? '[]'));
}

/** Which messages from `oldest` on mention one of the groups. */
export async function listGroupMentions(
  tx: RealmReadTx,
  groups: ReadonlySet<GroupId>,
  oldest: MessageId,
): Promise<ReadonlySet<MessageId>> {
  const rows = await tx.db
    .selectFrom('message_group_mention')
    .select('message_id')
    .where('realm_id', '=', tx.realmId)
    .where(tx.dialect.anyOf('group_id', [...groups]))
    .where('message_id', '>=', oldest)
    .execute();
  return new Set(rows.map((row) => row.message_id));
}

/** What a user has not read among the messages that all conditions let through, ascending. */
export async function listUnreadIn(
  tx: RealmReadTx,
  userId: UserId,
  conditions: readonly Expression<SqlBool>[],
): Promise<readonly MessageId[]> {
  const { rows } = await sql<{ id: MessageId }>`select message.id from message
    where message.id in (${unreadOf(tx.realmId, userId)}) and ${sql.join([...conditions], sql` and `)}
    order by message.id`.execute(tx.db);
  return rows.map((row) => row.id);
}

/** Every conversation that may hold something a user has received. */
export async function conversationsOf(tx: RealmReadTx, userId: UserId): Promise<readonly RecipientId[]> {
  const { rows } = await sql<{ id: RecipientId }>`
    select c.recipient_id as id from subscription_period s join channel c on c.id = s.channel_id
      where s.realm_id = ${tx.realmId} and s.user_id = ${userId}
    union select recipient_id from direct_participant where realm_id = ${tx.realmId} and user_id = ${userId}
    union select m.recipient_id from message_flag f join message m on m.id = f.message_id
      where f.realm_id = ${tx.realmId} and f.user_id = ${userId} and f.flag in ('historical', 'delivered')`.execute(
    tx.db,
  );
  return rows.map((row) => row.id);
}

/** Which messages from `oldest` on mention a user by name or with the topic. */
export async function listMentions(
  tx: RealmReadTx,
  userId: UserId,
  oldest: MessageId,
): Promise<ReadonlyMap<MessageId, ReadonlySet<StoredFlag>>> {
  const rows = await tx.db
    .selectFrom('message_flag')
    .select(['message_id', 'flag'])
    .where('realm_id', '=', tx.realmId)
    .where('user_id', '=', userId)
    .where('flag', 'in', ['mentioned', 'topic_wildcard_mentioned'])
    .where('message_id', '>=', oldest)
    .execute();
  const marks = new Map<MessageId, Set<StoredFlag>>();
  for (const { message_id, flag } of rows) marks.set(message_id, (marks.get(message_id) ?? new Set()).add(flag));
  return marks;
}

/** What a user has set about topics: 1 muted, 2 unmuted, 3 followed. */
interface TopicPolicyRow {
  readonly channel_id: ChannelId;
  readonly topic_key: string;
  readonly visibility_policy: number;
}

export async function listPolicies(tx: RealmReadTx, userId: UserId): Promise<readonly TopicPolicyRow[]> {
  const { rows } = await sql<TopicPolicyRow>`select channel_id, topic_key, visibility_policy from user_topic
    where realm_id = ${tx.realmId} and user_id = ${userId}`.execute(tx.db);
  return rows;
}
