import type { RealmSettings } from '#features/realms';
import type { UserRow } from '#features/users';
import { findDeviceKey, isOver, keyOfAppPassword, type RealmRefWriteTx } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { DirectoryFault, type DirectoryPerson } from '#kernel/directory';
import { UserDeactivated } from '#kernel/errors';
import { signal } from '#kernel/slice';
import { NotAdmitted } from './errors.ts';
import type { LogInRequest } from './guessing.ts';
import { directoryOf } from './methods.ts';

/**
 * The issuer of all accounts of an organization's directory. No provider can have it, because issuers of providers are
 * addresses.
 */
export const LDAP_ISSUER = 'ldap';

/** The account of a person in a directory, or the reason why they may not log in. */
type Settled = { readonly user: UserRow } | { readonly why: string; readonly isDeactivated: boolean };

/**
 * A directory accepted somebody's password; the slice that links accounts decides which account is theirs. See
 * protocol/authentication#directory.
 */
export const directoryVouches = signal<
  {
    readonly person: DirectoryPerson;
    readonly settle: (settled: Settled) => void;
  },
  RealmRefWriteTx
>('directory-vouches');

/**
 * The answer of a directory about a name and a password. Without a user there is no directory, or it does not accept
 * them; with `isAway` it did not answer.
 */
type DirectoryAnswer = { readonly user: UserRow } | { readonly isAway: boolean };

/**
 * Asks an organization's directory; the caller has counted the guess. A directory that does not answer is logged as one
 * line. Somebody whom the directory accepts but who may not log in is told why. See protocol/authentication#directory.
 */
export async function askDirectory(
  request: LogInRequest,
  settings: RealmSettings,
  { username, password }: { readonly username: string; readonly password: string },
): Promise<DirectoryAnswer> {
  const { context, realm } = request;
  const directory = directoryOf(context, realm, settings);
  if (!directory || realm.isDeactivated) return { isAway: false };
  try {
    const person = await directory.signIn(username, password);
    return person ? { user: await accountOf(request, person) } : { isAway: false };
  } catch (error) {
    if (!(error instanceof DirectoryFault)) throw error;
    const { reason, code } = error;
    context.log.room('sign-in').warn({ reason, code }, 'the directory could not say whether a password is right');
    return { isAway: true };
  }
}

async function accountOf({ context, realm }: LogInRequest, person: DirectoryPerson): Promise<UserRow> {
  const settled: Settled[] = [];
  await context.store
    .in(realm)
    .write((tx) => directoryVouches.send(tx, { person, settle: (one) => settled.push(one) }, context));
  const [answer = { why: 'Nobody joins accounts.', isDeactivated: false }] = settled;
  if ('user' in answer) return answer.user;
  throw answer.isDeactivated ? UserDeactivated() : NotAdmitted({ why: answer.why });
}

/**
 * Returns the key of an app password; undefined if the typed text is no app password of the account, or one that has
 * expired or was revoked. See protocol/authentication#device-keys.
 */
export async function keyByAppPassword(
  { store, server }: Pick<Context, 'store' | 'server'>,
  user: Pick<UserRow, 'realm_id' | 'id'>,
  typed: string,
): Promise<string | undefined> {
  const key = keyOfAppPassword(server.secret, user.id, typed);
  if (key === undefined) return undefined;
  const { row, now } = await store.of(user.realm_id).query(async (tx) => ({
    row: await findDeviceKey(tx, key),
    now: tx.now,
  }));
  const isRight = row?.user_id === user.id && row.kind === 'app_password' && !isOver(row, now);
  return isRight ? key : undefined;
}
