import type { RealmRef } from '#kernel/auth';
import { type LimitName, networkOf, type RateLimits } from '#kernel/limits';
import type { UserId } from '#kernel/ids';
import { foldCase } from '#kernel/text';

/** A password that somebody tries, counted already. */
export interface Guess {
  /** To be called when it was right: what was counted comes back, and the network is known from now on. */
  right(): Promise<void>;
}

/**
 * Counts a guess before anything is verified, so that simultaneous ones are counted too; throws RATE_LIMIT_HIT. Wrong ones
 * count for the account from this network, for the network, and for the account as a whole. Networks from which the
 * account was used answer only for themselves: strangers elsewhere cannot keep its owner out.
 * See protocol/wire#rate-limits.
 */
export async function beginGuess(limits: RateLimits, realm: RealmRef, email: string, address: string): Promise<Guess> {
  const { account, network, pair } = keysOf(realm, email, address);
  const isKnown = await limits.has('known-network', pair);
  const counted: readonly (readonly [LimitName, string])[] = isKnown
    ? []
    : [
        ['failed-login-address', network],
        ['failed-login-account', account],
      ];
  // What is refused anyway uses nothing up that others need.
  await limits.check('failed-login', pair);
  for (const [name, key] of counted) await limits.check(name, key);
  await limits.take('failed-login', pair);
  for (const [name, key] of counted) await limits.take(name, key);
  return {
    right: async () => {
      for (const [name, key] of counted) await limits.giveBack(name, key);
      await remember(limits, pair);
    },
  };
}

/**
 * What the key of a link opens, or undefined. Counted for the network before it is looked up, and given back when it opens
 * something; throws RATE_LIMIT_HIT.
 */
export async function openByKey<T>(
  { context: { limits }, address }: { readonly context: { readonly limits: RateLimits }; readonly address: string },
  find: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const network = networkOf(address);
  await limits.take('wrong-link', network);
  const found = await find();
  if (found !== undefined) await limits.giveBack('wrong-link', network);
  return found;
}

/** Forgets the guesses for an account whose owner has set a new password by a link, and lets them in from here. */
export async function forgiveGuesses(
  limits: RateLimits,
  realm: RealmRef,
  user: { readonly id: UserId; readonly email: string },
  address: string,
): Promise<void> {
  const { account, pair } = keysOf(realm, user.email, address);
  await limits.forgive('failed-login-account', account);
  await limits.forgive('old-password', String(user.id));
  await remember(limits, pair);
}

async function remember(limits: RateLimits, pair: string): Promise<void> {
  await limits.forgive('failed-login', pair);
  // Taken anew, so that it lasts from now on.
  await limits.forgive('known-network', pair);
  await limits.take('known-network', pair);
}

function keysOf(realm: RealmRef, email: string, address: string) {
  const account = `${realm.id}:${foldCase(email)}`;
  const network = networkOf(address);
  return { account, network, pair: `${account} ${network}` };
}
