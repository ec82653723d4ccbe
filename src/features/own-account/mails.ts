import type { RealmRef } from '#kernel/auth';
import type { Kit } from '#kernel/kit';
import type { Mail } from '#kernel/mail';
import type { UserRow } from '#features/users';

type Recipient = Pick<UserRow, 'full_name' | 'email'>;

/** Asks a new address whether it is its owner's. */
export function confirmNewAddressMail(
  kit: Pick<Kit, 'realmUrl'>,
  realm: RealmRef,
  user: Recipient,
  address: string,
  token: string,
): Mail {
  return {
    to: { name: user.full_name, address },
    subject: `Confirm your new address at ${realm.name}`,
    text: [
      `Somebody, we hope you, wants to use this address at ${realm.name} instead of ${user.email}.`,
      'To confirm it, open this address within a day:',
      `${kit.realmUrl(realm)}/accounts/confirm_new_email/${token}`,
      'If it was not you, you need not do anything.',
    ].join('\n\n'),
  };
}

/** Tells the old address that it is no longer used. */
export function addressChangedMail(kit: Pick<Kit, 'realmUrl'>, realm: RealmRef, user: Recipient, to: string): Mail {
  return {
    to: { name: user.full_name, address: user.email },
    subject: `Your address at ${realm.name} has changed`,
    text: [
      `Your account at ${realm.name} (${kit.realmUrl(realm)}) now uses the address ${to}.`,
      'If it was not you, please tell an administrator at once.',
    ].join('\n\n'),
  };
}
