import type { RecipientId, UserId } from '#kernel/ids';
import { inChunks, type RealmReadTx } from '#kernel/store';
import { boundsOf, EVERYTHING, type Window } from '../../core/index.ts';
import { listUnreadBy, type UnreadBy } from './queries.ts';

/** Rows that are read before other requests are served. */
const AT_ONCE = 10_000;

/**
 * What each of several users has received and not read in some conversations, in slices that keep nobody waiting: where
 * there is more than one takes, each half of the users is asked about alone, and of one user each half of the messages.
 */
export async function* unreadBy(
  tx: RealmReadTx,
  userIds: readonly UserId[],
  recipientIds: readonly RecipientId[],
  among: Window = EVERYTHING,
): AsyncGenerator<readonly UnreadBy[]> {
  const rows = await listUnreadBy(tx, userIds, recipientIds, { among, most: AT_ONCE + 1 });
  if (rows.length <= AT_ONCE) {
    yield rows;
    return;
  }
  const halves = userIds.length > 1 ? inChunks(userIds, Math.ceil(userIds.length / 2)) : [userIds];
  const windows = userIds.length > 1 ? [among] : await halvesOf(tx, among);
  for (const users of halves)
    for (const window of windows) {
      await new Promise(setImmediate);
      yield* unreadBy(tx, users, recipientIds, window);
    }
}

async function halvesOf(tx: RealmReadTx, among: Window): Promise<readonly Window[]> {
  const { first, last } = await boundsOf(tx, 'id', among);
  const middle = Math.floor((first + last) / 2);
  return [
    { first, last: middle },
    { first: middle + 1, last },
  ];
}
