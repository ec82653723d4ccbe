import type { RealmRefWriteTx } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { on } from '#kernel/slice';
import { settingsChanged } from '#features/user-settings';
import { findUsers, type UserRow } from '#features/users';
import { toPerson } from './people.ts';
import { takeUpdateIds, upsertPresences } from './queries.ts';
import { announce } from './announce.ts';
import { findPresenceCache } from './cache.ts';
import { INVISIBLE_SECONDS } from './rules.ts';

/**
 * Makes people who turned presence off appear offline, and people who turned it on appear online, and announces it
 * regardless of the organization's size. See protocol/presence#invisible.
 */
async function showPresences(
  context: Context,
  tx: RealmRefWriteTx,
  users: readonly UserRow[],
  isShown: boolean,
): Promise<void> {
  const seen = isShown
    ? { last_active_at: tx.now, last_connected_at: tx.now }
    : { last_active_at: null, last_connected_at: tx.now - INVISIBLE_SECONDS };
  await findPresenceCache(context, tx.realmId)?.writer.giveWay(tx);
  const first = await takeUpdateIds(tx, users.length);
  await upsertPresences(
    tx,
    users.map(({ id }, index) => ({ realm_id: tx.realmId, user_id: id, ...seen, update_id: first + index })),
  );
  const host = tx.realm.host;
  for (const user of users) announce(context, tx, toPerson(user, host), seen);
  tx.afterCommit(() => {
    const cache = findPresenceCache(context, tx.realmId);
    cache?.markBehind();
    cache?.forgetPeople();
  });
}

/** Subscriber for people who turn their presence on or off. */
export const presenceSwitched = on(settingsChanged, async (tx, { userIds, changed }, context) => {
  if (changed.presence_enabled === undefined) return;
  const users = [...(await findUsers(tx, userIds)).values()];
  if (users.length > 0) await showPresences(context, tx, users, changed.presence_enabled);
});
