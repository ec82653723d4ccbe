import type { RealmRequest } from '#kernel/endpoint';
import { type LimitName, networkOf, type RateLimits } from '#kernel/limits';
import type { UserId } from '#kernel/ids';

/** The organization in which somebody logs in, and the address they come from. */
export type LogInRequest = Pick<RealmRequest, 'context' | 'realm' | 'address'>;

/** An attempt with a password, which has been counted already. */
export interface Guess {
  /** Call this if the password was right: it gives the counted attempts back and makes the network a known one. */
  right(): Promise<void>;
}

/**
 * Counts a guess before anything is verified, so that simultaneous guesses are counted too; throws RATE_LIMIT_HIT.
 * Wrong guesses count for the account from this network, for the network, and for the account as a whole. Networks from
 * which the account has been used answer only for themselves, so that attackers elsewhere cannot keep its owner out.
 * See protocol/wire#rate-limits.
 */
export async function beginGuess(request: LogInRequest, email: string): Promise<Guess> {
  const { limits } = request.context;
  const { account, network, pair } = keysOf(request, email);
  const isKnown = await limits.has('known-network', pair);
  const counted: readonly (readonly [LimitName, string])[] = isKnown
    ? []
    : [
        ['failed-login-address', network],
        ['failed-login-account', account],
      ];
  // Check all limits first: a refused attempt must not use up what others need.
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
 * Looks up what the key of a link opens; undefined if it opens nothing. The attempt is counted for the network before
 * the look-up, and given back when the key opens something; throws RATE_LIMIT_HIT.
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

/**
 * Clears the counted guesses for an account whose owner has set a new password by a link, and makes their network a
 * known one.
 */
export async function forgiveGuesses(
  request: LogInRequest,
  user: { readonly id: UserId; readonly email: string },
): Promise<void> {
  const { limits } = request.context;
  const { account, pair } = keysOf(request, user.email);
  await limits.forgive('failed-login-account', account);
  await limits.forgive('old-password', String(user.id));
  await remember(limits, pair);
}

async function remember(limits: RateLimits, pair: string): Promise<void> {
  await limits.forgive('failed-login', pair);
  // Cleared and counted again, so that the period begins now.
  await limits.forgive('known-network', pair);
  await limits.take('known-network', pair);
}

/**
 * What is left of a name where directories find no difference between two: they ignore letter case, width, spaces and
 * what is not seen (RFC 4518, section 2), and some ignore accents. Otherwise each way of writing a name would have
 * guesses of its own.
 */
function comparableName(name: string): string {
  const plain = name.toUpperCase().toLowerCase().normalize('NFKD').toLowerCase();
  return plain.replaceAll(/[\p{M}\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u1806\ufffc]/gu, '');
}

function keysOf({ realm, address }: LogInRequest, email: string) {
  const account = `${realm.id}:${comparableName(email)}`;
  const network = networkOf(address);
  return { account, network, pair: `${account} ${network}` };
}
