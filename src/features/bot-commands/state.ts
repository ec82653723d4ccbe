import { list } from '#kernel/schema';
import { registerState } from '#kernel/state';
import { listCommands } from './queries.ts';
import { toWireCommand, wireCommand } from './wire.ts';

/** The commands of all bots; none for spectators. See protocol/bots#commands. */
export const commandsState = registerState({
  fetchType: 'bot_commands',
  source: 'protocol/bots#commands',
  fields: { bot_commands: list(wireCommand) },
  read: async ({ tx }) => ({
    bot_commands: tx.actor ? (await listCommands(tx)).map(toWireCommand) : [],
  }),
});
