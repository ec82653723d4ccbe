import { type Actor, apiKeyFor, type RealmRef } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { renewKey } from '#features/bots';
import { endKey, lockUser } from '#features/users';

/** Makes the caller's API key worthless and gives a new one. See protocol/authentication#api-key. */
export function regenerateOwnKey(context: Context, realm: RealmRef, actor: Actor): Promise<string> {
  return context.store.write(async (tx) => {
    const user = await lockUser(tx, realm.id, actor.userId);
    if (user.is_bot) return renewKey(context, tx, realm, user);
    return apiKeyFor(context.server.secret, user.id, await endKey(context, tx, realm, user));
  });
}
