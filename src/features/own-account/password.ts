import { type Actor, deleteSessionsOf, type RealmRef } from '#kernel/auth';
import { ApiError, RateLimited } from '#kernel/errors';
import type { Kit } from '#kernel/kit';
import type { WriteTx } from '#kernel/store';
import { foldCase } from '#kernel/text';
import { findPasswordHash, hashPassword, passwordFault, setPasswordHash, verifyPassword } from '#features/sign-in';
import { endKey, type UserRow } from '#features/users';
import { NewPasswordTooWeak, TooManyAttempts, WrongPassword } from './errors.ts';

/** The hash of a new password, once the old one is right. Contract surrounding 2.7.1, password. */
export async function newPasswordHash(
  kit: Kit,
  realm: RealmRef,
  actor: Actor,
  { old_password, new_password }: { readonly old_password: string; readonly new_password: string },
): Promise<string> {
  const key = `${realm.id}:${foldCase(actor.email)}`;
  await kit.limits.check('failed-login', key).catch(refuse);
  const stored = await kit.store.query((tx) => findPasswordHash(tx, realm.id, actor.userId));
  if (!(await verifyPassword(stored, old_password))) {
    await kit.limits.take('failed-login', key).catch(refuse);
    throw WrongPassword();
  }
  await kit.limits.forgive('failed-login', key);
  if (passwordFault(new_password, [actor.fullName, actor.email]) !== undefined) throw NewPasswordTooWeak();
  return hashPassword(new_password);
}

/** The limit's own words for this place. */
function refuse(error: unknown): never {
  if (!(error instanceof ApiError) || error.row !== RateLimited.row) throw error;
  throw TooManyAttempts({ seconds: Math.ceil(Number(error.extra['retry-after'])) });
}

/**
 * Stores a new password. Whoever had got in with the old one is out: sessions, API key and event queues end (security 2,
 * 7.4.3).
 */
export async function setPassword(kit: Kit, tx: WriteTx, realm: RealmRef, user: UserRow, hash: string): Promise<void> {
  await setPasswordHash(tx, realm.id, user.id, hash);
  await endKey(kit, tx, realm, user);
  await deleteSessionsOf(tx, realm.id, user.id);
}
