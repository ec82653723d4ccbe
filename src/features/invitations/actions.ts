import type { Actor, RealmRef } from '#kernel/auth';
import { InsufficientPermission, OwnerRequired } from '#kernel/errors';
import type { UserId } from '#kernel/ids';
import type { Kit } from '#kernel/kit';
import { isAdministrator, isOwner, Role } from '#kernel/permissions';

import type { WriteTx } from '#kernel/store';
import { foldCase } from '#kernel/text';
import { findUser } from '#features/users';
import { readRights, type Rights } from '#features/groups';
import { queueMail, queueMails } from '#features/mails';
import { type AddressFault, addressFaults } from './addresses.ts';
import { exceedsDailyLimit, takeBack } from './daily-limit.ts';
import { AdministratorNeeded, InvitationFailed, InvitationRevoked, NoEmails, NoSuchInvitation } from './errors.ts';
import { invitesChanged } from './events.ts';
import { keyHash, keyOf } from './keys.ts';
import { invitationMail } from './mails.ts';
import {
  findInvitation,
  insertInvitations,
  type NewInvitation,
  revokeInvitation,
  revokeInvitationsBy,
} from './queries.ts';
import { reminderJob } from './reminders.ts';
import { assertMayInviteAs, assertMayOffer, type Offer } from './rights.ts';
import { MIN_INVITER_DAYS, parseAddresses } from './rules.ts';
import type { InvitationRow } from './tables.ts';

/** What somebody asks for when inviting. */
export interface InvitationRequest extends Offer {
  /** Null: never. */
  readonly invite_expires_in_minutes: number | null;
  readonly include_realm_default_subscriptions: boolean;
}

const SECONDS_A_DAY = 86_400;
/** Validity from which a reminder is sent, and how long before the end, in seconds. Contract operations 4.7. */
const REMINDED_FROM_SECONDS = 4 * SECONDS_A_DAY;
const REMINDER_SECONDS = 2 * SECONDS_A_DAY;

/** Tells administrators and the inviter that the list has changed. */
export function announceInvites(tx: WriteTx, realm: RealmRef, inviterId: UserId | null): void {
  const users = inviterId === null ? [] : [inviterId];
  tx.emit(invitesChanged(realm.id, {}, { audience: { admins: true, users } }));
}

/** Invites addresses by mail. Contract operations 4.7. */
export async function sendInvitations(
  kit: Kit,
  realm: RealmRef,
  actor: Actor,
  input: InvitationRequest & { readonly invitee_emails: string; readonly notify_referrer_on_join: boolean },
): Promise<void> {
  const faults = await kit.store.write(async (tx) => {
    const rights = await readRights(tx, realm, actor);
    assertMayInviteAs(rights, 'can_invite_users_group', input.invite_as);
    if (input.invitee_emails.trim() === '') throw NoEmails();
    await assertMayOffer(tx, realm, rights, input);
    const addresses = parseAddresses(input.invitee_emails);
    await assertWithinDay(kit, tx, realm, addresses.length);
    assertOldEnough(rights, tx.now);
    const found = await addressFaults(tx, realm, addresses);
    assertSomeLeft(addresses, found);
    const failed = new Set(found.map(({ address }) => address));
    const invited = addresses.filter((address) => !failed.has(address));
    await takeBack(kit, tx, realm, failed.size);
    await insertAndMail(kit, tx, realm, actor, input, invited);
    if (invited.length > 0) announceInvites(tx, realm, actor.userId);
    return found;
  });
  if (faults.length > 0) throw failure(SOME_SKIPPED, faults, true);
}

/** Makes a link by which anybody may join. Contract operations 4.8. */
export async function createInvitationLink(
  kit: Kit,
  realm: RealmRef,
  actor: Actor,
  input: InvitationRequest,
): Promise<string> {
  const seed = kit.clock.token(32);
  await kit.store.write(async (tx) => {
    const rights = await readRights(tx, realm, actor);
    assertMayInviteAs(rights, 'create_multiuse_invite_group', input.invite_as);
    await assertMayOffer(tx, realm, rights, input);
    await insertInvitations(tx, realm.id, [
      { ...newInvitation(kit, input, tx.now, seed), invitation_kind: 'link', inviter_id: actor.userId },
    ]);
    announceInvites(tx, realm, actor.userId);
  });
  return linkOf(kit, realm, seed);
}

/** Address of a reusable link. */
export function linkOf(kit: Pick<Kit, 'realmUrl' | 'server'>, realm: RealmRef, seed: string): string {
  return `${kit.realmUrl(realm)}/join/${keyOf(kit.server.secret, seed)}/`;
}

/** Takes an invitation or a link back. Contract operations 5.5. */
export async function revoke(
  kit: Kit,
  realm: RealmRef,
  actor: Actor,
  kind: 'email' | 'link',
  id: number,
): Promise<void> {
  await kit.store.write(async (tx) => {
    const row = await findInvitation(tx, realm.id, kind, id);
    if (!row) throw NoSuchInvitation();
    assertMayManage(actor, row);
    if (kind === 'link' && row.invitation_state === 'revoked') throw InvitationRevoked();
    if (!(await revokeInvitation(tx, realm.id, id))) throw NoSuchInvitation();
    announceInvites(tx, realm, row.inviter_id);
  });
}

/** Takes back everything that somebody offered who leaves, and tells administrators if that was anything. Contract 4.14. */
export async function revokeAllOf(tx: WriteTx, realm: RealmRef, inviterId: UserId): Promise<void> {
  if (await revokeInvitationsBy(tx, realm.id, inviterId)) announceInvites(tx, realm, null);
}

