import type { RealmRef } from '#kernel/auth';
import type { Context } from '#kernel/context';
import type { Mail } from '#kernel/mail';
import type { PlainMail } from '#features/mails';
import type { UserRow } from '#features/users';

type Recipient = Pick<UserRow, 'full_name' | 'email'>;

/** Asks a new address whether it is its owner's. */
export function confirmNewAddressMail(
  context: Pick<Context, 'realmUrl'>,
  realm: RealmRef,
  user: Recipient,
  address: string,
  token: string,
): PlainMail {
  const url = `${context.realmUrl(realm)}/accounts/confirm_new_email/${token}`;
  return {
    action: { label: 'Use this address', url },
    to: { name: user.full_name, address },
    subject: `Confirm your new address at ${realm.name}`,
    text: [
      `Somebody, we hope you, wants to use this address at ${realm.name} instead of ${user.email}.`,
      'To confirm it, open this address within a day:',
      url,
      'If it was not you, you need not do anything.',
    ].join('\n\n'),
  };
}

/** Tells the old address that another is asked for, with a link that stops it. */
export function stopNewAddressMail(
  context: Pick<Context, 'realmUrl'>,
  realm: RealmRef,
  user: Recipient,
  address: string,
  token: string,
): PlainMail {
  const url = `${context.realmUrl(realm)}/accounts/keep_email/${token}`;
  return {
    action: { label: 'Keep my address', url },
    to: { name: user.full_name, address: user.email },
    subject: `Another address for your account at ${realm.name}`,
    text: [
      `Somebody, we hope you, wants your account at ${realm.name} to use the address ${address} instead of this one.`,
      'If it was not you, open this address within a day to keep yours and to log out everybody who is in your account:',
      url,
      'If it was you, you need not do anything.',
    ].join('\n\n'),
  };
}

/** Tells the old address that it is no longer used. */
export function addressChangedMail(
  context: Pick<Context, 'realmUrl'>,
  realm: RealmRef,
  user: Recipient,
  to: string,
): Mail {
  return {
    to: { name: user.full_name, address: user.email },
    subject: `Your address at ${realm.name} has changed`,
    text: [
      `Your account at ${realm.name} (${context.realmUrl(realm)}) now uses the address ${to}.`,
      'If it was not you, please tell an administrator at once.',
    ].join('\n\n'),
  };
}
