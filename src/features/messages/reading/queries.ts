import type { ActorWriteTx } from '#kernel/auth';
import type { MessageId, RecipientId, UserId } from '#kernel/ids';
import {
  compiled,
  compiledRows,
  inChunks,
  type RealmReadTx,
  type RealmWriteTx,
  sql,
  type WriteTx,
} from '#kernel/store';
import { readInterval, type ReadIntervalRow } from '../core/index.ts';
import type { Interval } from './intervals.ts';

/** A message with its neighbours in the conversation; null where it is the first or the last. */
export interface Placed {
  readonly id: MessageId;
  readonly recipient_id: RecipientId;
  readonly before: MessageId | null;
  readonly after: MessageId | null;
}

/** The messages, each with the IDs next to it in its conversation. */
export async function listNeighbours(tx: RealmReadTx, ids: readonly MessageId[]): Promise<readonly Placed[]> {
  const { rows } = await sql<Placed>`
    select message.id, message.recipient_id,
      (select max(o.id) from message o where o.recipient_id = message.recipient_id and o.id < message.id) as before,
      (select min(o.id) from message o where o.recipient_id = message.recipient_id and o.id > message.id) as after
    from message where message.realm_id = ${tx.realmId} and ${tx.dialect.anyOf('message.id', ids)}`.execute(tx.db);
  return rows;
}

/** A user's intervals of some conversations that touch IDs from `first` to `last`. */
export function listIntervals(
  tx: RealmReadTx,
  userIds: readonly UserId[],
  recipientIds: readonly RecipientId[],
  { first, last }: Interval,
): Promise<readonly ReadIntervalRow[]> {
  return intervalsTouching(tx, userIds, recipientIds, { first: first - 1, last: last + 1 });
}

const intervalsTouching = compiledRows(
  readInterval,
  ({ db, realmId, dialect }, userIds: readonly UserId[], recipientIds: readonly RecipientId[], within: Interval) =>
    db
      .selectFrom('read_interval')
      .selectAll()
      .where('realm_id', '=', realmId)
      .where(dialect.anyOf('user_id', userIds))
      .where(dialect.anyOf('recipient_id', recipientIds))
      .where('last_id', '>=', within.first)
      .where('first_id', '<=', within.last)
      .orderBy('first_id'),
);

export async function deleteIntervals(tx: RealmWriteTx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.db
    .deleteFrom('read_interval')
    .where('realm_id', '=', tx.realmId)
    .where(tx.dialect.anyOf('id', ids))
    .execute();
}

/** Deletes all of the actor's intervals in some conversations. */
export async function deleteAllIntervals(tx: ActorWriteTx, recipientIds: readonly RecipientId[]): Promise<void> {
  await tx.db
    .deleteFrom('read_interval')
    .where('realm_id', '=', tx.realmId)
    .where('user_id', '=', tx.actor.userId)
    .where(tx.dialect.anyOf('recipient_id', recipientIds))
    .execute();
}

/** Most rows of one insert, because SQLite limits the parameters of a statement. */
const INSERT_CHUNK = 1000;

export async function insertIntervals(tx: WriteTx, rows: readonly Omit<ReadIntervalRow, 'id'>[]): Promise<void> {
  for (const chunk of inChunks(rows, INSERT_CHUNK)) {
    await tx.db
      .insertInto('read_interval')
      .values([...chunk])
      .execute();
  }
}

/** The newest message of each conversation; empty conversations are missing. */
export async function newestOf(
  tx: RealmReadTx,
  recipientIds: readonly RecipientId[],
): Promise<ReadonlyMap<RecipientId, MessageId>> {
  const { rows } = await sql<{ id: RecipientId; newest: MessageId | null }>`
    select recipient.id, (select max(m.id) from message m where m.recipient_id = recipient.id) as newest
    from recipient where recipient.realm_id = ${tx.realmId} and ${tx.dialect.anyOf('recipient.id', recipientIds)}`.execute(
    tx.db,
  );
  return new Map(rows.flatMap((row) => (row.newest === null ? [] : [[row.id, row.newest] as const])));
}

/**
 * Extends each user's last interval to a conversation's new message, if it reaches the previous one, and returns these
 * users. More than the last may reach it where the messages between them were moved away; extending all would make them
 * overlap.
 */
export async function growIntervals(
  tx: RealmWriteTx,
  { id, recipient_id }: Pick<Placed, 'id' | 'recipient_id'>,
  userIds: readonly UserId[],
): Promise<readonly UserId[]> {
  const rows = await grow(tx, recipient_id, userIds, id);
  return rows.map((row) => row.user_id);
}

const grow = compiled(
  ({ realmId, dialect }, recipientId: RecipientId, userIds: readonly UserId[], id: MessageId) =>
    sql<{ user_id: UserId }>`
      update read_interval set last_id = ${id}
      where realm_id = ${realmId} and ${dialect.anyOf('user_id', userIds)} and recipient_id = ${recipientId}
        and last_id < ${id} and last_id >=
          (select max(m.id) from message m where m.recipient_id = ${recipientId} and m.id < ${id})
        and not exists (select 1 from read_interval later where later.user_id = read_interval.user_id
          and later.recipient_id = ${recipientId} and later.first_id > read_interval.first_id)
      returning user_id`,
);

/** The previous message of the conversation, if there is one. */
export async function messageBefore(
  tx: RealmReadTx,
  recipientId: RecipientId,
  id: MessageId,
): Promise<MessageId | undefined> {
  return (await newestBefore(tx, recipientId, id))[0]?.id;
}

const newestBefore = compiled(({ db, realmId }, recipientId: RecipientId, id: MessageId) =>
  db
    .selectFrom('message')
    .select('id')
    .where('realm_id', '=', realmId)
    .where('recipient_id', '=', recipientId)
    .where('id', '<', id)
    .orderBy('id', 'desc')
    .limit(1),
);