/** Sends an invitation's mail again; it stays good for as long as before. Contract operations 5.5. */
export async function resend(kit: Kit, realm: RealmRef, actor: Actor, id: number): Promise<void> {
  await kit.store.write(async (tx) => {
    const row = await findInvitation(tx, realm.id, 'email', id);
    if (!row || row.invitation_state !== 'pending' || isOver(row, tx.now)) throw NoSuchInvitation();
    assertMayManage(actor, row);
    await assertWithinDay(kit, tx, realm, 1);
    const inviter = row.inviter_id === null ? undefined : await findUser(tx, realm.id, row.inviter_id);
    const key = keyOf(kit.server.secret, row.key_seed);
    await queueMail(kit, tx, realm.id, invitationMail(kit, realm, inviter ?? sender(actor), row.email ?? '', key));
  });
}

/** Whether an invitation has expired. */
export function isOver(row: Pick<InvitationRow, 'expires_at'>, now: number): boolean {
  return row.expires_at !== null && row.expires_at <= now;
}

function assertMayManage(actor: Actor, row: InvitationRow): void {
  if (row.inviter_id !== actor.userId && !isAdministrator(actor)) throw AdministratorNeeded();
  if (row.invited_as === Role.owner && !isOwner(actor)) throw OwnerRequired();
}

async function assertWithinDay(kit: Kit, tx: WriteTx, realm: RealmRef, mails: number): Promise<void> {
  if (await exceedsDailyLimit(kit, tx, realm, mails)) throw failure(TOO_MANY, [], false, true);
}

function assertOldEnough({ settings, actor }: Rights, now: number): void {
  const isNew = now - actor.dateJoined < MIN_INVITER_DAYS * SECONDS_A_DAY;
  if (!settings.invite_required && isNew && !isAdministrator(actor)) throw failure(TOO_NEW, [], false);
}

function assertSomeLeft(addresses: readonly string[], faults: readonly AddressFault[]): void {
  if (faults.some((fault) => fault.isInvalid)) throw failure(SOME_INVALID, faults, false);
  if (faults.length > 0 && faults.length === addresses.length) throw failure(ALL_SKIPPED, faults, false);
}

async function insertAndMail(
  kit: Kit,
  tx: WriteTx,
  realm: RealmRef,
  actor: Actor,
  input: InvitationRequest & { readonly notify_referrer_on_join: boolean },
  addresses: readonly string[],
): Promise<void> {
  const rows = addresses.map((email) => ({
    ...newInvitation(kit, input, tx.now, kit.clock.token(32)),
    invitation_kind: 'email' as const,
    inviter_id: actor.userId,
    email,
    email_key: foldCase(email),
    notifies_referrer: input.notify_referrer_on_join,
  }));
  await insertInvitations(tx, realm.id, rows);
  const mails = rows.map(({ email, key_seed }) =>
    invitationMail(kit, realm, sender(actor), email, keyOf(kit.server.secret, key_seed)),
  );
  await queueMails(kit, tx, realm.id, mails);
  await remindLater(kit, tx, realm, rows);
}

/** Has invitations of one request mailed once more before they end, where that is long after. */
async function remindLater(kit: Kit, tx: WriteTx, realm: RealmRef, rows: readonly NewInvitation[]): Promise<void> {
  const end = rows[0]?.expires_at ?? null;
  if (end === null || end - tx.now < REMINDED_FROM_SECONDS) return;
  const reminders = rows.map(({ key_hash }) => ({ key_hash }));
  await kit.jobs.enqueueAll(tx, realm.id, reminderJob, reminders, { runAt: end - REMINDER_SECONDS });
}

function newInvitation(kit: Kit, input: InvitationRequest, now: number, key_seed: string): NewInvitation {
  const minutes = input.invite_expires_in_minutes;
  return {
    invitation_kind: 'link',
    parent_id: null,
    email: null,
    email_key: null,
    inviter_id: null,
    invited_as: input.invite_as,
    channel_ids: input.stream_ids,
    group_ids: input.group_ids,
    includes_defaults: input.include_realm_default_subscriptions,
    notifies_referrer: false,
    welcome_text: input.welcome_message_custom_text,
    key_seed,
    key_hash: keyHash(keyOf(kit.server.secret, key_seed)),
    expires_at: minutes === null ? null : now + minutes * 60,
  };
}

function sender(actor: Actor): { full_name: string; email: string } {
  return { full_name: actor.fullName, email: actor.email };
}

const TOO_NEW =
  'Your account is too new to send invites for this organization. Ask an organization admin, or a more experienced user.';
const TOO_MANY =
  'To protect users, Roost limits the number of invitations you can send in one day. Because you have reached the limit, no invitations were sent.';
const SOME_INVALID = "Some emails did not validate, so we didn't send any invitations.";
const ALL_SKIPPED = "We weren't able to invite anyone.";
const SOME_SKIPPED =
  "Some of those addresses are already using Roost, so we didn't send them an invitation. We did send invitations to everyone else!";

/** Validation failures come before skipped ones. Contract operations 4.7, check 14. */
function failure(
  text: string,
  faults: readonly AddressFault[],
  sent_invitations: boolean,
  daily_limit_reached = false,
) {
  const errors = [...faults.filter((fault) => fault.isInvalid), ...faults.filter((fault) => !fault.isInvalid)];
  return InvitationFailed({
    text,
    errors: errors.map(({ address, reason, isDeactivated }) => [address, reason, isDeactivated]),
    sent_invitations,
    license_limit_reached: false,
    daily_limit_reached,
  });
}

/** What is thrown where the caller's rights end. */
export const INVITING_ERRORS = [InsufficientPermission, OwnerRequired, AdministratorNeeded];
