import { addPerson, defaultChannelsOf, type NewPerson } from '#features/accounts';
import { addSubscribers } from '#features/channels';
import { type EmailFault, emailFault, readEmailRules } from '#features/email-domains';
import { greet } from '#features/first-day';
import { hashPassword, passwordFaultIn } from '#features/sign-in';
import { findUser, findUserByEmail, NameFault, nameRefusal, type UserRow } from '#features/users';
import type { Actor, ActorReadTx, RealmRef, RealmRefWriteTx } from '#kernel/auth';
import type { ApiError } from '#kernel/errors';
import { lockLog } from '#kernel/events';
import type { UserId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import { Role } from '#kernel/permissions';
import type { RealmReadTx } from '#kernel/store';
import {
  BadEmail,
  DisposableEmail,
  EmailInUse,
  EmailNotAllowed,
  EmailWithPlus,
  MayNotCreateUsers,
  PasswordTooWeak,
} from './errors.ts';

/** The data of a new account that an administrator creates. */
export interface NewMember {
  readonly email: string;
  readonly full_name: string;
  readonly password: string;
  /** Defaults to member. */
  readonly role?: number;
}

/** Creates a member's account without sending mail. Checks in the order of protocol/users#creating. */
export async function createMember(context: Context, actor: Actor, input: NewMember): Promise<UserId> {
  await context.store.as(actor).read(async (tx) => {
    if (!(await mayManageAccounts(tx))) throw MayNotCreateUsers();
  });
  return addMember(context, actor.realm, input);
}

/** Creates an account for a caller who may do so; checks its name, address and password, in this order. */
export async function addMember(context: Context, realm: RealmRef, input: NewMember): Promise<UserId> {
  const { full_name, email, password, role = Role.member } = input;
  await context.store.in(realm).read((tx) => assertFree(tx, input));
  if ((await passwordFaultIn({ context, realm }, password, [full_name, email])) !== undefined) throw PasswordTooWeak();
  const passwordHash = await hashPassword(password);
  return context.store.in(realm).write(async (tx) => {
    await lockLog(tx);
    // Checked again: somebody may have taken the name or the address in the meantime.
    await assertFree(tx, input);
    return (await settle(tx, { email, full_name, role, passwordHash })).id;
  });
}

/**
 * Creates the account of somebody who signs in without a password, inside a transaction that has locked the log. The
 * caller has checked that this is allowed; name and address are checked here.
 */
export async function addWithin(tx: RealmRefWriteTx, person: Omit<NewPerson, 'passwordHash'>): Promise<UserRow> {
  await assertFree(tx, person);
  return settle(tx, person);
}

async function settle(tx: RealmRefWriteTx, person: NewPerson): Promise<UserRow> {
  const user = await addPerson(tx, person);
  const channels = await defaultChannelsOf(tx, user);
  if (channels.length > 0) await addSubscribers(tx, channels, [user.id]);
  await greet(tx, user);
  return user;
}

/** Whether the operator lets the actor create accounts and change addresses. */
export async function mayManageAccounts(tx: ActorReadTx): Promise<boolean> {
  return (await findUser(tx, tx.actor.userId))?.may_manage_accounts === true;
}

async function assertFree(
  tx: RealmReadTx,
  { full_name, email }: Pick<NewMember, 'full_name' | 'email'>,
): Promise<void> {
  const fault = await nameRefusal(tx, full_name);
  if (fault !== undefined) throw NameFault({ fault });
  const refused = emailFault(await readEmailRules(tx), email);
  if (refused) throw REFUSALS[refused](email);
  if (await findUserByEmail(tx, email)) throw EmailInUse();
}

const REFUSALS: Readonly<Record<EmailFault, (email: string) => ApiError>> = {
  malformed: () => BadEmail(),
  domain: (email) => EmailNotAllowed({ email }),
  plus: () => EmailWithPlus(),
  disposable: () => DisposableEmail(),
};
