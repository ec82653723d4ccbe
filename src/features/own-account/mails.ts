import type { RealmRefWriteTx } from '#kernel/auth';
import type { PlainMail } from '#features/mails';
import type { UserRow } from '#features/users';

/** A new address to confirm, with the tokens that confirm and stop the change. */
interface NewAddress {
  readonly address: string;
  readonly token: string;
  readonly stop: string;
}

/**
 * The mails about a new address: one asks it for confirmation, the other tells the old address and has a link that
 * stops the change.
 */
export function newAddressMails(
  { realm }: RealmRefWriteTx,
  { full_name: name, email }: Pick<UserRow, 'full_name' | 'email'>,
  { address, token, stop }: NewAddress,
): readonly PlainMail[] {
  const confirmUrl = `${realm.url}/accounts/confirm_new_email/${token}`;
  const stopUrl = `${realm.url}/accounts/keep_email/${stop}`;
  return [
    {
      action: { label: 'Use this address', url: confirmUrl },
      to: { name, address },
      subject: `Confirm your new address at ${realm.name}`,
      text: [
        `Somebody, we hope you, wants to use this address at ${realm.name} instead of ${email}.`,
        'To confirm it, open this address within a day:',
        confirmUrl,
        'If this was not you, you can ignore this mail.',
      ].join('\n\n'),
    },
    {
      action: { label: 'Keep my address', url: stopUrl },
      to: { name, address: email },
      subject: `Another address for your account at ${realm.name}`,
      text: [
        `Somebody, we hope you, wants your account at ${realm.name} to use the address ${address} instead of this one.`,
        'If this was not you, open this address within a day to keep yours and to log out everybody from your account:',
        stopUrl,
        'If this was you, you can ignore this mail.',
      ].join('\n\n'),
    },
  ];
}
