import type { ActorReadTx } from '#kernel/auth';
import type { ChannelId, GroupId, MessageId, RealmId, RecipientId, UserId } from '#kernel/ids';
import {
  collectedIds,
  compiled,
  type Expression,
  type RawBuilder,
  type RealmReadTx,
  sql,
  type SqlBool,
} from '#kernel/store';
import { ascending } from '#kernel/lists';
import { boundsOf, EVERYTHING, type StoredFlag, type Window, windows } from '../../core/index.ts';

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
 * The gaps between a user's read intervals in each conversation, limited to when the user received it, and the unread
 * messages that were received one by one, of these only those from `first` to `last`. Gaps may overlap.
 */
function gapsOf(realmId: RealmId, userId: UserId, { first, last }: Window): RawBuilder<Gap> {
  return sql<Gap>`
    select span.recipient_id, ${LO} as lo, ${HI} as hi
    from (
      select c.recipient_id, s.after_message_id + 1 as lo, coalesce(s.until_message_id, ${END}) as hi
        from subscription_period s join channel c on c.id = s.channel_id
        where s.realm_id = ${realmId} and s.user_id = ${userId}
      union all select d.recipient_id, 1, ${END} from direct_participant d
        where d.realm_id = ${realmId} and d.user_id = ${userId}
    ) span left join (
      select recipient_id, last_id + 1 as lo,
        coalesce(lead(first_id) over (partition by recipient_id order by first_id) - 1, ${END}) as hi
        from read_interval where realm_id = ${realmId} and user_id = ${userId}
      union all select recipient_id, 0, min(first_id) - 1
        from read_interval where realm_id = ${realmId} and user_id = ${userId} group by recipient_id
    ) gap on gap.recipient_id = span.recipient_id
    union all select h.recipient_id, h.id, h.id from message_flag f join message h on h.id = f.message_id
      where f.realm_id = ${realmId} and f.user_id = ${userId} and ${isReceivedAlone(realmId)}
        and f.message_id >= ${first} and f.message_id <= ${last}`;
}

/**
 * Whether the flag `f` says that its user received the message `h` by itself, and the message is unread. Only the read
 * interval that begins before the message is looked at, as a user may have received thousands of them in one channel.
 */
const isReceivedAlone = (realmId: RealmId) => sql<SqlBool>`f.flag in ('historical', 'delivered') and h.id > coalesce((
  select i.last_id from read_interval i
    where i.realm_id = ${realmId} and i.user_id = f.user_id and i.recipient_id = h.recipient_id and i.first_id <= h.id
    order by i.first_id desc limit 1), 0)`;

/**
 * Selects the IDs of everything a user has received and not read. It looks only into the gaps between read intervals,
 * so the cost depends on the number of unread messages and conversations, not on what has been read. An ID may occur
 * twice. Only IDs from `first` to `last` are looked at.
 */
export function unreadOf(realmId: RealmId, userId: UserId, window: Window): Expression<{ id: MessageId }> {
  return sql<{ id: MessageId }>`select m.id from (${gapsOf(realmId, userId, window)}) g cross join message m
    where ${isInGap('m', window)}`;
}

/** Whether a message is in the gap `g` and in a window of IDs. */
function isInGap(message: string, { first, last }: Window): RawBuilder<SqlBool> {
  const [recipient, id] = [sql.ref(`${message}.recipient_id`), sql.ref(`${message}.id`)];
  return sql<SqlBool>`${recipient} = g.recipient_id
    and ${id} >= case when g.lo > ${first} then g.lo else ${first} end
    and ${id} <= case when g.hi < ${last} then g.hi else ${last} end`;
}

/** How `messagesInGaps` joins messages. */
interface Joining {
  /** Columns that are read beside the ID. */
  readonly columns?: readonly string[];
  /** Conditions about `message`, beyond that it is in a gap. */
  readonly conditions?: readonly Expression<SqlBool>[];
}

/** Source of a select in which `message` is each message of the user's gaps `g` that is in a window of IDs. */
function messagesInGaps(
  { realmId, dialect }: Pick<RealmReadTx, 'realmId' | 'dialect'>,
  userId: UserId,
  window: Window,
  { columns = [], conditions = [] }: Joining = {},
): RawBuilder<unknown> {
  return dialect.joinedByRange(sql`(${gapsOf(realmId, userId, window)}) g`, {
    table: 'message',
    as: 'message',
    columns: ['id', ...columns],
    where: sql<SqlBool>`${sql.join([isInGap('message', window), ...conditions], sql` and `)}`,
  });
}

