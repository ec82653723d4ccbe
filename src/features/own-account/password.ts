import { type Actor, deleteSessionsOf, type RealmRefWriteTx } from '#kernel/auth';
import { ApiError, RateLimited } from '#kernel/errors';
import type { Context } from '#kernel/context';
import {
  beginGuess,
  endRecovery,
  findPasswordHash,
  hashPassword,
  type LogInRequest,
  passwordFaultIn,
  setPasswordHash,
  tellOwner,
  verifyPassword,
} from '#features/sign-in';
import { endEveryKey, type UserRow } from '#features/users';
import { NewPasswordTooWeak, TooManyAttempts, WrongPassword } from './errors.ts';

/** Hashes a new password after verifying the old one. See protocol/settings#password. */
export async function newPasswordHash(
  request: LogInRequest,
  actor: Actor,
  { old_password, new_password }: { readonly old_password: string; readonly new_password: string },
): Promise<string> {
  const { context } = request;
  // Also limited by account, because somebody with its key may come from any network.
  const key = String(actor.userId);
  await context.limits.take('old-password', key).catch(refuse);
  const guess = await beginGuess(request, actor.email).catch(refuse);
  const stored = await context.store.as(actor).query((tx) => findPasswordHash(tx, actor.userId));
  if (!(await verifyPassword(stored, old_password))) throw WrongPassword();
  await context.limits.forgive('old-password', key);
  await guess.right();
  const fault = await passwordFaultIn(request, new_password, [actor.fullName, actor.email]);
  if (fault !== undefined) throw NewPasswordTooWeak();
  return hashPassword(new_password);
}

/** Replaces a rate limit error by the text for this operation. */
function refuse(error: unknown): never {
  if (!(error instanceof ApiError) || error.row !== RateLimited.row) throw error;
  throw TooManyAttempts({ seconds: Math.ceil(Number(error.extra['retry-after'])) });
}

/**
 * Stores a new password. An attacker who knew the old one is out: sessions, API key and event queues end
 * (security#asvs, 7.4.3), and links that were mailed before stop working. The owner is notified (6.3.7). Whoever came
 * with a key or session that ended while the password was hashed has been refused when the log was locked.
 */
export async function setPassword(context: Context, tx: RealmRefWriteTx, user: UserRow, hash: string): Promise<void> {
  await setPasswordHash(tx, user.id, hash);
  await tellOwner(tx, user, 'The password of your account was changed.');
  await endEveryKey(context, tx, user);
  await deleteSessionsOf(tx, user.id);
  await endRecovery(tx, user.id);
}
