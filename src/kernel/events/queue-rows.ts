import type { RealmId, UserId } from '#kernel/ids';
import {
  compiled,
  compiledServerWide,
  inChunks,
  type ReadTx,
  type RealmReadTx,
  type RealmWriteTx,
  sql,
  type WriteTx,
} from '#kernel/store';
import type { Queue, QueueDescriptor } from './queue.ts';
import { queuesEnded } from './queues-ended.ts';

/** A stored queue. */
export interface QueueRow {
  readonly queue_id: string;
  readonly realm_id: RealmId;
  readonly user_id: UserId;
  readonly descriptor: QueueDescriptor;
  readonly began_id: number;
  readonly acked_id: number;
  readonly heartbeat_id: number;
  readonly last_seen_at: number;
  readonly idle_seconds: number;
}

export async function insertQueue(tx: WriteTx, row: QueueRow): Promise<void> {
  await insertRow(tx, { ...row, descriptor: JSON.stringify(row.descriptor), created_at: tx.now });
}

type StoredRow = Omit<QueueRow, 'descriptor'> & { readonly descriptor: string; readonly created_at: number };

const insertRow = compiledServerWide(({ db }, row: StoredRow) => db.insertInto('event_queue').values(row));

const COLUMNS = [
  'queue_id',
  'realm_id',
  'user_id',
  'descriptor',
  'began_id',
  'acked_id',
  'heartbeat_id',
  'last_seen_at',
  'idle_seconds',
] as const;

export function findQueue(tx: ReadTx, queueId: string): Promise<QueueRow | undefined> {
  return tx.db.selectFrom('event_queue').select(COLUMNS).where('queue_id', '=', queueId).executeTakeFirst();
}

export async function deleteQueue(tx: WriteTx, queueId: string): Promise<void> {
  await tx.db.deleteFrom('event_queue').where('queue_id', '=', queueId).execute();
}

/** Ends all queues of the given users, including those that a process has in memory. */
export async function deleteQueuesOf(tx: RealmWriteTx, userIds: readonly UserId[]): Promise<void> {
  await tx.db
    .deleteFrom('event_queue')
    .where('realm_id', '=', tx.realmId)
    .where(tx.dialect.anyOf('user_id', userIds))
    .execute();
  tx.emit(queuesEnded({}, { viewers: userIds }));
}

/** Ends the queues of all organizations, while no server runs. */
export async function deleteAllQueues(tx: WriteTx): Promise<void> {
  await tx.db.deleteFrom('event_queue').execute();
}

/** Those of the given queues that still exist. */
export async function livingQueues(tx: ReadTx, queues: readonly Pick<Queue, 'id'>[]): Promise<ReadonlySet<string>> {
  const rows = await tx.db
    .selectFrom('event_queue')
    .select('queue_id')
    .where(
      tx.dialect.anyOfText(
        'queue_id',
        queues.map((queue) => queue.id),
      ),
    )
    .execute();
  return new Set(rows.map((row) => row.queue_id));
}

/**
 * Returns those users who have a queue for events of a type with a sign of life since a time, in seconds since 1970.
 */
export async function listenersAmong(
  tx: RealmReadTx,
  userIds: readonly UserId[],
  type: string,
  since: number,
): Promise<ReadonlySet<UserId>> {
  if (userIds.length === 0) return new Set();
  const rows = await seenSince(tx, userIds, since);
  const takes = (types: string | null) => types === null || types.includes(JSON.stringify(type));
  return new Set(rows.filter(({ types }) => takes(types)).map((row) => row.user_id));
}

/** The types are read as JSON text, and the same ones once: an account may have registered thousands of queues. */
const seenSince = compiled(({ db, realmId, dialect }, userIds: readonly UserId[], since: number) =>
  db
    .selectFrom('event_queue')
    .select(['user_id', dialect.jsonText('descriptor', 'event_types').as('types')])
    .distinct()
    .where('realm_id', '=', realmId)
    .where(dialect.anyOf('user_id', userIds))
    .where('last_seen_at', '>=', since),
);

/** Writes positions and signs of life of many queues. Values never decrease: another process may know newer ones. */
export async function saveProgress(tx: WriteTx, queues: readonly Queue[]): Promise<void> {
  for (const chunk of inChunks(queues, 1000)) {
    const rows = sql.join(
      chunk.map(
        ({ id, ackedId, heartbeatId, lastSeenAt }) =>
          sql`(${id}, cast(${ackedId} as bigint), cast(${heartbeatId} as bigint), cast(${lastSeenAt} as bigint))`,
      ),
    );
    await sql`with fresh(queue_id, acked_id, heartbeat_id, last_seen_at) as (values ${rows})
      update event_queue set
        acked_id = case when fresh.acked_id > event_queue.acked_id then fresh.acked_id else event_queue.acked_id end,
        heartbeat_id = case when fresh.heartbeat_id > event_queue.heartbeat_id then fresh.heartbeat_id else event_queue.heartbeat_id end,
        last_seen_at = case when fresh.last_seen_at > event_queue.last_seen_at then fresh.last_seen_at else event_queue.last_seen_at end
      from fresh where event_queue.queue_id = fresh.queue_id`.execute(tx.db);
  }
}

/**
 * Deletes queues that were not polled for their idle time and `graceSeconds`, as the last sign of life may be
 * unwritten.
 */
export async function deleteIdleQueues(tx: WriteTx, graceSeconds: number): Promise<readonly string[]> {
  const gone = await tx.db
    .deleteFrom('event_queue')
    .where(sql<boolean>`last_seen_at + idle_seconds < ${tx.now - graceSeconds}`)
    .returning('queue_id')
    .execute();
  return gone.map((row) => row.queue_id);
}

/** Accounts that have more than `most` queues. */
export function accountsWithMoreQueues(tx: ReadTx, most: number): Promise<readonly QueueOwner[]> {
  return tx.db
    .selectFrom('event_queue')
    .select(['realm_id', 'user_id'])
    .groupBy(['user_id', 'realm_id'])
    .having(({ fn }) => fn.countAll(), '>', most)
    .execute();
}

interface QueueOwner {
  readonly realm_id: RealmId;
  readonly user_id: UserId;
}

/** Deletes queues of an account except the `most` that were polled last, at most `most` at once; returns their IDs. */
export async function deleteSurplusQueues(tx: RealmWriteTx, userId: UserId, most: number): Promise<readonly string[]> {
  const surplus = await tx.db
    .selectFrom('event_queue')
    .select('queue_id')
    .where('realm_id', '=', tx.realmId)
    .where('user_id', '=', userId)
    .orderBy('last_seen_at', 'desc')
    .orderBy('created_at', 'desc')
    .limit(most)
    .offset(most)
    .execute();
  const ids = surplus.map((row) => row.queue_id);
  await tx.db.deleteFrom('event_queue').where(tx.dialect.anyOfText('queue_id', ids)).execute();
  return ids;
}

/**
 * The oldest position that an existing queue still needs, per organization; organizations without queues need only
 * their head.
 */
export function neededPositions(tx: ReadTx): Promise<readonly { realm_id: RealmId; position: number }[]> {
  return tx.db
    .selectFrom('realm_log')
    .leftJoin('event_queue', 'event_queue.realm_id', 'realm_log.realm_id')
    .groupBy(['realm_log.realm_id', 'realm_log.head'])
    .select(['realm_log.realm_id', sql<number>`coalesce(min(event_queue.acked_id), realm_log.head)`.as('position')])
    .execute();
}
