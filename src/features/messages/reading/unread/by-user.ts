import type { RecipientId, UserId } from '#kernel/ids';
import type { RealmReadTx } from '#kernel/store';
import { boundsOf, EVERYTHING, type Window } from '../../core/index.ts';
import { listUnreadBy, type UnreadBy } from './queries.ts';

/** Rows that are read before other requests are served. */
const AT_ONCE = 10_000;

/** Part of the users that is asked about next where there were too many rows of all. */
const SMALLER = 8;

/**
 * What each of several users has received and not read in some conversations, in slices that keep nobody waiting: where
 * there is more than one takes, it is asked about as many users as have most of one together, and of one user about
 * each half of the messages.
 */
export async function* unreadBy(
  tx: RealmReadTx,
  userIds: readonly UserId[],
  recipientIds: readonly RecipientId[],
  among: Window = EVERYTHING,
): AsyncGenerator<readonly UnreadBy[]> {
  for (let [at, count] = [0, userIds.length]; at < userIds.length; await new Promise(setImmediate)) {
    const users = userIds.slice(at, at + count);
    const rows = await listUnreadBy(tx, users, recipientIds, { among, most: AT_ONCE + 1 });
    if (rows.length > AT_ONCE && users.length > 1) {
      count = Math.ceil(users.length / SMALLER);
      continue;
    }
    if (rows.length <= AT_ONCE) yield rows;
    else for (const half of await halvesOf(tx, among)) yield* unreadBy(tx, users, recipientIds, half);
    at += users.length;
    count = nextCount(users.length, rows.length);
  }
}

/** How many users have nearly a slice together, if each has as much as these; no more than four times as many. */
function nextCount(users: number, rows: number): number {
  const alike = Math.floor((0.8 * AT_ONCE * users) / Math.max(rows, 1));
  return Math.max(1, Math.min(alike, 4 * users));
}

async function halvesOf(tx: RealmReadTx, among: Window): Promise<readonly Window[]> {
  const { first, last } = await boundsOf(tx, 'id', among);
  const middle = Math.floor((first + last) / 2);
  return [
    { first, last: middle },
    { first: middle + 1, last },
  ];
}
