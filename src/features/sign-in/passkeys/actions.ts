import type { PageRequest, RealmRequest } from '#kernel/endpoint';
import { networkOf } from '#kernel/limits';
import { findUser, lockUser, type UserRow } from '#features/users';
import { browserName } from '../browser-session.ts';
import { keepingOwnersIn } from '../owners.ts';
import {
  deletePasskeys,
  endRecoveryCodesIfLast,
  findPasskey,
  hasSecondFactor,
  insertPasskey,
  listPasskeys,
  MAX_PASSKEYS,
  newRecoveryCodes,
  tell,
  touchPasskey,
} from '../factors/index.ts';
import { noteRefused, recordRefused } from '../refused.ts';
import { parseMade, parseUse } from './answers.ts';
import { challengeOf, spendChallenge, type Use } from './challenge.ts';
import { userHandle, verifyMade, verifyUse } from './library.ts';
import { relyingParty } from './form.ts';

/** Most code points of a passkey's name. */
const MAX_NAME = 60;

const LATE = 'This took too long, or it was started in another browser. Try again.';
const UNKNOWN = 'This passkey is not known here.';
const UNVERIFIED = 'The answer of this passkey could not be verified.';

type Fields = ReadonlyMap<string, string>;
type Refused = { readonly fault: string };

/**
 * Returns the owner of the passkey that answered a challenge of this browser, and uses the challenge up. Without a
 * given owner, the passkey identifies its owner and replaces the password. See protocol/authentication#passkeys.
 */
export async function answeredBy(
  request: RealmRequest,
  use: Use,
  owner: UserRow | undefined,
  fields: Fields,
): Promise<{ readonly user: UserRow } | Refused> {
  const { context, realm } = request;
  await context.limits.take('external-sign-in', networkOf(request.address));
  const party = relyingParty(realm);
  const challenge = await challengeOf(request, use, owner?.id, fields.get('asked'));
  if (!party || challenge === undefined) return { fault: LATE };
  const answer = parseUse(fields.get('passkey') ?? '');
  const found = answer && (await ownerOf(request, answer.id));
  const refuse = async (refused: Refused, why: string) => {
    await recordRefused(request, 'passkey', { user: owner ?? found?.user, why });
    return refused;
  };
  if (!found || (owner && owner.id !== found.user.id)) return refuse({ fault: UNKNOWN }, 'unknown');
  const { row, user } = found;
  const isForPassword = owner === undefined;
  const handle = answer.response.userHandle ?? '';
  if (handle === '' ? isForPassword : handle !== userHandle(context, user))
    return refuse({ fault: UNKNOWN }, 'another person');
  const count = await verifyUse(party, row, answer, { challenge, standsInForPassword: isForPassword });
  if (count === undefined) return refuse({ fault: UNVERIFIED }, 'invalid');
  const spent = await context.store.in(realm).write(async (tx) => {
    if (!(await spendChallenge(tx, challenge))) return 'used before';
    return (await touchPasskey(tx, row, count)) ? 'good' : 'counted before';
  });
  if (spent === 'used before') return { fault: LATE };
  // An authenticator whose counter goes backwards is a copy, or has been copied (WebAuthn, 6.1.1).
  if (spent === 'counted before') return refuse({ fault: UNVERIFIED }, spent);
  return { user };
}

async function ownerOf({ context, realm }: RealmRequest, credentialId: string) {
  return context.store.in(realm).query(async (tx) => {
    const row = await findPasskey(tx, credentialId);
    const user = row && (await findUser(tx, row.user_id));
    return row && user ? { row, user } : undefined;
  });
}

/**
 * Adds the passkey that was just made in this browser. Returns recovery codes, which are shown only once, if it is the
 * account's first second factor.
 */
export async function addPasskey(
  request: RealmRequest,
  user: UserRow,
  fields: Fields,
): Promise<{ readonly codes: readonly string[] | undefined } | Refused> {
  const { context, realm } = request;
  await context.limits.take('external-sign-in', networkOf(request.address));
  const party = relyingParty(realm);
  const challenge = await challengeOf(request, 'register', user.id, fields.get('asked'));
  if (!party || challenge === undefined) return { fault: LATE };
  const answer = parseMade(fields.get('passkey') ?? '');
  const made = answer && (await verifyMade(party, challenge, answer));
  if (!made) {
    noteRefused(context, 'passkey', { why: 'what was made is wrong', user_id: user.id });
    return { fault: UNVERIFIED };
  }
  const name = nameOf(request, fields);
  return context.store.in(realm).write(async (tx) => {
    if (!(await spendChallenge(tx, challenge))) return { fault: LATE };
    // Of several passkeys that are added at once, one is the first, and none is beyond the most.
    await lockUser(tx, user.id);
    if ((await listPasskeys(tx, user.id)).length >= MAX_PASSKEYS)
      return { fault: `You have ${MAX_PASSKEYS} passkeys, which is the most. Remove one first.` };
    const isFirst = !(await hasSecondFactor(tx, user.id));
    if (!(await insertPasskey(tx, { ...made, realm_id: realm.id, user_id: user.id, name, relying_party: party.id })))
      return { fault: 'This passkey has been added already.' };
    await tell(tx, user, `The passkey “${name}” was added to your account and can be used to log in.`);
    return { codes: isFirst ? await newRecoveryCodes(context, tx, user.id) : undefined };
  });
}

function nameOf({ headers }: PageRequest, fields: Fields): string {
  const wanted = (fields.get('name') ?? '').replaceAll(/[\p{Cc}\p{Cf}]/gu, '').trim();
  return [...(wanted === '' ? browserName(headers['user-agent']) : wanted)].slice(0, MAX_NAME).join('');
}

/** Removes one of somebody's passkeys and notifies them. Does nothing if they have none with this ID. */
export function removePasskey({ context, realm }: RealmRequest, user: UserRow, id: number): Promise<void> {
  return context.store.in(realm).write(async (tx) => {
    const [name] = await keepingOwnersIn(context, tx, user, () => deletePasskeys(tx, user.id, id));
    if (name === undefined) return;
    await endRecoveryCodesIfLast(tx, user.id);
    await tell(tx, user, `The passkey “${name}” was removed from your account.`);
  });
}
