import { accessUser } from '#features/users';
import type { Actor, ActorWriteTx } from '#kernel/auth';
import { lockLog } from '#kernel/events';
import type { UserId } from '#kernel/ids';
import type { Context } from '#kernel/context';
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
    if (!(await insertMuted(tx, id))) throw AlreadyMuted();
    await announce(tx);
    await userMuted.send(tx, { mutedUserId: id }, context);
  });
}

/** Unmutes a user for the actor. See protocol/users#operations. */
export async function unmuteUser(context: Context, actor: Actor, id: UserId): Promise<void> {
  await context.store.as(actor).write(async (tx) => {
    await lockLog(tx);
    await accessUser(tx, id);
    if (!(await deleteMuted(tx, id))) throw NotMuted();
    await announce(tx);
  });
}

async function announce(tx: ActorWriteTx): Promise<void> {
  const { userId } = tx.actor;
  const muted_users = (await listMuted(tx, userId)).map(toWireMutedUser);
  tx.emit(mutedUsersChanged({ muted_users }, { audience: { users: [userId] } }));
}
