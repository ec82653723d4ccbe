import type { RealmRequest } from '#kernel/endpoint';
import type { RealmId, UserId } from '#kernel/ids';
import { firstFault, idOf, int, maybe, object, oneOf, str } from '#kernel/schema';
import type { RealmWriteTx } from '#kernel/store';
import { formToken } from '#features/pages';
import { spend } from '../identities.ts';
import { seal, unseal } from '../sealed.ts';

/** Seconds that somebody has to answer with a passkey. */
const CHALLENGE_SECONDS = 300;
const PURPOSE = 'passkey-challenge';

/** What a challenge is for: to log in, as the second factor, to confirm a change, or to add a passkey. */
export const USES = ['sign-in', 'factor', 'confirm', 'register'] as const;
export type Use = (typeof USES)[number];

const shape = object({
  realm_id: idOf<RealmId>(),
  use: oneOf(...USES),
  challenge: str(),
  /** Whose passkey it asks for; nobody in particular to log in. */
  user_id: maybe(idOf<UserId>()),
  /** Browser that it was made for. */
  browser: str(),
  ends_at: int(),
});

/** A challenge for this browser. It travels sealed with the form that answers it; nothing of it is stored. */
export async function newChallenge(request: RealmRequest, use: Use, userId: UserId | undefined) {
  const { context, realm } = request;
  const challenge = Buffer.from(context.clock.token(43)).toString('base64url');
  const ends_at = context.clock.now() + CHALLENGE_SECONDS;
  const value = { realm_id: realm.id, use, challenge, user_id: userId, browser: formToken(request), ends_at };
  return { challenge, asked: await seal(context, PURPOSE, value) };
}

/** The challenge that this browser was given for this use and person, while it is good; undefined for anything else. */
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

/** Uses a challenge up; false when it was used before (security#asvs, 6.5.1). */
export function spendChallenge(tx: RealmWriteTx, challenge: string): Promise<boolean> {
  return spend(tx, `passkey:${challenge}`, CHALLENGE_SECONDS);
}
