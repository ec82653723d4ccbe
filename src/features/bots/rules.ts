import { isAdministrator, isOwner } from '#kernel/permissions';
import type { Actor } from '#kernel/auth';
import type { UserRow } from '#features/users';
import { BadNameOrUsername, InvalidInterface } from './errors.ts';

/** Types of bots. See protocol/bots#operations. */
export const BotType = { generic: 1, incomingWebhook: 2, outgoingWebhook: 3, embedded: 4 } as const;
export const BOT_TYPES: readonly number[] = Object.values(BotType);

/** Formats in which outgoing webhooks are called. See protocol/bots#operations. */
export const Interface = { generic: 1, slack: 2 } as const;

/** Longest local part of an address. RFC 5321 §4.5.3.1.1. */
const MAX_LOCAL_PART = 64;

/** Returns the email address of a new bot. See protocol/bots#operations. */
export function botEmail(shortName: string, host: string): string {
  const local = `${shortName}-bot`;
  if (!/^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*$/.test(shortName) || local.length > MAX_LOCAL_PART)
    throw BadNameOrUsername();
  return `${local}@${host}`;
}

export function assertInterface(number: number): void {
  if (number !== Interface.generic && number !== Interface.slack) throw InvalidInterface();
}

/** Whether the actor may manage a bot: its owner and administrators may. */
export function mayManage(actor: Actor, bot: UserRow): boolean {
  return isAdministrator(actor) || bot.bot_owner_id === actor.userId;
}

/** Whether the bot is above an administrator: an owner's bot, whose key would lend rights that only owners may give. */
export function isAbove(actor: Actor, bot: UserRow): boolean {
  return isOwner(bot) && !isOwner(actor) && bot.bot_owner_id !== actor.userId;
}
