import { deleteSessionsOf, type RealmRefReadTx, type RealmRefWriteTx } from '#kernel/auth';
import { deleteQueuesOf, everyoneInRealm } from '#kernel/events';
import type { UserId } from '#kernel/ids';
import type { RealmWriteTx } from '#kernel/store';
import { resumeSubscriptions, suspendSubscriptions } from '#features/channels';
import { announceLeaving, announceReturn } from '#features/groups';
import {
  announceVisibility,
  findUser,
  listGuestIds,
  readVisibility,
  realmUserUpdated,
  setUser,
  type Visibility,
  type UserRow,
} from '#features/users';
import { endReplies } from '#features/mails';
import { endRecovery } from '#features/sign-in';
import { announceConsent } from '#features/user-settings';

/**
 * Deactivates an account, a person's or a bot's: its subscriptions are suspended, its sessions and queues end with the
 * commit, and its API key and the links that were mailed to it stop working. The caller has checked rights. See
 * protocol/users#deactivating, effects 5 and 6.
 */
export async function deactivateAccount(tx: RealmRefWriteTx, userId: UserId): Promise<void> {
  const visibility = await visibilityOfGuests(tx);
  await suspendSubscriptions(tx, userId);
  await setActive(tx, userId, false);
  await tellStrangers(tx, userId, await announceVisibility(tx, visibility));
  await deleteSessionsOf(tx, userId);
  await endRecovery(tx, userId);
  await endReplies(tx, userId);
  await deleteQueuesOf(tx, [userId]);
}

/**
 * Clients that know the account remove it from groups by themselves; guests who do not know it get events for that. See
 * protocol/users#deactivating.
 */
async function tellStrangers(tx: RealmRefWriteTx, userId: UserId, visibility: Visibility): Promise<void> {
  const strangers = [...visibility]
    .filter(([guest, known]) => guest !== userId && !known.has(userId))
    .map(([guest]) => guest);
  const user = strangers.length > 0 ? await findUser(tx, userId) : undefined;
  if (user && !user.is_bot) await announceLeaving(tx, user, strangers);
}

/**
 * Reactivates an account with the subscriptions it had. The caller has checked rights. See protocol/users#reactivating.
 */
export async function reactivateAccount(tx: RealmRefWriteTx, user: UserRow): Promise<void> {
  const visibility = await visibilityOfGuests(tx);
  await setActive(tx, user.id, true);
  if (!user.is_bot) announceConsent(tx, user);
  await announceVisibility(tx, visibility);
  await announceReturn(tx, user);
  await resumeSubscriptions(tx, user.id);
}

/** Returns whom each guest knows; empty where guests know everybody. */
async function visibilityOfGuests(tx: RealmRefReadTx): Promise<Visibility> {
  return tx.realm.restrictsGuests ? readVisibility(tx, await listGuestIds(tx)) : new Map();
}

async function setActive(tx: RealmWriteTx, userId: UserId, is_active: boolean): Promise<void> {
  await setUser(tx, userId, { is_active });
  const person = { user_id: userId, is_active };
  const before = { is_active: !is_active };
  tx.emit(realmUserUpdated({ person }, { audience: everyoneInRealm, viewers: [userId], before }));
}
