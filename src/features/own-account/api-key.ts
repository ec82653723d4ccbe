import { type Actor, apiKeyFor } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { renewKey } from '#features/bots';
import { credentialsOf, recordKeyGiven } from '#features/sign-in';
import { endEveryKey, endKey, lockUser } from '#features/users';

/** Invalidates the caller's API key and returns a new one. See protocol/authentication#api-key. */
export function regenerateOwnKey(context: Context, actor: Actor): Promise<string> {
  return context.store.as(actor).write(async (tx) => {
    const user = await lockUser(tx, actor.userId);
    if (user.is_bot) return renewKey(context, tx, user);
    return apiKeyFor(context.server.secret, user.id, await endKey(context, tx, user));
  });
}

/** Returns the caller's API key, and records this in the audit log. See protocol/authentication#api-key. */
export function showOwnKey(context: Context, { realm, userId }: Actor): Promise<string> {
  return context.store.in(realm).write(async (tx) => {
    const user = await lockUser(tx, userId);
    recordKeyGiven(tx, user);
    return credentialsOf(context, user).api_key;
  });
}

/** Logs all programs of the caller out: device keys, app passwords and the account's key become invalid. */
export function endOwnKeys(context: Context, { realm, userId }: Actor): Promise<void> {
  return context.store.in(realm).write(async (tx) => endEveryKey(context, tx, await lockUser(tx, userId)));
}
