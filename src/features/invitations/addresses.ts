import { type EmailFault, emailFault, readEmailRules } from '#features/email-domains';
import { findUsersByEmail } from '#features/users';
import type { RealmReadTx } from '#kernel/store';
import { foldCase } from '#kernel/text';

/** Why an address is not invited. See protocol/invitations#addresses. */
export interface AddressFault {
  readonly address: string;
  readonly reason: string;
  readonly isDeactivated: boolean;
  /** An invalid address fails the whole request; one that has an account is only skipped. */
  readonly isInvalid: boolean;
}

/** The reasons that clients are given for invalid addresses. */
const REASONS: Readonly<Record<EmailFault, string>> = {
  malformed: 'Invalid address.',
  domain: 'Outside your domain.',
  plus: 'Email addresses containing + are not allowed.',
  disposable: 'Please use your real email address.',
};

/** Returns the faults of addresses, in the same order; valid ones without an account have none. */
export async function addressFaults(tx: RealmReadTx, addresses: readonly string[]): Promise<readonly AddressFault[]> {
  const rules = await readEmailRules(tx);
  const users = await findUsersByEmail(tx, addresses, '');
  return addresses.flatMap((address): AddressFault[] => {
    const fault = emailFault(rules, address);
    if (fault) return [{ address, reason: REASONS[fault], isDeactivated: false, isInvalid: true }];
    const user = users.get(foldCase(address));
    return user ? [{ address, ...accountReason(user), isInvalid: false }] : [];
  });
}

/** Returns why an address may not be used for an account; does not check whether one has it already. */
export async function addressReason(tx: RealmReadTx, address: string): Promise<string | undefined> {
  const fault = emailFault(await readEmailRules(tx), address);
  return fault && REASONS[fault];
}

/** Returns why an address that has an account is refused. */
export function accountReason(user: { is_system_bot: boolean; is_active: boolean }) {
  if (user.is_system_bot) return { reason: 'Reserved for system bots.', isDeactivated: false };
  if (!user.is_active) return { reason: 'Account has been deactivated.', isDeactivated: true };
  return { reason: 'Already has an account.', isDeactivated: false };
}
