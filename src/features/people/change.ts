import { changeEmail, changeRole, formerAddressMail, rename } from '#features/accounts';
import { accountReason, revokeAbove } from '#features/invitations';
import { queueMail } from '#features/mails';
import { emptyRemoves, type ProfileItem, prepareProfile, setProfile } from '#features/profile-fields';
import { endWaysBack, keepingOwnersIn } from '#features/sign-in';
import { accessAccount, findUserByEmail, NameFault, nameRefusal, type UserRow } from '#features/users';
import type { Actor, ActorReadTx, ActorWriteTx, RealmRefWriteTx } from '#kernel/auth';
import { AdministratorRequired, InsufficientPermission, OwnerRequired } from '#kernel/errors';
import { lockLog } from '#kernel/events';
import type { UserId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import { isMailAddress } from '#kernel/mail';
import { isAdministrator, isOwner, Role } from '#kernel/permissions';
import { email as emailSchema, firstFault } from '#kernel/schema';
import { type RealmReadTx } from '#kernel/store';
import { mayManageAccounts } from './create.ts';
import { InvalidNewEmail, LastOwnerRole, MayNotChangeEmails, NewEmailRefused } from './errors.ts';
import { isOnlyOwner } from './owners.ts';

/** The changes to an account that a client asks for; undefined members stay. */
export interface PersonChange {
  readonly full_name?: string | undefined;
  readonly role?: number | undefined;
  readonly profile_data?: readonly ProfileItem[] | undefined;
  readonly new_email?: string | undefined;
}

/** Changes an account completely or, if one part is refused, not at all. See protocol/users#changing. */
export async function changePerson(context: Context, actor: Actor, id: UserId, sent: PersonChange): Promise<void> {
  const change = { ...sent, full_name: sent.full_name?.trim(), new_email: sent.new_email?.trim() };
  const assertAll = async (tx: ActorReadTx) => {
    const user = await accessPerson(tx, id);
    await assertMayChange(tx, user, change);
    await assertName(tx, user, change);
    return user;
  };
  const items = emptyRemoves(sent.profile_data ?? []);
  if (items.length > 0) await context.store.as(actor).read(assertAll);
  const profile = items.length > 0 ? await prepareProfile(context, actor, items) : undefined;
  await context.store.as(actor).write(async (tx) => {
    await lockLog(tx);
    const user = await assertAll(tx);
    await assertEmail(tx, user, change);
    await keepingOwnersIn(context, tx, user, () => apply(tx, user, change));
    if (profile && !user.is_bot) await setProfile(tx, user.id, profile);
    await readdress(tx, user, change);
  });
}

/**
 * Changes an account for a directory that manages it, inside a transaction that has locked the log. It may change
 * addresses, too.
 */
export async function changeWithin(
  tx: ActorWriteTx,
  id: UserId,
  change: Pick<PersonChange, 'full_name' | 'role' | 'new_email'>,
): Promise<void> {
  const user = await accessPerson(tx, id);
  const isMoved = change.new_email !== undefined && change.new_email !== user.email;
  if (isMoved && isOwner(user) && !isOwner(tx.actor)) throw OwnerRequired();
  await assertMayChange(tx, user, { role: change.role });
  await assertName(tx, user, change);
  await assertEmail(tx, user, change);
  await apply(tx, user, change);
  await readdress(tx, user, change);
}

/**
 * Changes an account's address, and notifies the old address, because its owner may not know of the change
 * (security#asvs, 6.3.7).
 */
async function readdress(tx: RealmRefWriteTx, user: UserRow, { new_email }: PersonChange): Promise<void> {
  if (new_email === undefined || new_email === user.email) return;
  await changeEmail(tx, user, new_email);
  await endWaysBack(tx, user.id);
  const change = { address: new_email, isByAdministrator: true };
  if (!user.is_bot) await queueMail(tx, formerAddressMail(tx, user, change));
}

/** Returns an account that the caller may change: any for administrators, their own bots for others. */
async function accessPerson(tx: ActorReadTx, id: UserId): Promise<UserRow> {
  const user = await accessAccount(tx, id);
  if (!isAdministrator(tx.actor) && !(user.is_bot && user.bot_owner_id === tx.actor.userId))
    throw InsufficientPermission();
  return user;
}

/** Throws unless the caller may make the changes; in the order of the protocol: the address, then the role. */
async function assertMayChange(tx: ActorReadTx, user: UserRow, { new_email, role }: PersonChange): Promise<void> {
  const { actor } = tx;
  if (new_email !== undefined) {
    if (!isAdministrator(actor) || !(await mayManageAccounts(tx))) throw MayNotChangeEmails();
    // Whoever can choose the address can have a new password sent to it.
    if (isOwner(user) && !isOwner(actor)) throw OwnerRequired();
  }
  if (role === undefined || role === user.role) return;
  if ((role === Role.owner || isOwner(user)) && !isOwner(actor)) throw OwnerRequired();
  if (!isAdministrator(actor)) throw AdministratorRequired();
  if (await isOnlyOwner(tx, user)) throw LastOwnerRole();
}

async function assertName(tx: RealmReadTx, user: UserRow, { full_name }: PersonChange): Promise<void> {
  if (!isRename(user, full_name)) return;
  const fault = await nameRefusal(tx, full_name, user.id);
  if (fault !== undefined) throw NameFault({ fault });
}

/** Whether the name changes; an empty name means no change. */
function isRename(user: UserRow, name: string | undefined): name is string {
  return name !== undefined && name !== '' && name !== user.full_name;
}

async function assertEmail(tx: RealmReadTx, user: UserRow, { new_email }: PersonChange): Promise<void> {
  if (new_email === undefined || new_email === user.email) return;
  if (!isMailAddress(new_email) || 'fault' in firstFault(emailSchema(), 'email', new_email)) throw InvalidNewEmail();
  const holder = await findUserByEmail(tx, new_email);
  if (holder && holder.id !== user.id) throw NewEmailRefused({ why: accountReason(holder).reason });
}

async function apply(tx: RealmRefWriteTx, user: UserRow, { full_name, role }: PersonChange): Promise<void> {
  if (role !== undefined && role !== user.role) {
    await changeRole(tx, user, role);
    await revokeAbove(tx, user.id, role);
  }
  if (isRename(user, full_name)) await rename(tx, user, full_name);
}
