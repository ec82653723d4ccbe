import { record } from '#kernel/audit';
import { apiKeyFor, type RealmRef } from '#kernel/auth';
import { RealmDeactivated, UnknownHost, UserDeactivated } from '#kernel/errors';
import type { Context, ReadContext } from '#kernel/context';
import type { PageRequest } from '#kernel/endpoint';
import { networkOf } from '#kernel/limits';
import { asId, type UserId } from '#kernel/ids';
import type { RealmWriteTx } from '#kernel/store';
import { email as emailSchema, firstFault } from '#kernel/schema';
import { readRealm, settingsOf } from '#features/realms';
import { findUserByEmail, type UserRow } from '#features/users';
import {
  AuthenticationFailed,
  DevAuthDisabled,
  DirectoryAway,
  EmailInvalid,
  NotInProduction,
  PasswordAuthDisabled,
} from './errors.ts';
import { askDirectory, keyByAppPassword } from './directory-password.ts';
import { beginGuess, type LogInRequest } from './guessing.ts';
import { hasPasswords } from './methods.ts';
import { verifyPassword } from './passwords.ts';
import { findPasswordHash } from './queries.ts';
import { recordRefused } from './refused.ts';

/** What a program needs to act as a user. */
export interface Credentials {
  readonly api_key: string;
  readonly email: string;
  readonly user_id: UserRow['id'];
}

/** What somebody typed to log in. */
export interface Typed {
  /** An address, or a name in the directory. */
  readonly username: string;
  readonly password: string;
}

/**
 * Finds the account of an address and password. protocol/authentication#sign-in: the state of an account is revealed
 * only to somebody who knows its password, and a wrong address takes as long as a wrong password. A directory is asked
 * before the server's own passwords.
 */
export async function signIn(request: LogInRequest, typed: Typed): Promise<UserRow> {
  return (await signInWith(request, typed, false)).user;
}

/** `signIn` for a program, which may use an app password and then gets that password's key. */
export function signInForKey(request: LogInRequest, typed: Typed): Promise<SignedIn> {
  return signInWith(request, typed, true);
}

/** The ID of no account: an unknown name causes the statements that a known one does. */
const NOBODY = asId<UserId>(0);

/** An account, with the key of the app password if one was used. */
interface SignedIn {
  readonly user: UserRow;
  readonly appKey?: string;
}

async function signInWith(request: LogInRequest, typed: Typed, takesAppPasswords: boolean): Promise<SignedIn> {
  const { context, realm } = request;
  const { username, password } = typed;
  if (!takesNames(context, realm)) assertEmail(username);
  const guess = await beginGuess(request, username);
  const { row, hash, settings } = await context.store.in(realm).query(async (tx) => {
    const found = await findUserByEmail(tx, username);
    return {
      row: found,
      hash: await findPasswordHash(tx, found?.id ?? NOBODY),
      settings: settingsOf(await readRealm(tx)),
    };
  });
  const owner = row ?? { realm_id: realm.id, id: NOBODY };
  const appKey = takesAppPasswords ? await keyByAppPassword(context, owner, password) : undefined;
  if (row && appKey !== undefined) {
    assertUsable(row, realm);
    await guess.right();
    return { user: row, appKey };
  }
  const answer = await askDirectory(request, settings, typed);
  if ('user' in answer) {
    await guess.right();
    return { user: answer.user };
  }
  const isRight = await verifyPassword(hash, password);
  const isOn = hasPasswords(context, realm, settings);
  // If only the directory is turned on, a password of the server's own must reveal nothing, whether right or wrong.
  const isOnlyByDirectory = isOn && !settings.authentication_methods['Email'];
  if (!isRight || !row || row.is_bot || isOnlyByDirectory) {
    if (answer.isAway) throw DirectoryAway();
    await recordRefused(request, row ? 'password' : 'unknown name', { user: row });
    throw isOn ? AuthenticationFailed() : PasswordAuthDisabled();
  }
  assertUsable(row, realm);
  if (!settings.authentication_methods['Email']) throw PasswordAuthDisabled();
  await guess.right();
  return { user: row };
}

/**
 * Finds the account of an address without a password, in development mode only. Unknown addresses count like wrong
 * passwords. See protocol/authentication#development.
 */
export async function signInForDevelopment(
  { context, realm, address }: Pick<PageRequest, keyof LogInRequest>,
  username: string,
): Promise<UserRow> {
  await assertDevelopment(context, realm);
  assertEmail(username);
  if (!realm) throw UnknownHost();
  await context.limits.take('failed-login-address', networkOf(address));
  const row = await context.store.in(realm).query((tx) => findUserByEmail(tx, username));
  if (row && !row.is_active) throw UserDeactivated();
  if (realm.isDeactivated) throw RealmDeactivated();
  if (!row || row.is_bot) throw AuthenticationFailed();
  await context.limits.giveBack('failed-login-address', networkOf(address));
  return row;
}

/** Throws unless signing in without a password is possible. See protocol/authentication#development, rows 3 and 4. */
export async function assertDevelopment(
  context: Pick<Context, 'server'> & { store: Pick<ReadContext['store'], 'in'> },
  realm: RealmRef | undefined,
): Promise<void> {
  if (context.server.mode !== 'development') throw NotInProduction();
  if (!realm) return;
  const settings = settingsOf(await context.store.in(realm).query((tx) => readRealm(tx)));
  if (!settings.authentication_methods['Dev']) throw DevAuthDisabled();
}

/** The API key, address and ID of an account. */
export function credentialsOf(context: Pick<Context, 'server'>, row: UserRow): Credentials {
  return { api_key: apiKeyFor(context.server.secret, row.id, row.api_key_version), email: row.email, user_id: row.id };
}

/** Records in the audit log that somebody who logged in received their API key. */
export function recordKeyGiven(tx: RealmWriteTx, { id }: Pick<UserRow, 'realm_id' | 'id'>): void {
  record(tx, { action: 'api_key.given', target: { kind: 'user', id } }, { kind: 'person', userId: id });
}

function assertUsable(row: UserRow, realm: RealmRef): void {
  if (!row.is_active) throw UserDeactivated();
  if (realm.isDeactivated) throw RealmDeactivated();
}

/** Whether the organization's directory has names that are no addresses. */
function takesNames({ identity }: Pick<Context, 'identity'>, { subdomain }: RealmRef): boolean {
  return identity.directories.get(subdomain)?.hasNames ?? false;
}

function assertEmail(text: string): void {
  if ('fault' in firstFault(emailSchema(), 'username', text)) throw EmailInvalid();
}
