import type { ActorWriteTx } from '#kernel/auth';
import { lockLog } from '#kernel/events';
import type { MessageId, RecipientId, UserId } from '#kernel/ids';
import { grouped } from '#kernel/lists';
import { inParts, type RealmReadTx, type RealmWriteTx } from '#kernel/store';
import type { ReadIntervalRow } from '../core/index.ts';
import { changeIntervals, type Given, placeOf } from './change.ts';
import { type Interval, joined, spanOf, without } from './intervals.ts';
import {
  deleteAllIntervals,
  deleteIntervals,
  growIntervals,
  insertIntervals,
  listIntervals,
  listNeighbours,
  messageBefore,
  newestOf,
  type Placed,
} from './queries.ts';

/** The parts of a message on which its read state depends. */
export interface Located {
  readonly id: MessageId;
  readonly recipient_id: RecipientId;
}

/** Covers all messages and leaves room for the neighbouring IDs. */
const EVERYTHING: Interval = { first: 1, last: Number.MAX_SAFE_INTEGER - 1 };

/** Conversations, by user. */
type ByUser = ReadonlyMap<UserId, readonly RecipientId[]>;

/** Messages that are marked read at once, before other requests are served. */
const READ_AT_ONCE = 2_500;

/** Marks messages of any conversations read for the actor. Locks the log, so that nobody else changes intervals. */
export async function setRead(tx: ActorWriteTx, ids: readonly MessageId[]): Promise<void> {
  await inParts(ids, READ_AT_ONCE, (some) => setSomeRead(tx, some));
}

/** Messages with those before and after them in their conversation. */
type Neighbours = ReadonlyMap<MessageId, Placed>;

export async function neighboursOf(tx: RealmReadTx, ids: readonly MessageId[]): Promise<Neighbours> {
  return new Map((await listNeighbours(tx, ids)).map((placed) => [placed.id, placed]));
}

/** Marks messages read for the actor, in four queries. */
async function setSomeRead(tx: ActorWriteTx, ids: readonly MessageId[]): Promise<void> {
  if (ids.length === 0) return;
  await lockLog(tx);
  const neighbours = await neighboursOf(tx, [...new Set(ids)]);
  const added = [...neighbours].map(([id, { recipient_id, before, after }]): Given => {
    // The conversation has no messages between a message and its neighbours, so the interval may fill the gap.
    const interval = { first: before === null ? id : before + 1, last: after === null ? id : after - 1 };
    return { userId: tx.actor.userId, recipient_id, interval };
  });
  await changeIntervals(tx, added, (known, more) => joined([...known, ...more]));
}

/** Messages that were stored together: all messages of a conversation from `first` to `last`. */
interface Span {
  readonly recipient_id: RecipientId;
  readonly first: MessageId;
  readonly last: MessageId;
  readonly readers: readonly UserId[];
}

/**
 * Marks messages that were just stored read for their readers, in four queries. The log has been locked since they were
 * stored.
 */
export async function setSpansRead(tx: RealmWriteTx, spans: readonly Span[]): Promise<void> {
  if (spans.length === 0) return;
  const begins = await listNeighbours(
    tx,
    spans.map(({ first }) => first),
  );
  const before = new Map(begins.map((placed) => [placed.id, placed.before]));
  const added = spans.flatMap(({ recipient_id, first, last, readers }) =>
    readers.map((userId): Given => ({ userId, recipient_id, interval: { first: (before.get(first) ?? 0) + 1, last } })),
  );
  if (added.length > 0) await changeIntervals(tx, added, (known, more) => joined([...known, ...more]));
}

/** Marks messages unread for the actor. */
export async function setUnread(tx: ActorWriteTx, messages: readonly Located[]): Promise<void> {
  if (messages.length === 0) return;
  const { userId } = tx.actor;
  const removed = messages.map(
    ({ id, recipient_id }): Given => ({ userId, recipient_id, interval: { first: id, last: id } }),
  );
  await lockLog(tx);
  await changeIntervals(tx, removed, (known, less) =>
    without(
      // Releases until November 2026 stored some that overlap, of which each would leave the same piece.
      joined(known),
      less.map(({ first }) => first).toSorted((a, b) => a - b),
    ),
  );
}

