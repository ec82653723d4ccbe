import type { RealmRef } from '#kernel/auth';
import type { Kit } from '#kernel/kit';
import type { WriteTx } from '#kernel/store';
import { on } from '#kernel/slice';
import { settingsChanged } from '#features/user-settings';
import { findUser, type UserRow } from '#features/users';
import { toPerson } from './people.ts';
import { takeUpdateIds, upsertPresences } from './queries.ts';
import { announce, findPresenceRoom } from './room.ts';
import { INVISIBLE_SECONDS } from './rules.ts';

/**
 * Makes somebody who turned presence off seem gone, and somebody who turned it on be there; either is told to everybody,
 * however many they are. Contract operations 4.5, invisible mode.
 */
async function showPresence(kit: Kit, tx: WriteTx, realm: RealmRef, user: UserRow, isShown: boolean): Promise<void> {
  const seen = isShown
    ? { last_active_at: tx.now, last_connected_at: tx.now }
    : { last_active_at: null, last_connected_at: tx.now - INVISIBLE_SECONDS };
  const update_id = await takeUpdateIds(tx, realm.id, 1);
  await upsertPresences(tx, [{ realm_id: realm.id, user_id: user.id, ...seen, update_id }]);
  announce(kit, tx, realm, toPerson(user, kit.realmHost(realm)), seen);
  tx.afterCommit(() => {
    const room = findPresenceRoom(kit, realm.id);
    room?.fallBehind();
    room?.forgetPeople();
  });
}

/** Hears of people who turn their presence on or off. */
export const presenceSwitched = on(settingsChanged, async (kit, tx, { realm, userId, changed }) => {
  const user = changed.presence_enabled === undefined ? undefined : await findUser(tx, realm.id, userId);
  if (user) await showPresence(kit, tx, realm, user, changed.presence_enabled === true);
});
