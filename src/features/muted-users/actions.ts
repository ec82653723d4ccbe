import { accessUser } from '#features/users';
import type { Actor } from '#kernel/auth';
import { lockLog } from '#kernel/events';
import type { UserId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import type { RealmWriteTx } from '#kernel/store';
import { AlreadyMuted, CannotMuteSelf, NotMuted } from './errors.ts';
import { mutedUsersChanged } from './events.ts';
import { deleteMuted, insertMuted, listMuted } from './queries.ts';
import { userMuted } from './signals.ts';
import { toWireMutedUser } from './wire.ts';

/** Mutes a user, bots and deactivated accounts included, for the actor. See protocol/users#operations. */
export async function muteUser(context: Context, actor: Actor, id: UserId): Promise<void> {
  if (id === actor.userId) throw CannotMuteSelf();
  await context.store.as(actor).write(async (tx) => {
    await lockLog(tx);
    await accessUser(tx, id);
    if (!(await insertMuted(tx, actor.userId, id))) throw AlreadyMuted();
    await announce(tx, actor);
    await userMuted.send(context, tx, { userId: actor.userId, mutedUserId: id });
  });
}

/** Ends that a user is muted for the actor. See protocol/users#operations. */
export async function unmuteUser(context: Context, actor: Actor, id: UserId): Promise<void> {
  await context.store.as(actor).write(async (tx) => {
    await lockLog(tx);
    await accessUser(tx, id);
    if (!(await deleteMuted(tx, actor.userId, id))) throw NotMuted();
    await announce(tx, actor);
  });
}

async function announce(tx: RealmWriteTx, { realmId, userId }: Actor): Promise<void> {
  const muted_users = (await listMuted(tx, userId)).map(toWireMutedUser);
  tx.emit(mutedUsersChanged(realmId, { muted_users }, { audience: { users: [userId] } }));
}
