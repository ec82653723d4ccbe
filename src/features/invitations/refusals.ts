import { SECONDS_PER_DAY } from '#kernel/clock';
import type { Rights } from '#features/groups';
import type { Context } from '#kernel/context';
import { isAdministrator } from '#kernel/permissions';
import type { RealmWriteTx } from '#kernel/store';
import type { AddressFault } from './addresses.ts';
import { exceedsDailyLimit } from './daily-limit.ts';
import { InvitationFailed } from './errors.ts';
import { MIN_INVITER_DAYS } from './rules.ts';

const TOO_NEW =
  'Your account is too new to send invites for this organization. Ask an organization admin, or a more experienced user.';
const TOO_MANY =
  'To protect users, Roost limits the number of invitations you can send in one day. Because you have reached the limit, no invitations were sent.';
const SOME_INVALID = "Some emails did not validate, so we didn't send any invitations.";
const ALL_SKIPPED = "We weren't able to invite anyone.";
const SOME_SKIPPED =
  "Some of those addresses are already using Roost, so we didn't send them an invitation. We did send invitations to everyone else!";

/** Throws if the mails would exceed the daily limit. See protocol/invitations#checks, check 11. */
export async function assertWithinDay(context: Context, tx: RealmWriteTx, mails: number): Promise<void> {
  if (await exceedsDailyLimit(context, tx, mails)) throw failure(TOO_MANY, [], false, true);
}

/** Throws if the account is too new to invite anybody. See protocol/invitations#checks, check 13. */
export function assertOldEnough({ settings, actor }: Rights, now: number): void {
  const isNew = now - actor.dateJoined < MIN_INVITER_DAYS * SECONDS_PER_DAY;
  if (!settings.invite_required && isNew && !isAdministrator(actor)) throw failure(TOO_NEW, [], false);
}

/**
 * Throws unless all addresses are valid and at least one can be invited. See protocol/invitations#checks, checks 14 and
 * 15.
 */
export function assertSomeLeft(addresses: readonly string[], faults: readonly AddressFault[]): void {
  if (faults.some((fault) => fault.isInvalid)) throw failure(SOME_INVALID, faults, false);
  if (faults.length > 0 && faults.length === addresses.length) throw failure(ALL_SKIPPED, faults, false);
}

/** The error when all but these addresses were invited. See protocol/invitations#checks, check 16. */
export function someSkipped(faults: readonly AddressFault[]): Error {
  return failure(SOME_SKIPPED, faults, true);
}

/** Invalid addresses are listed before skipped ones. See protocol/invitations#checks, check 14. */
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
