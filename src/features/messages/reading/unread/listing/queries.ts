import type { ActorReadTx } from '#kernel/auth';
import type { ChannelId, MessageId, UserId } from '#kernel/ids';
import { ascending } from '#kernel/lists';
import {
  collectedIds,
  compiled,
  type Expression,
  type RawBuilder,
  type RealmReadTx,
  sql,
  type SqlBool,
} from '#kernel/store';
import { boundsOf, EVERYTHING, type Window, windows } from '../../../core/index.ts';
import { type Joining, messagesInGaps, unreadOf } from '../gaps/queries.ts';

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
