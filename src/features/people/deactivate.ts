import { deactivateAccount, rename } from '#features/accounts';
import { forgetPicture, removePictureFiles } from '#features/avatars';
import { revokeAllOf } from '#features/invitations';
import { queueMail } from '#features/mails';
import { clearProfile } from '#features/profile-fields';
import { keepingOwnersIn } from '#features/sign-in';
import { accessUser, listBotsOf, lockUser, NoSuchUser, realmUserUpdated, setUser, type UserRow } from '#features/users';
import type { Actor, ActorReadTx, ActorWriteTx, RealmRef, RealmRefWriteTx } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { InsufficientPermission, OwnerRequired } from '#kernel/errors';
import { everyoneInRealm, lockLog } from '#kernel/events';
import type { UserId } from '#kernel/ids';
import type { Mail } from '#kernel/mail';
import { isAdministrator, isOwner } from '#kernel/permissions';
import type { RealmWriteTx } from '#kernel/store';
import { type ErasedKinds, eraseMessages } from './erase-messages.ts';
import { LastUser, OnlyOwner, UserIsDeactivated } from './errors.ts';
import { isOnlyOwner, isOnlyPerson } from './owners.ts';

/** What to erase along with an account. See protocol/users#deactivating. */
interface Erasures extends ErasedKinds {
  readonly delete_profile?: boolean | undefined;
}

interface Leaving {
  readonly actions: Erasures;
  /** A comment for the mail to the person; undefined sends no mail. */
  readonly comment: string | undefined;
}

/** Deactivates a person after their bots. Checks in the order of protocol/users#deactivating. */
export async function deactivatePerson(
  context: Context,
  actor: Actor,
  id: UserId,
  { actions, comment }: Leaving,
): Promise<void> {
  const gone = await context.store.as(actor).write(async (tx) => {
    await lockLog(tx);
    const user = await accessToDeactivate(tx, id);
    const accounts = await keepingOwnersIn(context, tx, user, () => leave(context, tx, user, actions));
    if (comment !== undefined) await queueMail(tx, { ...goodbyeMail(actor.realm, user, comment), isLast: true });
    return accounts;
  });
  if (actions.delete_profile)
    for (const account of gone) await removePictureFiles(context, actor.realm, account.avatar_file);
}

/** Deactivates a person without erasing anything and without a mail, inside a transaction that has locked the log. */
export async function deactivateWithin(context: Context, tx: ActorWriteTx, id: UserId): Promise<void> {
  await leave(context, tx, await accessToDeactivate(tx, id), {});
}

/** Deactivates the caller's own account. See protocol/users#reactivating. */
export async function deactivateSelf(context: Context, actor: Actor): Promise<void> {
  await context.store.as(actor).write(async (tx) => {
    await lockLog(tx);
    const user = await lockUser(tx, actor.userId);
    if (!user.is_active) throw UserIsDeactivated();
    if (await isOnlyPerson(tx, user)) throw LastUser({ is_last_owner: false, entity: 'user' });
    if (await isOnlyOwner(tx, user)) throw LastUser({ is_last_owner: true, entity: 'organization owner' });
    await keepingOwnersIn(context, tx, user, () => leave(context, tx, user, {}));
  });
}

async function accessToDeactivate(tx: ActorReadTx, id: UserId): Promise<UserRow> {
  const user = await accessUser(tx, id);
  if (user.is_bot) throw NoSuchUser();
  if (!user.is_active) throw UserIsDeactivated();
  if (!isAdministrator(tx.actor)) throw InsufficientPermission();
  if (isOwner(user) && !isOwner(tx.actor)) throw OwnerRequired();
  if (await isOnlyOwner(tx, user)) throw OnlyOwner();
  return user;
}

/** Deactivates a person's bots, then the person, and returns all of them. */
async function leave(
  context: Context,
  tx: RealmRefWriteTx,
  user: UserRow,
  actions: Erasures,
): Promise<readonly UserRow[]> {
  const bots = (await listBotsOf(tx, user.id)).filter((bot) => bot.is_active);
  const accounts = [...bots, user];
  for (const account of accounts) {
    await eraseMessages(context, tx, account.id, actions);
    if (actions.delete_profile) await eraseProfile(tx, account);
    await revokeAllOf(tx, account.id);
    await deactivateAccount(tx, account.id);
  }
  return accounts;
}

/** Name of somebody whose profile was deleted. See protocol/users#deactivating. */
const DELETED_NAME = 'Deleted user';

/** Removes name, picture and profile fields from an account. See protocol/users#deactivating. */
async function eraseProfile(tx: RealmWriteTx, user: UserRow): Promise<void> {
  await rename(tx, user, DELETED_NAME);
  await forgetPicture(tx, user);
  await clearProfile(tx, user.id);
  await setUser(tx, user.id, { is_deleted: true });
  const person = { user_id: user.id, is_deleted: true };
  tx.emit(realmUserUpdated({ person }, { audience: everyoneInRealm, viewers: [user.id] }));
}

/**
 * The mail which tells somebody that their account was deactivated, with the administrator's comment. See
 * protocol/users#deactivating.
 */
function goodbyeMail(realm: RealmRef, user: Pick<UserRow, 'full_name' | 'email'>, comment: string): Mail {
  const said = comment === '' ? [] : ['The administrators left this comment:', comment];
  return {
    to: { name: user.full_name, address: user.email },
    subject: `Your account at ${realm.name} has been deactivated`,
    text: [`Your account at ${realm.name} (${realm.url}) has been deactivated.`, ...said].join('\n\n'),
  };
}
