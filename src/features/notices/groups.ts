import { on } from '#kernel/slice';
import { membersChanged } from '#features/groups';
import { findUsers } from '#features/users';
import { queueDirectNotices } from './jobs.ts';
import { namesOf } from './words.ts';

/**
 * Notifies people whom somebody else added to a group or removed from it; bots are not notified. See
 * protocol/groups#operations.
 */
export const groupNotices = on(membersChanged, async (tx, { group, added, removed }) => {
  const users = await findUsers(tx, [...added, ...removed]);
  const nameFor = await namesOf(tx, [...users.values()]);
  const recipients = [...users.values()].filter((user) => !user.is_bot && user.id !== tx.actor.userId);
  const isAdded = new Set(added);
  const notices = recipients.map((user) => {
    const what = isAdded.has(user.id) ? 'added you to' : 'removed you from';
    return { userId: user.id, content: `${nameFor(user)} ${what} the group @_*${group.name}*.` };
  });
  await queueDirectNotices(tx, notices);
});
