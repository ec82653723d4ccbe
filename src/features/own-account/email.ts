import { SECONDS_PER_DAY } from '#kernel/clock';
import { type Actor, deleteSessionsOf, type RealmRef, type RealmRefWriteTx } from '#kernel/auth';
import { lockLog } from '#kernel/events';
import type { UserId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import { isAdministrator } from '#kernel/permissions';
import type { RealmReadTx } from '#kernel/store';
import { changeEmail, formerAddressMail } from '#features/accounts';
import { accountReason, addressReason } from '#features/invitations';
import { queueMail, queueMails } from '#features/mails';
import { readRealm, settingsOf } from '#features/realms';
import {
  deleteOneTimeLinks,
  endRecovery,
  makeOneTimeLink,
  makeWayBack,
  takeOneTimeLink,
  takeWayBack,
} from '#features/sign-in';
import { endEveryKey, findUser, findUserByEmail, type UserRow } from '#features/users';
import { AddressRefused, EmailChangesDisabled } from './errors.ts';
import { newAddressMails } from './mails.ts';

/** Seconds within which somebody must confirm a new address: a day. */
const CONFIRMATION_SECONDS = SECONDS_PER_DAY;

/** Throws unless the address may become the caller's. The checks of protocol/settings#address, in order. */
export async function assertNewEmail(context: Context, actor: Actor, email: string): Promise<void> {
  await context.store.as(actor).read(async (tx) => {
    if (!(await mayChangeEmail(tx, actor))) throw EmailChangesDisabled();
    const reason = await refusal(tx, actor.userId, email);
    if (reason !== undefined) throw AddressRefused({ reason });
  });
  const key = `${actor.realmId}:${actor.userId}`;
  await context.limits.take('email-change-hour', key);
  await context.limits.take('email-change-day', key);
}

/** Whether the organization lets an account change its address. */
async function mayChangeEmail(tx: RealmReadTx, account: Pick<UserRow, 'role'>): Promise<boolean> {
  return isAdministrator(account) || !settingsOf(await readRealm(tx)).email_changes_disabled;
}

/** Why an account may not have an address; undefined if it may. */
async function refusal(tx: RealmReadTx, userId: UserId, email: string): Promise<string | undefined> {
  const reason = await addressReason(tx, email);
  if (reason !== undefined) return reason;
  const holder = await findUserByEmail(tx, email);
  return holder && holder.id !== userId ? accountReason(holder).reason : undefined;
}

/**
 * Mails the new address a confirmation link, and the old address a link that stops the change; nothing changes before
 * the confirmation. Earlier links for other new addresses become invalid.
 */
export async function askForConfirmation(
  context: Context,
  tx: RealmRefWriteTx,
  user: UserRow,
  email: string,
): Promise<void> {
  await deleteOneTimeLinks(tx, ['email'], user.id);
  const link = { realm_id: tx.realmId, user_id: user.id, seconds: CONFIRMATION_SECONDS };
  const token = await makeOneTimeLink(context.clock, tx, { ...link, purpose: 'email', address: email });
  const stop = await makeWayBack(context.clock, tx, user);
  await queueMails(tx, newAddressMails(tx, user, { address: email, token, stop }));
}

/** Result of confirming: the new address, a reason against it, or that the link is no longer valid. */
export type Confirmed = { readonly email: string } | { readonly reason: string } | { readonly gone: true };

/**
 * Changes an account's address by a confirmation link, and notifies the old address. The organization's rules and the
 * address are checked again, because a day may have passed.
 */
export function confirmEmail(context: Context, realm: RealmRef, token: string): Promise<Confirmed> {
  return context.store.in(realm).write(async (tx): Promise<Confirmed> => {
    await lockLog(tx);
    const link = await takeOneTimeLink(tx, 'email', token);
    const user = link?.user_id ? await findUser(tx, link.user_id) : undefined;
    const email = link?.address;
    if (!user?.is_active || !email) return { gone: true };
    if (!(await mayChangeEmail(tx, user))) return { reason: EmailChangesDisabled().message };
    const reason = await refusal(tx, user.id, email);
    if (reason !== undefined) return { reason };
    await changeEmail(tx, user, email);
    await queueMail(tx, formerAddressMail(tx, user, { address: email, isByAdministrator: false }));
    return { email };
  });
}

/**
 * Keeps the address that a link was mailed to: cancels a pending change, and undoes a confirmed one, because the
 * attacker who asked for it had access to the account. So sessions, API key and event queues end, too (security#asvs,
 * 7.4.3).
 */
export function keepEmail(context: Context, realm: RealmRef, token: string): Promise<Confirmed> {
  return context.store.in(realm).write(async (tx): Promise<Confirmed> => {
    await lockLog(tx);
    const link = await takeWayBack(tx, token);
    const user = link?.user_id ? await findUser(tx, link.user_id) : undefined;
    const email = link?.address;
    if (!user?.is_active || !email) return { gone: true };
    const holder = await findUserByEmail(tx, email);
    if (holder && holder.id !== user.id) return { reason: accountReason(holder).reason };
    await endRecovery(tx, user.id);
    if (user.email !== email) await changeEmail(tx, user, email);
    await endEveryKey(context, tx, user);
    await deleteSessionsOf(tx, user.id);
    return { email };
  });
}
