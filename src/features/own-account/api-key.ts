import { type Actor, apiKeyFor } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { renewKey } from '#features/bots';
import { credentialsOf, recordKeyGiven } from '#features/sign-in';
import { endEveryKey, endKey, lockUser } from '#features/users';

/** Makes the caller's API key worthless and gives a new one. See protocol/authentication#api-key. */
export function regenerateOwnKey(context: Context, actor: Actor): Promise<string> {
  return context.store.as(actor).write(async (tx) => {
    const user = await lockUser(tx, actor.userId);
    if (user.is_bot) return renewKey(context, tx, user);
    return apiKeyFor(context.server.secret, user.id, await endKey(context, tx, user));
  });
}

/** The caller's API key, which the audit log keeps that they were shown. See protocol/authentication#api-key. */
export function showOwnKey(context: Context, { realm, userId }: Actor): Promise<string> {
  return context.store.in(realm).write(async (tx) => {
    const user = await lockUser(tx, userId);
    recordKeyGiven(tx, user);
    return credentialsOf(context, user).api_key;
  });
}

/** Logs all programs of the caller out: keys of devices and app passwords end with the key of the account. */
export function endOwnKeys(context: Context, { realm, userId }: Actor): Promise<void> {
  return context.store.in(realm).write(async (tx) => endEveryKey(context, tx, await lockUser(tx, userId)));
}
