import type { ActorReadTx } from '#kernel/auth';
import { OPENING_METADATA } from '#features/groups';
import type { ChannelId, GroupId, MessageId } from '#kernel/ids';
import {
  cachedQuery,
  compiled,
  compiledRows,
  firstOf,
  inChunks,
  oncePerSnapshot,
  type RealmReadTx,
  type RealmWriteTx,
  sql,
  type WriteTx,
} from '#kernel/store';
import { foldCase } from '#kernel/text';
import { channel, type ChannelRow } from './tables.ts';

export type NewChannel = Omit<
  ChannelRow,
  | 'id'
  | 'name_key'
  | 'date_created'
  | 'is_archived'
  | 'first_message_id'
  | 'last_message_at'
  | 'is_recently_active'
  | 'weekly_traffic'
  | 'subscriber_count'
>;

/** Most rows of one statement, which bounds its parameters. */
const CHUNK = 500;

/** Stores channels; the rows in the order given. */
export async function insertChannels(tx: WriteTx, channels: readonly NewChannel[]): Promise<readonly ChannelRow[]> {
  const rows = channels.map((row) => ({
    ...row,
    name_key: foldCase(row.name),
    date_created: tx.now,
    is_archived: false,
    first_message_id: null,
    last_message_at: tx.now,
    is_recently_active: true,
    weekly_traffic: null,
    subscriber_count: 0,
  }));
  const made: ChannelRow[] = [];
  for (const chunk of inChunks(rows, CHUNK))
    made.push(...(await tx.db.insertInto('channel').values(chunk).returningAll().execute()));
  return made.toSorted((a, b) => a.id - b.id);
}

export const findChannel = cachedQuery(
  ['channel'],
  firstOf(
    compiled(({ db, realmId }, id: ChannelId) =>
      db.selectFrom('channel').selectAll().where('realm_id', '=', realmId).where('id', '=', id),
    ),
  ),
);

const rowsByKey = compiled(({ db, realmId, dialect }, keys: readonly string[]) =>
  db.selectFrom('channel').selectAll().where('realm_id', '=', realmId).where(dialect.anyOfText('name_key', keys)),
);

const channelsByKey = cachedQuery(
  ['channel'],
  async (tx: RealmReadTx, keys: readonly string[]): Promise<ReadonlyMap<string, ChannelRow>> => {
    const byKey = new Map((await rowsByKey(tx, keys)).map((one) => [one.name_key, one]));
    return new Map(
      keys.flatMap((key) => {
        const match = byKey.get(key);
        return match ? [[key, match]] : [];
      }),
    );
  },
);

/** Channels by folded name, archived ones included, in the order of the names. */
export async function findChannelsByName(
  tx: RealmReadTx,
  names: readonly string[],
): Promise<ReadonlyMap<string, ChannelRow>> {
  return names.length === 0 ? new Map() : channelsByKey(tx, names.map(foldCase));
}

export async function findChannels(
  tx: RealmReadTx,
  ids: readonly ChannelId[],
): Promise<ReadonlyMap<ChannelId, ChannelRow>> {
  if (ids.length === 0) return new Map();
  const [only] = ids;
  // Most pages of messages are of one channel, whose row is cached.
  if (ids.length === 1 && only !== undefined) {
    const row = await findChannel(tx, only);
    return new Map(row && [[row.id, row]]);
  }
  const rows = await channelsById(tx, ids);
  return new Map(rows.map((row) => [row.id, row]));
}

const channelsById = compiledRows(channel, ({ db, realmId, dialect }, ids: readonly ChannelId[]) =>
  db.selectFrom('channel').selectAll().where('realm_id', '=', realmId).where(dialect.anyOf('id', ids)),
);

/** How many channels are in use, and how many the actor has made since a time, archived ones included. */
export async function countChannels(
  tx: ActorReadTx,
  since: number,
): Promise<{ readonly used: number; readonly made: number }> {
  const { rows } = await sql<{ used: number; made: number }>`
    select count(case when is_archived then null else 1 end) as used,
      count(case when creator_id = ${tx.actor.userId} and date_created > ${since} then 1 end) as made
    from channel where realm_id = ${tx.realmId}`.execute(tx.db);
  return { used: Number(rows[0]?.used), made: Number(rows[0]?.made) };
}