/**
 * Finds the first message that the actor has received and not read and that matches all conditions. It looks into each
 * gap up to its first match, so the cost depends on the number of gaps, not on their size. Where few messages match,
 * the caller asks for one window of IDs (both ends count) after another.
 */
export async function findFirstUnread(
  tx: ActorReadTx,
  conditions: readonly Expression<SqlBool>[],
  among: Window,
): Promise<MessageId | undefined> {
  const within = sql.join([sql`message.recipient_id = g.recipient_id`, ...conditions], sql` and `);
  const { rows } = await sql<{ id: MessageId | null }>`select min(first.id) as id from (
    select (select message.id from message where ${within} and message.id >= g.lo and message.id <= g.hi
      and message.id >= ${among.first} and message.id <= ${among.last} order by message.id limit 1) as id
    from (${gapsOf(tx.realmId, tx.actor.userId, among)}) g) first`.execute(tx.db);
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
    select distinct g.user_id, m.recipient_id, m.id
    from ${tx.dialect.joinedByRange(
      sql`(
      select span.user_id, span.recipient_id, ${LO} as lo, ${HI} as hi from (
        select s.user_id, c.recipient_id, s.after_message_id + 1 as lo, coalesce(s.until_message_id, ${END}) as hi
          from subscription_period s join channel c on c.id = s.channel_id
          where s.realm_id = ${tx.realmId} and ${users('s.user_id')} and ${places('c.recipient_id')}
      ) span left join (
        select user_id, recipient_id, last_id + 1 as lo,
          coalesce(lead(first_id) over (partition by user_id, recipient_id order by first_id) - 1, ${END}) as hi
          from read_interval where realm_id = ${tx.realmId} and ${users('user_id')} and ${places('recipient_id')}
        union all select user_id, recipient_id, 0, min(first_id) - 1 from read_interval
          where realm_id = ${tx.realmId} and ${users('user_id')} and ${places('recipient_id')}
          group by user_id, recipient_id
      ) gap on gap.user_id = span.user_id and gap.recipient_id = span.recipient_id
      union all select f.user_id, h.recipient_id, h.id, h.id from message_flag f join message h on h.id = f.message_id
        where f.realm_id = ${tx.realmId} and ${users('f.user_id')} and ${places('h.recipient_id')} and ${isReceivedAlone(tx.realmId)}
    ) g`,
      {
        table: 'message',
        as: 'm',
        columns: ['id', 'recipient_id'],
        where: sql<SqlBool>`m.recipient_id = g.recipient_id and m.id >= g.lo and m.id <= g.hi`,
      },
    )}
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

/** Most unread messages that one query collects where queries block the process (SQLite). */
const AT_ONCE = 16_384;
/**
 * Message IDs that one query looks at on a database server: the query does not block the process, but parsing its
 * result does.
 */
const WIDTH_ON_SERVER = 2 ** 18;

/**
 * The windows of message IDs, newest first, in which to look for what the actor has not read. On SQLite one window,
 * unless so much is unread that collecting it would keep other requests waiting.
 */
async function* windowsOfUnread(tx: ActorReadTx): AsyncGenerator<Window> {
  if (!isOnServer(tx) && (await countUnread(tx, tx.actor.userId))[0]?.count !== AT_ONCE) yield EVERYTHING;
  else yield* windowsOfAll(tx);
}

/** All windows of message IDs, newest first, each as wide as one query may look at. */
async function* windowsOfAll(tx: ActorReadTx): AsyncGenerator<Window> {
  const width = isOnServer(tx) ? WIDTH_ON_SERVER : AT_ONCE;
  yield* windows(await boundsOf(tx, 'id', EVERYTHING), true, { width, isFixed: true });
}

/** Whether queries run in a database server and do not block the process. */
const isOnServer = ({ dialect }: ActorReadTx) => dialect.snapshotsAtOnce > 1;

/** Counts unread messages, `AT_ONCE` at most. */
const countUnread = compiled(
  ({ realmId }, userId: UserId) => sql<{ readonly count: number }>`
    select count(*) as count from (${unreadOf(realmId, userId, EVERYTHING)} limit ${sql.lit(AT_ONCE)}) unread`,
);

/** Lists the actor's unread messages of direct conversations and subscribed channels: at least the newest `most`. */
export async function listUnread(tx: ActorReadTx, most: number): Promise<readonly UnreadGroup[]> {
  const groups = new Map<string, Omit<UnreadGroup, 'ids'> & { readonly ids: Set<MessageId> }>();
  let count = 0;
  for await (const found of unreadInSteps(tx)) {
    for (const { ids, ...place } of found) {
      const key = JSON.stringify(place);
      const group = groups.get(key) ?? { ...place, ids: new Set<MessageId>() };
      groups.set(key, group);
      // Gaps overlap where a user received a message in more than one way.
      const before = group.ids.size;
      for (const id of ids) group.ids.add(id);
      count += group.ids.size - before;
    }
    if (count >= most) break;
  }
  return [...groups.values()].map((group) => ({ ...group, ids: [...group.ids] }));
}

/** The actor's unread messages, newest windows first: on SQLite all at once, unless that might be too much at once. */
async function* unreadInSteps(tx: ActorReadTx): AsyncGenerator<readonly UnreadGroup[]> {
  if (!isOnServer(tx)) {
    const groups = unreadGroupsOf(await fewUnreadGroups(tx, tx.actor.userId));
    if (groups.reduce((sum, { ids }) => sum + ids.length, 0) < AT_ONCE) {
      yield groups;
      return;
    }
  }
  for await (const { first, last } of windowsOfAll(tx))
    yield unreadGroupsOf(await unreadGroups(tx, tx.actor.userId, first, last));
}

type UnreadGroupRow = Omit<UnreadGroup, 'ids'> & { readonly ids: string };

function unreadGroupsOf(rows: readonly UnreadGroupRow[]): readonly UnreadGroup[] {
  return rows.map((row) => ({ ...row, ids: collectedIds<MessageId>(row.ids) }));
}

/** The columns by which unread messages are grouped. */
const GROUPED: Joining = { columns: ['recipient_id', 'topic'] };

const unreadGroups = compiled((tx, userId: UserId, first: number, last: number) =>
  selectUnreadGroups(tx, userId, messagesInGaps(tx, userId, { first, last }, GROUPED)),
);

/** The same of all windows together, of at most `AT_ONCE` messages: who has as many unread is asked for in windows. */
const fewUnreadGroups = compiled((tx, userId: UserId) =>
  selectUnreadGroups(
    tx,
    userId,
    sql`(select message.recipient_id, message.topic, message.id
      from ${messagesInGaps(tx, userId, EVERYTHING, GROUPED)} limit ${sql.lit(AT_ONCE)}) message`,
  ),
);

/** Groups the messages of a source, `message`, by conversation and topic. */
function selectUnreadGroups(
  { realmId, dialect }: Pick<RealmReadTx, 'realmId' | 'dialect'>,
  userId: UserId,
  source: RawBuilder<unknown>,
): RawBuilder<UnreadGroupRow> {
  return sql<UnreadGroupRow>`
    select r.channel_id, r.participants_key, unread.topic, unread.ids from (
      select message.recipient_id, message.topic, ${dialect.collected('message.id')} as ids
        from ${source} group by message.recipient_id, message.topic
    ) unread join recipient r on r.id = unread.recipient_id
    where r.realm_id = ${realmId} and (r.channel_id is null or exists (select 1 from subscription t
      where t.channel_id = r.channel_id and t.user_id = ${userId} and t.is_subscribed = true))`;
}

/** The actor's unread messages from `oldest` on that mention everybody in their conversation. */
export async function listUnreadForAll(tx: ActorReadTx, oldest: MessageId): Promise<ReadonlySet<MessageId>> {
  const window = { first: oldest, last: EVERYTHING.last };
  const { rows } = await sql<{ ids: string | null }>`select ${tx.dialect.collected('message.id')} as ids
    from ${messagesInGaps(tx, tx.actor.userId, window, { conditions: [sql<SqlBool>`message.mentions_channel`] })}`.execute(
    tx.db,
  );
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

/** Lists the actor's unread messages that match all conditions, which are about `message`; ascending. */
export async function listUnreadIn(
  tx: ActorReadTx,
  conditions: readonly Expression<SqlBool>[],
): Promise<readonly MessageId[]> {
  const ids = new Set<MessageId>();
  for await (const window of windowsOfUnread(tx)) {
    const found = messagesInGaps(tx, tx.actor.userId, window, { conditions });
    const { rows } = await sql<{ id: MessageId }>`select message.id from ${found}`.execute(tx.db);
    for (const { id } of rows) ids.add(id);
  }
  return ascending([...ids]);
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
