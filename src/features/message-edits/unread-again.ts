import { type MessageHead, readBy, tellUnread } from '#features/messages';
import type { RealmRefWriteTx } from '#kernel/auth';
import type { MessageId, UserId } from '#kernel/ids';

/**
 * Tells users which of the moved messages that they had count among their unread ones now: in a channel that these
 * users are not subscribed to, none did. `rows` are the messages as they were before. See protocol/editing#moves.
 */
export async function tellUnreadAgain(
  tx: RealmRefWriteTx,
  users: readonly UserId[],
  rows: readonly MessageHead[],
  owned: (user: UserId) => ReadonlySet<MessageId>,
): Promise<void> {
  if (users.length === 0) return;
  const read = await readBy(tx, users, rows);
  const unread = users.map((userId) => {
    const own = owned(userId);
    return [userId, rows.map(({ id }) => id).filter((id) => own.has(id) && !read.get(userId)?.has(id))] as const;
  });
  await tellUnread(tx, new Map(unread));
}