/** All channels of the organization, archived ones included, by folded name. */
export function listChannels(tx: RealmReadTx): Promise<readonly ChannelRow[]> {
  return channelsOnce(tx, `${tx.realmId}`, () => allChannels(tx));
}

const channelsOnce = oncePerSnapshot<readonly ChannelRow[]>();

const allChannels = compiledRows(channel, ({ db, realmId }) =>
  db.selectFrom('channel').selectAll().where('realm_id', '=', realmId).orderBy('name_key'),
);

/**
 * Private channels, archived ones included, that one of the groups lets people know of. See protocol/channels#access.
 */
export function privateChannelsShownBy(tx: RealmReadTx, groupIds: readonly GroupId[]): Promise<readonly ChannelRow[]> {
  return tx.db
    .selectFrom('channel')
    .selectAll()
    .where('realm_id', '=', tx.realmId)
    .where('invite_only', '=', true)
    .where((where) => where.or(OPENING_METADATA.map((column) => tx.dialect.anyOf(column, groupIds))))
    .orderBy('id')
    .execute();
}

/** Adds to each channel's number of active subscribers. */
export async function addToSubscriberCounts(tx: RealmWriteTx, changes: ReadonlyMap<ChannelId, number>): Promise<void> {
  const changed = [...changes].filter(([, change]) => change !== 0);
  for (const chunk of inChunks(changed, CHUNK)) {
    const ids = chunk.map(([id]) => id);
    const cases = chunk.map(([id, change]) => sql`when ${id} then ${change}`);
    // The literal 0 makes PostgreSQL infer that the parameters are numbers.
    const change = sql<number>`case id ${sql.join(cases, sql` `)} else 0 end`;
    await tx.db
      .updateTable('channel')
      .set({ subscriber_count: sql<number>`subscriber_count + ${change}` })
      .where('realm_id', '=', tx.realmId)
      .where(tx.dialect.anyOf('id', ids))
      .execute();
  }
}

/** Changes columns of one channel. */
export async function setChannel(
  tx: RealmWriteTx,
  id: ChannelId,
  values: Partial<Omit<ChannelRow, 'id' | 'realm_id'>>,
): Promise<void> {
  await tx.db.updateTable('channel').set(values).where('realm_id', '=', tx.realmId).where('id', '=', id).execute();
}

/** Whether a message of the channel is in a topic that has a name. */
export async function hasNamedTopic(tx: RealmReadTx, channelId: ChannelId): Promise<boolean> {
  const row = await tx.db
    .selectFrom('message')
    .select('id')
    .where('realm_id', '=', tx.realmId)
    .where('channel_id', '=', channelId)
    .where('topic', '!=', '')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Records a new message of a channel: its time, that the channel is recently active, and its ID if it is the channel's
 * first message. Returns the ID of the first message.
 */
export async function setNewestMessage(
  tx: RealmWriteTx,
  channelId: ChannelId,
  messageId: MessageId,
): Promise<MessageId | null> {
  const [row] = await recordMessage(tx, tx.now, messageId, channelId);
  return row?.first_message_id ?? null;
}

const recordMessage = compiled(({ db, realmId }, now: number, messageId: MessageId, channelId: ChannelId) =>
  db
    .updateTable('channel')
    .set({
      last_message_at: now,
      is_recently_active: true,
      first_message_id: sql<MessageId>`coalesce(first_message_id, ${messageId})`,
    })
    .where('realm_id', '=', realmId)
    .where('id', '=', channelId)
    .returning('first_message_id'),
);

/** Stores the first existing message of each channel, and returns these; one index lookup for each. */
export async function setFirstMessages(
  tx: RealmWriteTx,
  channelIds: readonly ChannelId[],
): Promise<ReadonlyMap<ChannelId, MessageId | null>> {
  const oldest = sql<MessageId | null>`(
    select min(message.id) from message
    where message.realm_id = ${tx.realmId} and message.recipient_id = channel.recipient_id
  )`;
  const rows = await tx.db
    .updateTable('channel')
    .set({ first_message_id: oldest })
    .where('realm_id', '=', tx.realmId)
    .where(tx.dialect.anyOf('id', channelIds))
    .returning(['id', 'first_message_id'])
    .execute();
  return new Map(rows.map((row) => [row.id, row.first_message_id]));
}