/** Marks everything in some conversations read for the actor, at the cost of one row each. */
export async function setAllRead(tx: ActorWriteTx, recipientIds: readonly RecipientId[]): Promise<void> {
  if (recipientIds.length === 0) return;
  await lockLog(tx);
  const newest = await newestOf(tx, recipientIds);
  await deleteAllIntervals(tx, recipientIds);
  await insertIntervals(
    tx,
    [...newest].map(([recipient_id, last_id]) => ({
      realm_id: tx.realmId,
      user_id: tx.actor.userId,
      recipient_id,
      first_id: 1,
      last_id,
    })),
  );
}

/** Marks everything in some conversations read, for each user their own; four queries for any number of users. */
export async function setAllReadBy(tx: RealmWriteTx, places: ByUser): Promise<void> {
  const recipientIds = [...new Set([...places.values()].flat())];
  if (recipientIds.length === 0) return;
  await lockLog(tx);
  const newest = await newestOf(tx, recipientIds);
  const known = await listIntervals(tx, [...places.keys()], recipientIds, EVERYTHING);
  const wanted = new Set([...places].flatMap(([userId, own]) => own.map((id) => placeOf(userId, id))));
  const gone = known.filter((row) => wanted.has(placeOf(row.user_id, row.recipient_id)));
  await deleteIntervals(
    tx,
    gone.map((row) => row.id),
  );
  const fresh = [...places].flatMap(([user_id, own]) =>
    own.flatMap((recipient_id) => {
      const last_id = newest.get(recipient_id);
      return last_id === undefined ? [] : [{ realm_id: tx.realmId, user_id, recipient_id, first_id: 1, last_id }];
    }),
  );
  await insertIntervals(tx, fresh);
}

/**
 * Marks a message that was just stored, the newest of its conversation, read for users; three queries for any number of
 * users.
 */
export async function setNewestRead(tx: RealmWriteTx, userIds: readonly UserId[], message: Located): Promise<void> {
  if (userIds.length === 0) return;
  const { id, recipient_id } = message;
  const grown = new Set(await growIntervals(tx, message, userIds));
  const others = userIds.filter((userId) => !grown.has(userId));
  if (others.length === 0) return;
  const before = await messageBefore(tx, recipient_id, id);
  const first_id = (before ?? id - 1) + 1;
  const row = { realm_id: tx.realmId, recipient_id, first_id, last_id: id };
  await insertIntervals(
    tx,
    others.map((user_id) => ({ ...row, user_id })),
  );
}

/** Which of the messages each user has read. */
export async function readBy(
  tx: RealmReadTx,
  userIds: readonly UserId[],
  messages: readonly Located[],
): Promise<ReadonlyMap<UserId, ReadonlySet<MessageId>>> {
  const read = new Map<UserId, Set<MessageId>>(userIds.map((id) => [id, new Set()]));
  if (messages.length === 0) return read;
  const ids = messages.map(({ id }) => Number(id));
  const recipients = [...new Set(messages.map(({ recipient_id }) => recipient_id))];
  const rows = await listIntervals(tx, userIds, recipients, spanOf(ids));
  const byPlace = grouped(rows.map((row) => [placeOf(row.user_id, row.recipient_id), row]));
  for (const userId of userIds) {
    for (const { id, recipient_id } of messages) {
      const intervals = byPlace.get(placeOf(userId, recipient_id));
      if (intervals && covers(intervals, id)) read.get(userId)?.add(id);
    }
  }
  return read;
}

/** Whether one of the ascending intervals has the ID. */
function covers(intervals: readonly ReadIntervalRow[], id: number): boolean {
  let low = 0;
  let high = intervals.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((intervals[middle]?.last_id ?? 0) >= id) high = middle;
    else low = middle + 1;
  }
  const candidate = intervals[low];
  return candidate !== undefined && candidate.first_id <= id;
}
