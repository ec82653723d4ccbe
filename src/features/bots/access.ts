import type { ActorReadTx } from '#kernel/auth';
import { InsufficientPermission, OwnerRequired } from '#kernel/errors';
import type { UserId } from '#kernel/ids';
import { isAdministrator } from '#kernel/permissions';
import type { RealmReadTx } from '#kernel/store';
import { foldCase } from '#kernel/text';
import { type ChannelRow, findChannelsByName, mayRead, accessIn } from '#features/channels';
import { holdsInRealm } from '#features/groups';
import { findUser, findUserByEmail, nameFault, uniquenessFault, type UserRow } from '#features/users';
import { InvalidChannelName, NameFault, NameTaken, NoSuchBot, UsernameTaken } from './errors.ts';
import { listBotNames } from './queries.ts';
import { BotType, isAbove, mayManage } from './rules.ts';

/**
 * Returns a bot that the caller may manage: one of their own, or any for administrators. See protocol/bots#operations.
 */
export async function accessBot(tx: ActorReadTx, id: UserId): Promise<UserRow> {
  const row = await findUser(tx, id);
  if (!row?.is_bot || row.is_system_bot) throw NoSuchBot();
  if (!mayManage(tx.actor, row)) throw InsufficientPermission();
  if (isAbove(tx.actor, row)) throw OwnerRequired();
  return row;
}

/** Throws unless the caller may create bots of this type. See protocol/bots#operations. */
export async function assertMayCreate(tx: ActorReadTx, type: number): Promise<void> {
  if (isAdministrator(tx.actor)) return;
  if (await holdsInRealm(tx, 'can_create_bots_group')) return;
  if (type === BotType.incomingWebhook && (await holdsInRealm(tx, 'can_create_write_only_bots_group'))) return;
  throw InsufficientPermission();
}

/** Throws if another account has the address. */
export async function assertUsernameFree(tx: RealmReadTx, email: string): Promise<void> {
  if (await findUserByEmail(tx, email)) throw UsernameTaken();
}

/** Throws if another active bot has the name, or any account has it in an organization that requires unique names. */
export async function assertNameFree(tx: RealmReadTx, name: string, besides?: UserId): Promise<void> {
  const key = foldCase(name);
  const bots = await listBotNames(tx);
  if (bots.some((bot) => bot.id !== besides && foldCase(bot.full_name) === key)) throw NameTaken();
  const fault = await uniquenessFault(tx, name, besides);
  if (fault !== undefined) throw NameFault({ fault });
}

/** Returns the channel with a name if the caller may read it; otherwise the same error as for a missing one. */
export async function accessChannelByName(tx: ActorReadTx, name: string): Promise<ChannelRow> {
  const channel = (await findChannelsByName(tx, [name.trim()])).get(foldCase(name.trim()));
  if (!channel || !mayRead(channel, await accessIn(tx, channel))) throw InvalidChannelName({ name });
  return channel;
}

/** Returns a bot's name, trimmed, if it is valid. See protocol/users#names. */
export function botName(sent: string): string {
  const name = sent.trim();
  const fault = nameFault(name);
  if (fault !== undefined) throw NameFault({ fault });
  return name;
}
