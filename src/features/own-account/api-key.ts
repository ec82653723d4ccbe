import { type Actor, apiKeyFor, type RealmRef } from '#kernel/auth';
import type { Kit } from '#kernel/kit';
import { renewKey } from '#features/bots';
import { endKey, lockUser } from '#features/users';

/** Makes the caller's API key worthless and gives a new one. See protocol/authentication#api-key. */
export function regenerateOwnKey(kit: Kit, realm: RealmRef, actor: Actor): Promise<string> {
  return kit.store.write(async (tx) => {
    const user = await lockUser(tx, realm.id, actor.userId);
    if (user.is_bot) return renewKey(kit, tx, realm, user);
    return apiKeyFor(kit.server.secret, user.id, await endKey(kit, tx, realm, user));
  });
}
