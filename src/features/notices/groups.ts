import { on } from '#kernel/slice';
import { inParts } from '#kernel/store';
import { membersChanged } from '#features/groups';
import { findUsers } from '#features/users';
import { queueDirectNotices } from './jobs.ts';
import { namesOf } from './naming.ts';
import { wordsOf } from './words/index.ts';

/** People who are notified at once, before other work runs. */
const AT_ONCE = 1_000;

/**
 * Notifies people whom somebody else added to a group or removed from it; bots are not notified. See
 * protocol/groups#operations.
 */
export const groupNotices = on(membersChanged, async (tx, { group, added, removed }) => {
  const isAdded = new Set(added);
  const words = wordsOf(tx.realm);
  await inParts([...added, ...removed], AT_ONCE, async (some) => {
    const users = await findUsers(tx, some);
    const nameFor = await namesOf(tx, [...users.values()]);
    const recipients = [...users.values()].filter((user) => !user.is_bot && user.id !== tx.actor.userId);
    const notices = recipients.map((user) => {
      const say = isAdded.has(user.id) ? words.added : words.removed;
      return { userId: user.id, content: say(nameFor(user), `@_*${group.name}*`) };
    });
    await queueDirectNotices(tx, notices);
  });
});
