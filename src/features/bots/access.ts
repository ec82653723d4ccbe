import type { ActorReadTx } from '#kernel/auth';
import { InsufficientPermission, OwnerRequired } from '#kernel/errors';
import type { UserId } from '#kernel/ids';
import { isAdministrator } from '#kernel/permissions';
import type { RealmReadTx } from '#kernel/store';
import { foldCase } from '#kernel/text';
import { type ChannelRow, findChannelsByName, mayRead, accessIn } from '#features/channels';
import { holds } from '#features/groups';
import { readRealm, realmGroupSetting, settingsOf } from '#features/realms';
import { findUser, findUserByEmail, isNameTaken, nameFault, type UserRow } from '#features/users';
import { InvalidChannelName, NameFault, NameTaken, NoSuchBot, UsernameTaken } from './errors.ts';
import { listBotNames } from './queries.ts';
import { BotType, isAbove, mayManage } from './rules.ts';

/** A bot that the caller may manage: one of their own, or any for administrators. See protocol/bots#operations. */
export async function accessBot(tx: ActorReadTx, id: UserId): Promise<UserRow> {
  const row = await findUser(tx, id);
  if (!row?.is_bot || row.is_system_bot) throw NoSuchBot();
  if (!mayManage(tx.actor, row)) throw InsufficientPermission();
  if (isAbove(tx.actor, row)) throw OwnerRequired();
  return row;
}

/** Throws unless the caller may make bots of this type. See protocol/bots#operations. */
export async function assertMayCreate(tx: ActorReadTx, type: number): Promise<void> {
  if (isAdministrator(tx.actor)) return;
  const row = await readRealm(tx);
  const held = (name: 'can_create_bots_group' | 'can_create_write_only_bots_group') =>
    holds(tx, tx.actor, realmGroupSetting(name), row[name]);
  if (await held('can_create_bots_group')) return;
  if (type === BotType.incomingWebhook && (await held('can_create_write_only_bots_group'))) return;
  throw InsufficientPermission();
}

/** Throws when another account has the address. */
export async function assertUsernameFree(tx: RealmReadTx, email: string): Promise<void> {
  if (await findUserByEmail(tx, email)) throw UsernameTaken();
}

/** Throws when another active bot has the name, or anybody where the organization wants names to be unique. */
export async function assertNameFree(tx: RealmReadTx, name: string, besides?: UserId): Promise<void> {
  const key = foldCase(name);
  const bots = await listBotNames(tx);
  if (bots.some((bot) => bot.id !== besides && foldCase(bot.full_name) === key)) throw NameTaken();
  const { require_unique_names } = settingsOf(await readRealm(tx));
  if (require_unique_names && (await isNameTaken(tx, name, besides)))
    throw NameFault({ fault: 'Unique names required in this organization.' });
}

/** The channel of a name that the caller may read. One they may not is answered like one that does not exist. */
export async function accessChannelByName(tx: ActorReadTx, name: string): Promise<ChannelRow> {
  const channel = (await findChannelsByName(tx, [name.trim()])).get(foldCase(name.trim()));
  if (!channel || !mayRead(channel, await accessIn(tx, channel))) throw InvalidChannelName({ name });
  return channel;
}

/** A bot's name, trimmed, if it is one that anybody may have. See protocol/users#names. */
export function botName(sent: string): string {
  const name = sent.trim();
  const fault = nameFault(name);
  if (fault !== undefined) throw NameFault({ fault });
  return name;
}
