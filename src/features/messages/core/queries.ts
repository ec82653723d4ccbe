import type { ActorReadTx } from '#kernel/auth';
import { invariant } from '#kernel/errors';
import { asId, type MessageId, type RealmId, type RecipientId, type UserId } from '#kernel/ids';
import { grouped } from '#kernel/lists';
import {
  cachedQuery,
  collectedIds,
  compiled,
  compiledColumns,
  compiledRows,
  compiledServerWide,
  inChunks,
  inParts,
  type RealmReadTx,
  sql,
  type SqlBool,
  type WriteTx,
} from '#kernel/store';
import { foldCase } from '#kernel/text';
import { message, type MessageHead, type MessageRow, type SubmessageRow } from './tables.ts';

export type NewMessage = Omit<
  MessageRow,
  'id' | 'topic_key' | 'sent_at' | 'edit_history' | 'last_edit_at' | 'last_moved_at'
>;

export async function insertMessage(tx: WriteTx, row: NewMessage): Promise<MessageRow> {
  const whole = {
    ...row,
    topic_key: foldCase(row.topic),
    sent_at: tx.now,
    edit_history: null,
    last_edit_at: null,
    last_moved_at: null,
  };
  if (tx.later) {
    const stored = { id: asId<MessageId>(await tx.later.newId(message)), ...whole };
    tx.later.insert(message, stored, { isNew: true });
    return stored;
  }
  const [inserted] = await insertRow(tx, { ...whole, topic_links: JSON.stringify(row.topic_links) });
  invariant(inserted, 'an inserted message has an ID');
  return { id: inserted.id, ...whole };
}

type WholeRow = Omit<MessageRow, 'id' | 'topic_links'> & { readonly topic_links: string; readonly edit_history: null };
const insertRow = compiledServerWide(({ db }, row: WholeRow) => db.insertInto('message').values(row).returning('id'));

/** Messages by ID, ascending; unknown IDs are left out. */
export async function findMessages(tx: RealmReadTx, ids: readonly MessageId[]): Promise<readonly MessageRow[]> {
  if (ids.length === 0) return [];
  return messagesById(tx, ids);
}

const messagesById = compiledRows(message, ({ db, realmId, dialect }, ids: readonly MessageId[]) =>
  db.selectFrom('message').selectAll().where(isOf(realmId)).where(dialect.anyOf('id', ids)).orderBy('id'),
);

/** Most bytes of a message's earlier versions that are read with it for a list. See protocol/messages#message-object. */
const MAX_LISTED_HISTORY = 50_000;

/** `findMessages` for lists: of a message with more earlier versions `edit_history` is empty, and they are not read. */
export async function findListed(tx: RealmReadTx, ids: readonly MessageId[]): Promise<readonly MessageRow[]> {
  if (ids.length === 0) return [];
  return listedById(tx, ids);
}

const BESIDE_HISTORY = Object.keys(message.columns).filter(
  (column): column is Exclude<keyof MessageRow, 'edit_history'> => column !== 'edit_history',
);
const listed = ({ db, realmId, dialect }: Pick<RealmReadTx, 'db' | 'realmId' | 'dialect'>, ids: readonly MessageId[]) =>
  db
    .selectFrom('message')
    .select(BESIDE_HISTORY)
    .select(
      sql<MessageRow['edit_history']>`case when octet_length(edit_history) > ${sql.lit(MAX_LISTED_HISTORY)}
        then '[]' else edit_history end`.as('edit_history'),
    )
    .where(isOf(realmId))
    .where(dialect.anyOf('id', ids))
    .orderBy('id');
const listedById = compiledRows(message, listed);

/** What each character of a conversation's people weighs, whose names and addresses come with each message. */
const PEOPLE_BYTES = 20;
/**
 * Bytes of the texts of a message that lists show, and of its conversation's people. They are known without reading the
 * texts.
 */
const TEXTS = sql<number>`octet_length(message.content) + octet_length(message.rendered_content)
  + case when octet_length(message.edit_history) <= ${sql.lit(MAX_LISTED_HISTORY)}
    then octet_length(message.edit_history) else 0 end
  + case when message.channel_id is null
    then coalesce((select octet_length(recipient.participants_key) * ${sql.lit(PEOPLE_BYTES)} from recipient
      where recipient.realm_id = message.realm_id and recipient.id = message.recipient_id), 0) else 0 end`;
/** What reactions weigh, each of which comes with its person: the bytes of text that take as long. */
const REACTIONS = sql<number>`count(*) * 400`;
const SUBMESSAGES = sql<number>`coalesce(sum(octet_length(submessage.content) + 200), 0)`;

/** Approximate bytes of a message with all that lists show with it. */
const WEIGHT = sql<number>`cast(${TEXTS}
  + (select ${REACTIONS} from reaction
    where reaction.realm_id = message.realm_id and reaction.message_id = message.id)
  + (select ${SUBMESSAGES} from submessage
    where submessage.realm_id = message.realm_id and submessage.message_id = message.id) as integer)`;

/** The weight of messages, ascending by ID. */
export async function weighMessages(tx: RealmReadTx, ids: readonly MessageId[]) {
  return (await inParts(ids, 1000, (some) => weightsById(tx, some))).flat();
}

const weightsById = compiled(({ db, realmId, dialect }, ids: readonly MessageId[]) =>
  db
    .selectFrom('message')
    .select(['id', WEIGHT.as('bytes')])
    .where(isOf(realmId))
    .where(dialect.anyOf('id', ids))
    .orderBy('id'),
);

