import type { Actor, RealmRefReadTx } from '#kernel/auth';
import type { PlainMail } from '#features/mails';

interface Inviter {
  readonly full_name: string;
  readonly email: string;
}

/** The actor as the inviter in a mail. */
export function sender(actor: Actor): Inviter {
  return { full_name: actor.fullName, email: actor.email };
}

/** A mail with a key: who sends it, and to whom. */
interface Sent {
  readonly inviter: Inviter;
  /** An email address. */
  readonly to: string;
  readonly key: string;
  readonly isReminder?: boolean;
}

/** The mail with an invitation. */
export function invitationMail({ realm }: RealmRefReadTx, { inviter, to, key, isReminder = false }: Sent): PlainMail {
  const who = `${inviter.full_name} (${inviter.email})`;
  const url = `${realm.url}/accounts/do_confirm/${key}`;
  return {
    action: { label: `Join ${realm.name}`, url },
    to: { address: to },
    subject: `${isReminder ? 'Reminder: ' : ''}${inviter.full_name} has invited you to join ${realm.name}`,
    text: [
      `${who} has invited you to join ${realm.name} on Roost, where the team talks.`,
      'To join, open this address:',
      url,
      `If you do not know ${inviter.full_name}, you can ignore this mail.`,
    ].join('\n\n'),
  };
}

/** The mail with which the owner of an address confirms it. */
export function confirmationMail({ realm }: RealmRefReadTx, { to, key }: Pick<Sent, 'to' | 'key'>): PlainMail {
  const url = `${realm.url}/accounts/do_confirm/${key}`;
  return {
    action: { label: `Join ${realm.name}`, url },
    to: { address: to },
    subject: `Confirm your address to join ${realm.name}`,
    text: [
      `Somebody, we hope you, wants to join ${realm.name} with this address.`,
      'To continue, open this address within a day:',
      url,
      'If this was not you, you can ignore this mail.',
    ].join('\n\n'),
  };
}
