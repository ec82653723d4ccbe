import { event, everyoneInRealm } from '#kernel/events';
import { idOf, type SchemaOf } from '#kernel/schema';
import type { BotCommandId } from './tables.ts';
import { wireCommand } from './wire.ts';

const source = 'protocol/bots#commands';
const audience = () => everyoneInRealm;
const payload = { bot_command: wireCommand };

/** A bot registered a command. */
export const commandAdded = event({ type: 'bot_command', op: 'add', source, payload, audience, audit: commandAct });

/** A command has another description or usage hint. */
export const commandUpdated = event({
  type: 'bot_command',
  op: 'update',
  source,
  payload,
  audience,
  audit: commandAct,
});

/** A command was removed. */
export const commandRemoved = event({
  type: 'bot_command',
  op: 'remove',
  source,
  payload: { bot_command_id: idOf<BotCommandId>() },
  audience,
  audit: ({ bot_command_id: id }) => ({ action: 'bot.command_removed', target: { kind: 'command', id } }),
});

function commandAct({ bot_command }: { readonly bot_command: SchemaOf<typeof wireCommand> }) {
  return { action: 'bot.command', target: { kind: 'command' }, after: bot_command };
}

export const commandEvents = [commandAdded, commandUpdated, commandRemoved];
