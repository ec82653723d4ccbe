import { apiKeyFor, type RealmRef } from '#kernel/auth';
import { RealmDeactivated, UnknownHost, UserDeactivated } from '#kernel/errors';
import type { Kit } from '#kernel/kit';
import { networkOf } from '#kernel/limits';
import { email as emailSchema, firstFault } from '#kernel/schema';
import { readRealm, settingsOf } from '#features/realms';
import { findUserByEmail, type UserRow } from '#features/users';
import {
  AuthenticationFailed,
  DevAuthDisabled,
  EmailInvalid,
  NotInProduction,
  PasswordAuthDisabled,
} from './errors.ts';
import { beginGuess } from './guessing.ts';
import { verifyPassword } from './passwords.ts';
import { findPasswordHash } from './queries.ts';

/** What a program needs to act as a user. */
export interface Credentials {
  readonly api_key: string;
  readonly email: string;
  readonly user_id: UserRow['id'];
}

/**
 * The account of an address and password. protocol/authentication#sign-in: the state of an account is told only to
 * whoever knows its password, and a wrong address takes as long as a wrong password.
 */
export async function signIn(
  kit: Kit,
  realm: RealmRef | undefined,
  username: string,
  password: string,
  address: string,
): Promise<UserRow> {
  if (!realm) throw UnknownHost();
  assertEmail(username);
  const guess = await beginGuess(kit.limits, realm, username, address);
  const { row, hash, settings } = await kit.store.query(async (tx) => {
    const found = await findUserByEmail(tx, realm.id, username);
    return {
      row: found,
      hash: found && (await findPasswordHash(tx, realm.id, found.id)),
      settings: settingsOf(await readRealm(tx, realm.id)),
    };
  });
  const isRight = await verifyPassword(hash, password);
  if (!isRight || !row || row.is_bot)
    throw settings.authentication_methods['Email'] ? AuthenticationFailed() : PasswordAuthDisabled();
  assertUsable(row, realm);
  if (!settings.authentication_methods['Email']) throw PasswordAuthDisabled();
  await guess.right();
  return row;
}

/**
 * The account of an address, without a password; in development mode only. Addresses that are nobody's count like wrong
 * passwords. See protocol/authentication#development.
 */
export async function signInForDevelopment(
  kit: Kit,
  realm: RealmRef | undefined,
  username: string,
  address: string,
): Promise<UserRow> {
  await assertDevelopment(kit, realm);
  assertEmail(username);
  if (!realm) throw UnknownHost();
  await kit.limits.take('failed-login-address', networkOf(address));
  const row = await kit.store.query((tx) => findUserByEmail(tx, realm.id, username));
  if (row && !row.is_active) throw UserDeactivated();
  if (realm.isDeactivated) throw RealmDeactivated();
  if (!row || row.is_bot) throw AuthenticationFailed();
  await kit.limits.giveBack('failed-login-address', networkOf(address));
  return row;
}

/** Throws unless signing in without a password is possible. See protocol/authentication#development, rows 3 and 4. */
export async function assertDevelopment(
  kit: Pick<Kit, 'server'> & { store: Pick<Kit['store'], 'query'> },
  realm: RealmRef | undefined,
): Promise<void> {
  if (kit.server.mode !== 'development') throw NotInProduction();
  if (!realm) return;
  const settings = settingsOf(await kit.store.query((tx) => readRealm(tx, realm.id)));
  if (!settings.authentication_methods['Dev']) throw DevAuthDisabled();
}

/** The API key of an account, with what goes with it. */
export function credentialsOf(kit: Pick<Kit, 'server'>, row: UserRow): Credentials {
  return { api_key: apiKeyFor(kit.server.secret, row.id, row.api_key_version), email: row.email, user_id: row.id };
}

function assertUsable(row: UserRow, realm: RealmRef): void {
  if (!row.is_active) throw UserDeactivated();
  if (realm.isDeactivated) throw RealmDeactivated();
}

function assertEmail(text: string): void {
  if ('fault' in firstFault(emailSchema(), 'username', text)) throw EmailInvalid();
}
