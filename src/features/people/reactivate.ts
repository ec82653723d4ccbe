import { reactivateAccount } from '#features/accounts';
import { assertMayCreate, listBotNames, renewKey } from '#features/bots';
import { accessAccount, findUser, lockUser, realmUserUpdated, setUser, type UserRow } from '#features/users';
import type { Actor, ActorReadTx, ActorWriteTx } from '#kernel/auth';
import { InsufficientPermission, OwnerRequired } from '#kernel/errors';
import { everyoneInRealm, lockLog } from '#kernel/events';
import type { UserId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import { isAdministrator, isOwner } from '#kernel/permissions';
import { foldCase } from '#kernel/text';
import { BotNameInUse } from './errors.ts';

/** Reactivates a deactivated account; an active account stays as it is. See protocol/users#reactivating. */
export async function reactivate(context: Context, actor: Actor, id: UserId): Promise<void> {
  await context.store.as(actor).write(async (tx) => {
    await lockLog(tx);
    await reactivateWithin(context, tx, id);
  });
}

/** Reactivates an account inside a transaction that has locked the log. */
export async function reactivateWithin(context: Context, tx: ActorWriteTx, id: UserId): Promise<void> {
  const { actor } = tx;
  const user = await accessAccount(tx, id);
  const isOwnBot = user.is_bot && user.bot_owner_id === actor.userId;
  if (!isAdministrator(actor) && !isOwnBot) throw InsufficientPermission();
  if (isOwner(user) && !isOwner(actor)) throw OwnerRequired();
  if (user.is_active) return;
  if (user.is_bot) await assertBotMayReturn(tx, user);
  await reactivateAccount(tx, user);
  if (user.is_bot) await ensureOwner(context, tx, user);
}

async function assertBotMayReturn(tx: ActorReadTx, bot: UserRow): Promise<void> {
  await assertMayCreate(tx, bot.bot_type ?? 1);
  const name = foldCase(bot.full_name);
  const others = await listBotNames(tx);
  if (others.some((other) => other.id !== bot.id && foldCase(other.full_name) === name))
    throw BotNameInUse({ name: bot.full_name });
}

/** Makes the actor the owner of a bot whose owner is deactivated, and who must not keep its key. */
async function ensureOwner(context: Context, tx: ActorWriteTx, bot: UserRow): Promise<void> {
  const owner = bot.bot_owner_id === null ? undefined : await findUser(tx, bot.bot_owner_id);
  if (owner?.is_active) return;
  await setUser(tx, bot.id, { bot_owner_id: tx.actor.userId });
  const person = { user_id: bot.id, bot_owner_id: tx.actor.userId };
  tx.emit(realmUserUpdated({ person }, { audience: everyoneInRealm, viewers: [bot.id] }));
  await renewKey(context, tx, await lockUser(tx, bot.id));
}
