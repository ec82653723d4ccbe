import { keepingOwnersIn, recoverSecondFactor } from '#features/sign-in';
import { findUser, NoSuchUser } from '#features/users';
import type { Actor } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { InsufficientPermission, OwnerRequired } from '#kernel/errors';
import type { UserId } from '#kernel/ids';
import { isOwner } from '#kernel/permissions';
import { NoSecondFactor } from './errors.ts';

/**
 * Turns off the second factor of somebody who lost it. Nobody can do this for themselves: turning off one's own second
 * factor needs a code. See protocol/users#second-factor.
 */
export async function recover(context: Context, actor: Actor, id: UserId): Promise<void> {
  await context.store.as(actor).write(async (tx) => {
    const user = await findUser(tx, id);
    if (!user || user.is_bot) throw NoSuchUser();
    if (id === actor.userId) throw InsufficientPermission();
    if (isOwner(user) && !isOwner(actor)) throw OwnerRequired();
    const end = () => recoverSecondFactor(tx, user, actor.fullName);
    if (!(await keepingOwnersIn(context, tx, user, end))) throw NoSecondFactor();
  });
}
