import { accessBot, BotType, NoSuchWebhook } from '#features/bots';
import { findUser, type UserRow } from '#features/users';
import type { Actor, ActorReadTx } from '#kernel/auth';
import { lockLog } from '#kernel/events';
import type { Context } from '#kernel/context';
import type { UserId } from '#kernel/ids';
import { CommandMissing, CommandTaken, TooManyCommands } from './errors.ts';
import { commandAdded, commandRemoved, commandUpdated } from './events.ts';
import { deleteCommand, insertCommand, listCommands, setCommand } from './queries.ts';
import { assertCommandName, MAX_OF_BOT, MAX_OF_REALM } from './names.ts';
import type { BotCommandId, BotCommandRow } from './tables.ts';
import { toWireCommand, type WireCommand } from './wire.ts';

/** A command to register. */
export interface NewCommand {
  readonly name: string;
  readonly description: string;
  readonly usage_hint: string;
  /** Undefined for the caller itself. */
  readonly bot_id: UserId | undefined;
}

/**
 * Registers a command of a bot, or updates its description and hint; emits nothing if they are the same. See
 * protocol/bots#commands.
 */
export function registerCommand(
  context: Context,
  actor: Actor,
  { name, description, usage_hint, bot_id }: NewCommand,
): Promise<WireCommand> {
  return context.store.as(actor).write(async (tx) => {
    await lockLog(tx);
    const bot = await accessWebhook(tx, bot_id ?? actor.userId);
    assertCommandName(name);
    const all = await listCommands(tx);
    const known = all.find((one) => one.command_name === name);
    if (known && known.bot_id !== bot.id) throw CommandTaken({ name });
    if (known?.description === description && known.usage_hint === usage_hint) return toWireCommand(known);
    if (known) {
      const row = { ...known, description, usage_hint };
      await setCommand(tx, known, { description, usage_hint });
      tx.emit(commandUpdated({ bot_command: toWireCommand(row) }));
      return toWireCommand(row);
    }
    assertRoom(all, bot.id);
    const columns = { command_name: name, description, usage_hint };
    const row = await insertCommand(tx, { realm_id: actor.realmId, bot_id: bot.id, ...columns });
    tx.emit(commandAdded({ bot_command: toWireCommand(row) }));
    return toWireCommand(row);
  });
}

/** Removes a command; the bot itself and those who may manage it may do so. See protocol/bots#commands. */
export function removeCommand(context: Context, actor: Actor, id: BotCommandId): Promise<void> {
  return context.store.as(actor).write(async (tx) => {
    await lockLog(tx);
    const row = (await listCommands(tx)).find((one) => one.id === id);
    if (!row) throw CommandMissing();
    await accessWebhook(tx, row.bot_id);
    await deleteCommand(tx, id);
    tx.emit(commandRemoved({ bot_command_id: id }));
  });
}

/** Returns an outgoing webhook bot that is the caller or that the caller may manage. */
async function accessWebhook(tx: ActorReadTx, id: UserId): Promise<UserRow> {
  const isItself = tx.actor.isBot && tx.actor.userId === id;
  const bot = isItself ? await findUser(tx, id) : await accessBot(tx, id);
  if (bot?.bot_type !== BotType.outgoingWebhook) throw NoSuchWebhook();
  return bot;
}

function assertRoom(all: readonly BotCommandRow[], botId: UserId): void {
  if (all.length >= MAX_OF_REALM) throw TooManyCommands({ max: MAX_OF_REALM });
  if (all.filter((one) => one.bot_id === botId).length >= MAX_OF_BOT) throw TooManyCommands({ max: MAX_OF_BOT });
}
