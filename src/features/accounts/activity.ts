import { deleteSessionsOf, type RealmRef } from '#kernel/auth';
import { deleteQueuesOf, everyoneInRealm } from '#kernel/events';
import type { UserId } from '#kernel/ids';
import type { ReadTx, WriteTx } from '#kernel/store';
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
 * Ends an active account, a person's or a bot's: its subscriptions stop counting, its sessions and queues end with the
 * commit, its key opens nothing, and neither do links that were mailed to it. Rights have been checked.
 * See protocol/users#deactivating, effects 5 and 6.
 */
export async function deactivateAccount(tx: WriteTx, realm: RealmRef, userId: UserId): Promise<void> {
  const visibility = await visibilityOfGuests(tx, realm);
  await suspendSubscriptions(tx, realm, userId);
  await setActive(tx, realm, userId, false);
  await tellStrangers(tx, realm, userId, await announceVisibility(tx, realm, visibility));
  await deleteSessionsOf(tx, realm.id, userId);
  await endRecovery(tx, realm.id, userId);
  await endReplies(tx, realm.id, userId);
  await deleteQueuesOf(tx, realm.id, [userId]);
}

/**
 * Whoever knows an account takes it out of groups by itself; guests who do not are told.
 * See protocol/users#deactivating.
 */
async function tellStrangers(tx: WriteTx, realm: RealmRef, userId: UserId, visibility: Visibility): Promise<void> {
  const strangers = [...visibility]
    .filter(([guest, known]) => guest !== userId && !known.has(userId))
    .map(([guest]) => guest);
  const user = strangers.length > 0 ? await findUser(tx, realm.id, userId) : undefined;
  if (user && !user.is_bot) await announceLeaving(tx, realm, user, strangers);
}

/**
 * Brings a deactivated account back with the subscriptions it had. Rights have been checked.
 * See protocol/users#reactivating.
 */
export async function reactivateAccount(tx: WriteTx, realm: RealmRef, user: UserRow): Promise<void> {
  const visibility = await visibilityOfGuests(tx, realm);
  await setActive(tx, realm, user.id, true);
  if (!user.is_bot) announceConsent(tx, realm, user);
  await announceVisibility(tx, realm, visibility);
  await announceReturn(tx, realm, user);
  await resumeSubscriptions(tx, realm, user.id);
}

/** Whom all guests know, where guests do not know everybody. */
async function visibilityOfGuests(tx: ReadTx, realm: RealmRef): Promise<Visibility> {
  return realm.restrictsGuests ? readVisibility(tx, realm, await listGuestIds(tx, realm.id)) : new Map();
}

async function setActive(tx: WriteTx, realm: RealmRef, userId: UserId, is_active: boolean): Promise<void> {
  await setUser(tx, realm.id, userId, { is_active });
  const person = { user_id: userId, is_active };
  const before = { is_active: !is_active };
  tx.emit(realmUserUpdated(realm.id, { person }, { audience: everyoneInRealm, viewers: [userId], before }));
}
