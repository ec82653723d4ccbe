import type { RealmRequest } from '#kernel/endpoint';
import type { RealmId, UserId } from '#kernel/ids';
import { firstFault, idOf, int, maybe, object, oneOf, str } from '#kernel/schema';
import type { RealmWriteTx } from '#kernel/store';
import { formToken } from '#features/pages';
import { spend } from '../identities.ts';
import { seal, unseal } from '../sealed.ts';

/** Seconds within which a passkey must answer. */
const CHALLENGE_SECONDS = 300;
const PURPOSE = 'passkey-challenge';

/** Purpose of a challenge: to log in, as the second factor, to confirm a change, or to add a passkey. */
export const USES = ['sign-in', 'factor', 'confirm', 'register'] as const;
export type Use = (typeof USES)[number];

const shape = object({
  realm_id: idOf<RealmId>(),
  use: oneOf(...USES),
  challenge: str(),
  /** The owner of the passkey; null at log-in, where any owner may answer. */
  user_id: maybe(idOf<UserId>()),
  /** The browser that the challenge was made for. */
  browser: str(),
  ends_at: int(),
});

/** Makes a challenge for this browser. It is sealed into the form that answers it and not stored. */
export async function newChallenge(request: RealmRequest, use: Use, userId: UserId | undefined) {
  const { context, realm } = request;
  const challenge = Buffer.from(context.clock.token(43)).toString('base64url');
  const ends_at = context.clock.now() + CHALLENGE_SECONDS;
  const value = { realm_id: realm.id, use, challenge, user_id: userId, browser: formToken(request), ends_at };
  return { challenge, asked: await seal(context, PURPOSE, value) };
}

/**
 * Returns the challenge that this browser was given for this use and person; undefined if there is none, or it has
 * expired.
 */
export async function challengeOf(
  request: RealmRequest,
  use: Use,
  userId: UserId | undefined,
  asked: string | undefined,
): Promise<string | undefined> {
  const { context, realm } = request;
  const read = firstFault(shape, 'challenge', await unseal(context, PURPOSE, asked));
  if ('fault' in read) return undefined;
  const { value } = read;
  const isOurs = value.realm_id === realm.id && value.use === use && value.user_id === userId;
  const isGood = value.browser === formToken(request) && value.ends_at > context.clock.now();
  return isOurs && isGood ? value.challenge : undefined;
}

/** Uses a challenge up; returns false if it was used before (security#asvs, 6.5.1). */
export function spendChallenge(tx: RealmWriteTx, challenge: string): Promise<boolean> {
  return spend(tx, `passkey:${challenge}`, CHALLENGE_SECONDS);
}
