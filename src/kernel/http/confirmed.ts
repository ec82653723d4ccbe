import { type Actor, CONFIRMED_SECONDS } from '#kernel/auth';
import { ConfirmationNeeded, KeyNotEnough } from '#kernel/errors';

/**
 * Throws unless a caller may do something dangerous: with a session whose owner has shown lately who they are, or with the
 * key of the account. See protocol/authentication#confirmation.
 */
export function assertConfirmed({ shownBy }: Pick<Actor, 'shownBy'>, now: number): void {
  if (shownBy?.kind === 'device key') throw KeyNotEnough();
  if (shownBy?.kind === 'session' && shownBy.confirmedAt <= now - CONFIRMED_SECONDS) throw ConfirmationNeeded();
}
