import type { ActorReadTx } from '#kernel/auth';
import { invariant } from '#kernel/errors';
import { asId, type MessageId, type RealmId, type UserId } from '#kernel/ids';
import {
  collectedIds,
  compiled,
  compiledColumns,
  compiledRows,
  compiledServerWide,
  type Expression,
  type RealmReadTx,
  reference,
  sql,
  type SqlBool,
  type WriteTx,
} from '#kernel/store';
import { foldCase } from '#kernel/text';
import { message, type MessageHead, type MessageRow } from './tables.ts';

export type NewMessage = Omit<
  MessageRow,
  'id' | 'topic_key' | 'sent_at' | 'edit_history' | 'last_edit_at' | 'last_moved_at' | 'delivery_id'
>;

export async function insertMessage(tx: WriteTx, row: NewMessage): Promise<MessageRow> {
  const whole = {
    ...row,
    topic_key: foldCase(row.topic),
    sent_at: tx.now,
    edit_history: null,
    last_edit_at: null,
    last_moved_at: null,
    delivery_id: null,
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

/**
 * Compares the organization of messages that are found by ID, in a form that no index serves: with the index,
 * PostgreSQL would walk all messages of an organization that its statistics do not know yet, and keep that plan for as
 * long as the connection lasts.
 */
export function isOf(realmId: RealmId) {
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
  'delivery_id',
] as const;
const headsById = compiledColumns<[readonly MessageId[]], MessageHead>(HEAD, ({ db, realmId, dialect }, ids) =>
  db.selectFrom('message').select(HEAD).where(isOf(realmId)).where(dialect.anyOf('id', ids)).orderBy('id'),
);

/** The lowest and the highest ID, or time, of a realm's messages; null where it has none. */
export async function endsOf(tx: RealmReadTx, column: 'id' | 'sent_at') {
  const [ends] = await (column === 'id' ? idEnds(tx) : timeEnds(tx));
  return ends ?? { lowest: null, highest: null };
}

const idEnds = compiled(({ realmId }) => selectEnds(realmId, 'id'));
const timeEnds = compiled(({ realmId }) => selectEnds(realmId, 'sent_at'));

function selectEnds(realmId: RealmId, column: 'id' | 'sent_at') {
  const end = (order: 'asc' | 'desc') =>
    sql`(select ${sql.ref(column)} from message where realm_id = ${realmId}
      order by ${sql.ref(column)} ${sql.raw(order)} limit 1)`;
  return sql<{ lowest: number | null; highest: number | null }>`
    select ${end('asc')} as lowest, ${end('desc')} as highest`;
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
    or ${isReceivedAlone('message', sql`${userId}`)})`;
}

/**
 * SQL condition that a message was received by a user other than through a conversation: by a flag, or by a delivery
 * when it was moved. Nothing more is asked about a message that has none.
 */
export function isReceivedAlone(message: string, userId: Expression<unknown>) {
  const [id, deliveryId] = [reference(`${message}.id`), reference(`${message}.delivery_id`)];
  return sql<SqlBool>`(
    exists (select 1 from message_flag f where f.message_id = ${id} and f.user_id = ${userId}
      and f.flag in ('historical', 'delivered'))
    or (${deliveryId} is not null and exists (select 1 from delivered_user r where r.delivery_id = ${deliveryId}
      and r.user_id = ${userId} and r.first_id <= ${id} and r.last_id >= ${id})))`;
}