/** `findListed` where all of them weigh at most `most` bytes together, otherwise nothing. */
export async function findLight(
  tx: RealmReadTx,
  ids: readonly MessageId[],
  most: number,
): Promise<readonly MessageRow[]> {
  return ids.length === 0 ? [] : lightById(tx, ids, most);
}

// One sum of a kind for all messages: a sum for each of them takes up to a quarter of the time of a page.
const lightById = compiledRows(message, (of, ids: readonly MessageId[], most: number) => {
  const { db, realmId, dialect } = of;
  const texts = db
    .selectFrom('message')
    .select(sql<number>`sum(${TEXTS})`.as('bytes'))
    .where(isOf(realmId))
    .where(dialect.anyOf('id', ids));
  const reactions = db
    .selectFrom('reaction')
    .select(REACTIONS.as('bytes'))
    .where('realm_id', '=', realmId)
    .where(dialect.anyOf('message_id', ids));
  const submessages = db
    .selectFrom('submessage')
    .select(SUBMESSAGES.as('bytes'))
    .where('realm_id', '=', realmId)
    .where(dialect.anyOf('message_id', ids));
  return listed(of, ids).where(sql<number>`${texts} + ${reactions} + ${submessages}`, '<=', most);
});

/**
 * Compares the organization of messages that are found by ID, in a form that no index serves: with the index,
 * PostgreSQL would walk all messages of an organization that its statistics do not know yet, and keep that plan for as
 * long as the connection lasts.
 */
function isOf(realmId: RealmId) {
  return sql<SqlBool>`+realm_id = ${realmId}`;
}

/** `findMessages` without the texts, for large numbers. */
export async function findHeads(tx: RealmReadTx, ids: readonly MessageId[]): Promise<readonly MessageHead[]> {
  if (ids.length === 0) return [];
  return headsById(tx, ids);
}

const HEAD = [
  'id',
  'realm_id',
  'sender_id',
  'recipient_id',
  'channel_id',
  'topic',
  'topic_key',
  'sent_at',
  'client',
  'is_me_message',
  'has_attachment',
  'has_image',
  'has_link',
  'mentions_channel',
  'mentions_groups',
  'last_edit_at',
  'last_moved_at',
] as const;
const headsById = compiledColumns<[readonly MessageId[]], MessageHead>(HEAD, ({ db, realmId, dialect }, ids) =>
  db.selectFrom('message').select(HEAD).where(isOf(realmId)).where(dialect.anyOf('id', ids)).orderBy('id'),
);

/** The lowest and the highest ID, or time, of a realm's messages; null where it has none. */
export async function endsOf(tx: RealmReadTx, column: 'id' | 'sent_at') {
  const end = (order: 'asc' | 'desc') =>
    sql`(select ${sql.ref(column)} from message where realm_id = ${tx.realmId}
      order by ${sql.ref(column)} ${sql.raw(order)} limit 1)`;
  const { rows } = await sql<{ lowest: number | null; highest: number | null }>`
    select ${end('asc')} as lowest, ${end('desc')} as highest`.execute(tx.db);
  return rows[0] ?? { lowest: null, highest: null };
}

/**
 * Returns which of the messages the actor received: in a direct conversation of theirs, during a subscription period,
 * or by a flag.
 */
export async function receivedAmong(tx: ActorReadTx, ids: readonly MessageId[]): Promise<ReadonlySet<MessageId>> {
  if (ids.length === 0) return new Set();
  const [found] = await receivedOf(tx, tx.actor.userId, ids);
  return new Set(collectedIds<MessageId>(found?.ids ?? '[]'));
}

const receivedOf = compiled(({ db, realmId, dialect }, userId: UserId, ids: readonly MessageId[]) =>
  db
    .selectFrom('message')
    .select(dialect.collected('message.id').as('ids'))
    .where('message.realm_id', '=', realmId)
    .where(dialect.anyOf('message.id', ids))
    .where(isReceived(userId)),
);

/** SQL condition that a row of `message` was received by a user. */
export function isReceived(userId: UserId) {
  return sql<boolean>`(
    exists (select 1 from direct_participant p where p.recipient_id = message.recipient_id and p.user_id = ${userId})
    or exists (select 1 from subscription_period s where s.channel_id = message.channel_id and s.user_id = ${userId}
      and s.after_message_id < message.id and (s.until_message_id is null or message.id <= s.until_message_id))
    or exists (select 1 from message_flag f where f.message_id = message.id and f.user_id = ${userId}
      and f.flag in ('historical', 'delivered')))`;
}

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

export function insertSubmessage(tx: WriteTx, row: Omit<SubmessageRow, 'id'>): Promise<SubmessageRow> {
  return tx.db.insertInto('submessage').values(row).returningAll().executeTakeFirstOrThrow();
}

/** The parts of widgets of some messages, oldest first. */
export async function submessagesOf(
  tx: RealmReadTx,
  ids: readonly MessageId[],
): Promise<ReadonlyMap<MessageId, readonly SubmessageRow[]>> {
  const parts: (readonly SubmessageRow[])[] = [];
  for (const chunk of inChunks(ids, 5000)) parts.push(await submessagesByMessage(tx, chunk));
  return grouped(parts.flat().map((one) => [one.message_id, one]));
}

const submessagesByMessage = compiled(({ db, realmId, dialect }, ids: readonly MessageId[]) =>
  db
    .selectFrom('submessage')
    .selectAll()
    .where('realm_id', '=', realmId)
    .where(dialect.anyOf('message_id', ids))
    .orderBy('id'),
);
