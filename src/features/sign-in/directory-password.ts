import type { RealmSettings } from '#features/realms';
import type { UserRow } from '#features/users';
import { findDeviceKey, isOver, keyOfAppPassword, type RealmRef, type RealmRefWriteTx } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { DirectoryFault, type DirectoryPerson } from '#kernel/directory';
import { UserDeactivated } from '#kernel/errors';
import { signal } from '#kernel/slice';
import { NotAdmitted } from './errors.ts';
import { directoryOf } from './methods.ts';

/** The issuer of all accounts of an organization's directory; no provider's, because theirs are addresses. */
export const LDAP_ISSUER = 'ldap';

/** The account of a person in a directory, or why they may not log in. */
type Settled = { readonly user: UserRow } | { readonly why: string; readonly isDeactivated: boolean };

/**
 * A directory says that somebody knows their password: the slice that joins accounts settles which account is theirs.
 * See protocol/authentication#directory.
 */
export const directoryVouches = signal<
  {
    readonly person: DirectoryPerson;
    readonly settle: (settled: Settled) => void;
  },
  RealmRefWriteTx
>('directory-vouches');

/** What a directory says of a name and a password: nothing where there is none, or where it does not know them. */
type DirectoryAnswer = { readonly user: UserRow } | { readonly isAway: boolean };

/**
 * Asks an organization's directory. The guess has been counted. One that does not answer is one line in the log; whom it
 * vouches for and who may not in is told why. See protocol/authentication#directory.
 */
export async function askDirectory(
  context: Context,
  realm: RealmRef,
  settings: RealmSettings,
  login: string,
  password: string,
): Promise<DirectoryAnswer> {
  const directory = directoryOf(context, realm, settings);
  if (!directory || realm.isDeactivated) return { isAway: false };
  try {
    const person = await directory.signIn(login, password);
    return person ? { user: await accountOf(context, realm, person) } : { isAway: false };
  } catch (error) {
    if (!(error instanceof DirectoryFault)) throw error;
    const { reason, code } = error;
    context.log.room('sign-in').warn({ reason, code }, 'the directory could not say whether a password is right');
    return { isAway: true };
  }
}

async function accountOf(context: Context, realm: RealmRef, person: DirectoryPerson): Promise<UserRow> {
  const settled: Settled[] = [];
  await context.store
    .in(realm)
    .write((tx) => directoryVouches.send(context, tx, { person, settle: (one) => settled.push(one) }));
  const [answer = { why: 'Nobody joins accounts.', isDeactivated: false }] = settled;
  if ('user' in answer) return answer.user;
  throw answer.isDeactivated ? UserDeactivated() : NotAdmitted({ why: answer.why });
}

/**
 * The key that an app password of an account stands for; undefined where what was typed is none, or one that is over or
 * revoked. See protocol/authentication#device-keys.
 */
export async function keyByAppPassword(
  { store, server }: Pick<Context, 'store' | 'server'>,
  user: UserRow,
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
