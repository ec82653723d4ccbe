import { SECONDS_PER_DAY } from '#kernel/clock';
import { readRights } from '#features/groups';
import { queueMails } from '#features/mails';
import type { Actor, RealmRef, ActorWriteTx } from '#kernel/auth';
import { InsufficientPermission, OwnerRequired } from '#kernel/errors';
import type { UserId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import { enqueueAll } from '#kernel/jobs';
import type { RealmWriteTx } from '#kernel/store';
import { foldCase } from '#kernel/text';
import { addressFaults } from './addresses.ts';
import { takeBack } from './daily-limit.ts';
import { AdministratorNeeded, NoEmails, TooManyEmails } from './errors.ts';
import { invitesChanged } from './events.ts';
import { keyHash, keyOf } from './keys.ts';
import { invitationMail, sender } from './mails.ts';
import { insertInvitations, type NewInvitation } from './queries.ts';
import { assertOldEnough, assertSomeLeft, assertWithinDay, someSkipped } from './refusals.ts';
import { reminderJob } from './reminders.ts';
import { assertMayInviteAs, assertMayOffer, type Offer } from './rights.ts';
import { MAX_ADDRESSES, parseAddresses } from './rules.ts';

/** The request for invitations or a link. */
export interface InvitationRequest extends Offer {
  /** Null for never. */
  readonly invite_expires_in_minutes: number | null;
  readonly include_realm_default_subscriptions: boolean;
}

/**
 * Invitations that are valid at least this long get a reminder, and it is sent this long before the end, in seconds.
 * See protocol/invitations#effects.
 */
const REMINDED_FROM_SECONDS = 4 * SECONDS_PER_DAY;
const REMINDER_SECONDS = 2 * SECONDS_PER_DAY;

/** Tells administrators and the inviter that the list of invitations changed. */
export function announceInvites(tx: RealmWriteTx, inviterId: UserId | null): void {
  const users = inviterId === null ? [] : [inviterId];
  tx.emit(invitesChanged({}, { audience: { admins: true, users } }));
}

/** Invites people by mail. See protocol/invitations#effects. */
export async function sendInvitations(
  context: Context,
  actor: Actor,
  input: InvitationRequest & { readonly invitee_emails: string; readonly notify_referrer_on_join: boolean },
): Promise<void> {
  // Parsed before the transaction, because the text can be long.
  const addresses = parseAddresses(input.invitee_emails);
  const faults = await context.store.as(actor).write(async (tx) => {
    const rights = await readRights(tx);
    assertMayInviteAs(rights, 'can_invite_users_group', input.invite_as);
    if (input.invitee_emails.trim() === '') throw NoEmails();
    await assertMayOffer(tx, rights, input);
    if (addresses.length > MAX_ADDRESSES) throw TooManyEmails({ most: MAX_ADDRESSES });
    await assertWithinDay(context, tx, addresses.length);
    assertOldEnough(rights, tx.now);
    const found = await addressFaults(tx, addresses);
    assertSomeLeft(addresses, found);
    const failed = new Set(found.map(({ address }) => address));
    const invited = addresses.filter((address) => !failed.has(address));
    await takeBack(context, tx, failed.size);
    await insertAndMail(context, tx, input, invited);
    if (invited.length > 0) announceInvites(tx, actor.userId);
    return found;
  });
  if (faults.length > 0) throw someSkipped(faults);
}

/** Creates a link by which anybody may join. See protocol/invitations#links. */
export function createInvitationLink(context: Context, actor: Actor, input: InvitationRequest): Promise<string> {
  return context.store.as(actor).write(async (tx) => {
    const rights = await readRights(tx);
    assertMayInviteAs(rights, 'create_multiuse_invite_group', input.invite_as);
    await assertMayOffer(tx, rights, input);
    const link = newInvitation(context, tx, input);
    await insertInvitations(tx, [link]);
    announceInvites(tx, actor.userId);
    return linkOf(context, actor.realm, link.key_seed);
  });
}

/** Address of a reusable invitation link. */
export function linkOf(context: Pick<Context, 'server'>, realm: RealmRef, seed: string): string {
  return `${realm.url}/join/${keyOf(context.server.secret, seed)}/`;
}

async function insertAndMail(
  context: Context,
  tx: ActorWriteTx,
  input: InvitationRequest & { readonly notify_referrer_on_join: boolean },
  addresses: readonly string[],
): Promise<void> {
  const rows = addresses.map((email) => ({
    ...newInvitation(context, tx, input),
    invitation_kind: 'email' as const,
    email,
    email_key: foldCase(email),
    notifies_referrer: input.notify_referrer_on_join,
  }));
  await insertInvitations(tx, rows);
  const mails = rows.map(({ email, key_seed }) =>
    invitationMail(tx, {
      inviter: sender(tx.actor),
      to: email,
      key: keyOf(context.server.secret, key_seed),
    }),
  );
  await queueMails(tx, mails);
  await remindLater(tx, rows);
}

/** Schedules a reminder for each invitation of one request, unless they expire too soon for one. */
async function remindLater(tx: RealmWriteTx, rows: readonly NewInvitation[]): Promise<void> {
  const end = rows[0]?.expires_at ?? null;
  if (end === null || end - tx.now < REMINDED_FROM_SECONDS) return;
  const reminders = rows.map(({ key_hash }) => ({ key_hash }));
  await enqueueAll(tx, reminderJob, reminders, { runAt: end - REMINDER_SECONDS });
}

function newInvitation(context: Context, tx: ActorWriteTx, input: InvitationRequest): NewInvitation {
  const key_seed = context.clock.token(32);
  const minutes = input.invite_expires_in_minutes;
  return {
    invitation_kind: 'link',
    parent_id: null,
    email: null,
    email_key: null,
    inviter_id: tx.actor.userId,
    invited_as: input.invite_as,
    channel_ids: input.stream_ids,
    group_ids: input.group_ids,
    includes_defaults: input.include_realm_default_subscriptions,
    notifies_referrer: false,
    welcome_text: input.welcome_message_custom_text,
    key_seed,
    key_hash: keyHash(keyOf(context.server.secret, key_seed)),
    expires_at: minutes === null ? null : tx.now + minutes * 60,
  };
}

/** Errors that are thrown if the caller lacks a right. */
export const INVITING_ERRORS = [InsufficientPermission, OwnerRequired, AdministratorNeeded];
