import type { Actor, RealmRef } from '#kernel/auth';
import type { Context } from '#kernel/context';
import type { PlainMail } from '#features/mails';

interface Inviter {
  readonly full_name: string;
  readonly email: string;
}

/** Somebody who invites, for a mail. */
export function sender(actor: Actor): Inviter {
  return { full_name: actor.fullName, email: actor.email };
}

/** The mail that brings an invitation. */
export function invitationMail(
  context: Pick<Context, 'realmUrl'>,
  realm: RealmRef,
  inviter: Inviter,
  to: string,
  key: string,
  isReminder = false,
): PlainMail {
  const who = `${inviter.full_name} (${inviter.email})`;
  const url = `${context.realmUrl(realm)}/accounts/do_confirm/${key}`;
  return {
    action: { label: `Join ${realm.name}`, url },
    to: { address: to },
    subject: `${isReminder ? 'Reminder: ' : ''}${inviter.full_name} has invited you to join ${realm.name}`,
    text: [
      `${who} has invited you to join ${realm.name} on Roost, where the team talks.`,
      'To join, open this address:',
      url,
      `If you do not know ${inviter.full_name}, you need not do anything.`,
    ].join('\n\n'),
  };
}

/** The mail that asks whether an address is its owner's. */
export function confirmationMail(
  context: Pick<Context, 'realmUrl'>,
  realm: RealmRef,
  to: string,
  key: string,
): PlainMail {
  const url = `${context.realmUrl(realm)}/accounts/do_confirm/${key}`;
  return {
    action: { label: `Join ${realm.name}`, url },
    to: { address: to },
    subject: `Confirm your address to join ${realm.name}`,
    text: [
      `Somebody, we hope you, wants to join ${realm.name} with this address.`,
      'To go on, open this address within a day:',
      url,
      'If it was not you, you need not do anything.',
    ].join('\n\n'),
  };
}
