import type { RealmRefReadTx, RealmRefWriteTx } from '#kernel/auth';
import { readRealm, type RealmSettings, settingsOf } from '#features/realms';
import { ApiError } from '#kernel/errors';
import { holdLog } from '#kernel/events';
import { isOwner } from '#kernel/permissions';
import { LDAP_ISSUER } from './directory-password.ts';
import { OwnersLockedOut } from './errors.ts';
import {
  authenticationMethods,
  isMethodOn,
  LDAP_METHOD,
  PASSKEY_METHOD,
  PROXY_METHOD,
  providersOf,
  type SignInContext,
} from './methods.ts';
import { hasOwnerWithPasskey } from './factors/index.ts';
import { hasLinkedOwner } from './queries.ts';

/**
 * Whether an owner can sign in: with a password, with a passkey of theirs, or with a provider or directory that one of
 * them is linked to. A proxy cannot be tested beforehand and counts as a way in. See protocol/authentication#methods.
 */
export async function ownersGetIn(
  context: SignInContext,
  tx: RealmRefReadTx,
  settings: Pick<RealmSettings, 'authentication_methods'>,
): Promise<boolean> {
  const isOffered = (name: string) =>
    authenticationMethods(context, tx.realm).includes(name) && isMethodOn(settings, name);
  if (['Email', 'Dev', PROXY_METHOD].some(isOffered)) return true;
  if (isOffered(PASSKEY_METHOD) && (await hasOwnerWithPasskey(tx))) return true;
  const directory = isOffered(LDAP_METHOD) ? [LDAP_ISSUER] : [];
  return hasLinkedOwner(tx, [...providersOf(context, tx.realm, settings).map(({ id }) => id), ...directory]);
}

/**
 * Makes a change to somebody's account; throws, and so rolls the change back, if it ends the last way in of the last
 * owner who has one. Simultaneous calls run one after the other.
 */
export async function keepingOwnersIn<T>(
  context: SignInContext,
  tx: RealmRefWriteTx,
  user: Parameters<typeof isOwner>[0],
  change: () => Promise<T>,
): Promise<T> {
  if (!isOwner(user)) return change();
  await holdLog(tx);
  const settings = settingsOf(await readRealm(tx));
  const gotIn = await ownersGetIn(context, tx, settings);
  const result = await change();
  if (gotIn && !(await ownersGetIn(context, tx, settings))) throw OwnersLockedOut();
  return result;
}

/** Whether an error says that no owner could log in any more. */
export function isLockOut(error: unknown): error is ApiError {
  return error instanceof ApiError && error.row === OwnersLockedOut.row;
}
