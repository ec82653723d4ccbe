import { type Alike, type MessageHead, readBy } from '#features/messages';
import type { RealmRefWriteTx } from '#kernel/auth';
import type { MessageId, UserId } from '#kernel/ids';

/**
 * Collects users by the moved messages that they had and that count among their unread ones now: in a channel that these
 * users are not subscribed to, none did. `rows` are the messages as they were before. See protocol/editing#moves.
 */
export async function collectUnreadAgain(
  tx: RealmRefWriteTx,
  alike: Alike,
  { users, rows, owned }: Returning,
): Promise<void> {
  if (users.length === 0) return;
  const read = await readBy(tx, users, rows);
  for (const userId of users) {
    const [own, gone] = [owned(userId), read.get(userId)];
    const unread = rows.map(({ id }) => id).filter((id) => own.has(id) && !gone?.has(id));
    if (unread.length > 0) alike.add(userId, unread);
  }
}

interface Returning {
  readonly users: readonly UserId[];
  readonly rows: readonly MessageHead[];
  readonly owned: (user: UserId) => ReadonlySet<MessageId>;
}
