import { NoSuchBot, NoSuchWebhook } from '#features/bots';
import { endpoint, everyone, json, members, optional, path, raw, withDefault } from '#kernel/endpoint';
import { InsufficientPermission, OwnerRequired } from '#kernel/errors';
import type { UserId } from '#kernel/ids';
import { idOf, list, text } from '#kernel/schema';
import { registerCommand, removeCommand } from './actions.ts';
import { CommandMissing, CommandTaken, InvalidCommandName, TooManyCommands } from './errors.ts';
import { listCommands } from './queries.ts';
import { MAX_DESCRIPTION } from './names.ts';
import type { BotCommandId } from './tables.ts';
import { toWireCommand, wireCommand } from './wire.ts';

const source = 'protocol/bots#commands';
const ACCESS_ERRORS = [NoSuchBot, InsufficientPermission, OwnerRequired, NoSuchWebhook];

const getCommands = endpoint({
  id: 'get-bot-commands',
  method: 'GET',
  path: '/bot_commands',
  source,
  doc: 'The commands that bots of the organization answer.',
  who: everyone,
  params: {},
  returns: { bot_commands: list(wireCommand) },
  async run({ actor, context }) {
    const rows = await context.store.as(actor).query((tx) => listCommands(tx));
    return { bot_commands: rows.map(toWireCommand) };
  },
});

const addCommand = endpoint({
  id: 'register-bot-command',
  method: 'POST',
  path: '/bot_commands',
  source,
  doc: 'Registers a command of an outgoing webhook bot, or changes its description.',
  who: members,
  params: {
    name: raw(text({ max: 100 }), 'Without the slash: small letters, digits, `-` and `_`, a letter first.'),
    description: raw(
      text({ line: true, trim: true, min: 1, max: MAX_DESCRIPTION }),
      'What it does, as completion shows it.',
    ),
    usage_hint: withDefault(
      raw(text({ line: true, trim: true, max: MAX_DESCRIPTION }), 'What is to follow the name.'),
      '',
    ),
    bot_id: optional(json(idOf<UserId>(), 'The bot that answers; the caller when absent.')),
  },
  returns: { bot_command: wireCommand },
  fails: [...ACCESS_ERRORS, InvalidCommandName, CommandTaken, TooManyCommands],
  run: async ({ actor, params, context }) => ({
    bot_command: await registerCommand(context, actor, params),
  }),
});

const deleteCommand = endpoint({
  id: 'remove-bot-command',
  method: 'DELETE',
  path: '/bot_commands/{command_id}',
  source,
  doc: 'Removes a command, for the bot itself, its owner and administrators.',
  who: members,
  params: { command_id: path(idOf<BotCommandId>()) },
  returns: {},
  fails: [CommandMissing, ...ACCESS_ERRORS],
  async run({ actor, params, context }) {
    await removeCommand(context, actor, params.command_id);
    return {};
  },
});

export const commandEndpoints = [getCommands, addCommand, deleteCommand];
