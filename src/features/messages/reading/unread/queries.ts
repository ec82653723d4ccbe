import type { ActorReadTx } from '#kernel/auth';
import type { ChannelId, GroupId, MessageId, RealmId, RecipientId, UserId } from '#kernel/ids';
import { collectedIds, compiled, type Expression, type RealmReadTx, sql, type SqlBool } from '#kernel/store';
import type { StoredFlag } from '../../core/index.ts';

/** Higher than every message ID. */
const END = sql.lit(9_007_199_254_740_991);

/** A range of IDs of a conversation that a user has received and not read; both ends count. */
interface Gap {
  readonly recipient_id: RecipientId;
  readonly lo: number;
  readonly hi: number;
}

/** The ends of a `gap` within a `span`; where there is no gap, nothing of the conversation has been read. */
const LO = sql`case when span.lo > coalesce(gap.lo, 0) then span.lo else coalesce(gap.lo, 0) end`;
const HI = sql`case when span.hi < coalesce(gap.hi, ${END}) then span.hi else coalesce(gap.hi, ${END}) end`;

/**
 * The gaps between a user's read intervals in each conversation, limited to when the user received it. Gaps may
 * overlap.
 */
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
 * Selects the IDs of everything a user has received and not read. It looks only into the gaps between read intervals,
 * so the cost depends on the number of unread messages and conversations, not on what has been read. An ID may occur
 * twice.
 */
export function unreadOf(realmId: RealmId, userId: UserId): Expression<{ id: MessageId }> {
  return sql<{ id: MessageId }>`select m.id from (${gapsOf(realmId, userId)}) g cross join message m
    where m.recipient_id = g.recipient_id and m.id >= g.lo and m.id <= g.hi`;
}

/**
 * Finds the first message that the actor has received and not read and that matches all conditions. It looks into each gap
 * up to its first match, so the cost depends on the number of gaps, not on their size. Where few messages match, the
 * caller asks for one window of IDs (both ends count) after another.
 */
export async function findFirstUnread(
  tx: ActorReadTx,
  conditions: readonly Expression<SqlBool>[],
  among: { readonly first: number; readonly last: number },
): Promise<MessageId | undefined> {
  const within = sql.join([sql`message.recipient_id = g.recipient_id`, ...conditions], sql` and `);
  const { rows } = await sql<{ id: MessageId | null }>`select min(first.id) as id from (
    select (select message.id from message where ${within} and message.id >= g.lo and message.id <= g.hi
      and message.id >= ${among.first} and message.id <= ${among.last} order by message.id limit 1) as id
    from (${gapsOf(tx.realmId, tx.actor.userId)}) g) first`.execute(tx.db);
  return rows[0]?.id ?? undefined;
}

/** A message that one of several users has received and not read. */
interface UnreadBy {
  readonly user_id: UserId;
  readonly recipient_id: RecipientId;
  readonly id: MessageId;
}

/** Lists the unread messages of each user in the channels of some conversations, ascending. */
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

/** The unread messages of a topic or of a direct conversation. */
export interface UnreadGroup {
  readonly channel_id: ChannelId | null;
  readonly participants_key: string | null;
  readonly topic: string;
  readonly ids: readonly MessageId[];
}

/** Lists all of the actor's unread messages of direct conversations and subscribed channels, by an index alone. */
export async function listUnread(tx: ActorReadTx): Promise<readonly UnreadGroup[]> {
  const rows = await unreadGroups(tx, tx.actor.userId);
  // Gaps overlap where a user received a message in more than one way.
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

/** The actor's unread messages that mention everybody in their conversation. */
export async function listUnreadForAll(tx: ActorReadTx): Promise<ReadonlySet<MessageId>> {
  const { rows } = await sql<{ ids: string | null }>`select ${tx.dialect.collected('m.id')} as ids
    from (${gapsOf(tx.realmId, tx.actor.userId)}) g cross join message m
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

/** Lists the actor's unread messages that match all conditions, ascending. */
export async function listUnreadIn(
  tx: ActorReadTx,
  conditions: readonly Expression<SqlBool>[],
): Promise<readonly MessageId[]> {
  const { rows } = await sql<{ id: MessageId }>`select message.id from message
    where message.id in (${unreadOf(tx.realmId, tx.actor.userId)}) and ${sql.join([...conditions], sql` and `)}
    order by message.id`.execute(tx.db);
  return rows.map((row) => row.id);
}

/** Every conversation in which a user may have received something. */
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

/** Which messages from `oldest` on mention the actor by name or with the topic. */
export async function listMentions(
  tx: ActorReadTx,
  oldest: MessageId,
): Promise<ReadonlyMap<MessageId, ReadonlySet<StoredFlag>>> {
  const rows = await tx.db
    .selectFrom('message_flag')
    .select(['message_id', 'flag'])
    .where('realm_id', '=', tx.realmId)
    .where('user_id', '=', tx.actor.userId)
    .where('flag', 'in', ['mentioned', 'topic_wildcard_mentioned'])
    .where('message_id', '>=', oldest)
    .execute();
  const marks = new Map<MessageId, Set<StoredFlag>>();
  for (const { message_id, flag } of rows) marks.set(message_id, (marks.get(message_id) ?? new Set()).add(flag));
  return marks;
}

/** The actor's visibility policies of topics: 1 muted, 2 unmuted, 3 followed. */
interface TopicPolicyRow {
  readonly channel_id: ChannelId;
  readonly topic_key: string;
  readonly visibility_policy: number;
}

export async function listPolicies(tx: ActorReadTx): Promise<readonly TopicPolicyRow[]> {
  const { rows } = await sql<TopicPolicyRow>`select channel_id, topic_key, visibility_policy from user_topic
    where realm_id = ${tx.realmId} and user_id = ${tx.actor.userId}`.execute(tx.db);
  return rows;
}
