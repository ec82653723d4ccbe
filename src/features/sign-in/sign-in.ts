import { record } from '#kernel/audit';
import { apiKeyFor, type RealmRef } from '#kernel/auth';
import { RealmDeactivated, UnknownHost, UserDeactivated } from '#kernel/errors';
import type { Context, ReadContext } from '#kernel/context';
import { networkOf } from '#kernel/limits';
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
import { beginGuess } from './guessing.ts';
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

/**
 * The account of an address and password. protocol/authentication#sign-in: the state of an account is told only to
 * somebody who knows its password, and a wrong address takes as long as a wrong password. A directory is asked before the
 * server's own passwords.
 */
export async function signIn(
  context: Context,
  realm: RealmRef | undefined,
  ...typed: readonly [username: string, password: string, address: string]
): Promise<UserRow> {
  return (await signInWith(context, realm, typed, false)).user;
}

/** The same for a program, which may show an app password, and then gets the key that this one stands for. */
export function signInForKey(
  context: Context,
  realm: RealmRef | undefined,
  ...typed: readonly [username: string, password: string, address: string]
): Promise<SignedIn> {
  return signInWith(context, realm, typed, true);
}

/** An account, and the key of an app password where that was shown. */
interface SignedIn {
  readonly user: UserRow;
  readonly appKey?: string;
}

async function signInWith(
  context: Context,
  realm: RealmRef | undefined,
  [username, password, address]: readonly [username: string, password: string, address: string],
  takesAppPasswords: boolean,
): Promise<SignedIn> {
  if (!realm) throw UnknownHost();
  if (!takesNames(context, realm)) assertEmail(username);
  const guess = await beginGuess(context.limits, realm, username, address);
  const { row, hash, settings } = await context.store.in(realm).query(async (tx) => {
    const found = await findUserByEmail(tx, username);
    return {
      row: found,
      hash: found && (await findPasswordHash(tx, found.id)),
      settings: settingsOf(await readRealm(tx)),
    };
  });
  const appKey = takesAppPasswords && row ? await keyByAppPassword(context, row, password) : undefined;
  if (row && appKey !== undefined) {
    assertUsable(row, realm);
    await guess.right();
    return { user: row, appKey };
  }
  const answer = await askDirectory(context, realm, settings, username, password);
  if ('user' in answer) {
    await guess.right();
    return { user: answer.user };
  }
  const isRight = await verifyPassword(hash, password);
  const isOn = hasPasswords(context, realm, settings);
  // Where only the directory counts, a password of the server's own tells nothing, be it right or wrong.
  const isOnlyByDirectory = isOn && !settings.authentication_methods['Email'];
  if (!isRight || !row || row.is_bot || isOnlyByDirectory) {
    if (answer.isAway) throw DirectoryAway();
    await recordRefused(context, realm, row, row ? 'password' : 'unknown name');
    throw isOn ? AuthenticationFailed() : PasswordAuthDisabled();
  }
  assertUsable(row, realm);
  if (!settings.authentication_methods['Email']) throw PasswordAuthDisabled();
  await guess.right();
  return { user: row };
}

/**
 * The account of an address, without a password; in development mode only. Addresses that are nobody's count like wrong
 * passwords. See protocol/authentication#development.
 */
export async function signInForDevelopment(
  context: Context,
  realm: RealmRef | undefined,
  username: string,
  address: string,
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

/** The API key of an account, with what goes with it. */
export function credentialsOf(context: Pick<Context, 'server'>, row: UserRow): Credentials {
  return { api_key: apiKeyFor(context.server.secret, row.id, row.api_key_version), email: row.email, user_id: row.id };
}

/** Leaves in the audit log that somebody who logged in was given their API key. */
export function recordKeyGiven(tx: RealmWriteTx, { id }: Pick<UserRow, 'realm_id' | 'id'>): void {
  record(tx, { action: 'api_key.given', target: { kind: 'user', id } }, { kind: 'person', userId: id });
}

function assertUsable(row: UserRow, realm: RealmRef): void {
  if (!row.is_active) throw UserDeactivated();
  if (realm.isDeactivated) throw RealmDeactivated();
}

/** Whether an organization has a directory in which people may have names that are no addresses. */
function takesNames({ identity }: Pick<Context, 'identity'>, { subdomain }: RealmRef): boolean {
  return identity.directories.get(subdomain)?.hasNames ?? false;
}

function assertEmail(text: string): void {
  if ('fault' in firstFault(emailSchema(), 'username', text)) throw EmailInvalid();
}
