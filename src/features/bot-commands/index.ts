import { applier, slice } from '#kernel/slice';
import { applyCommandEvent } from './apply.ts';
import { commandEndpoints } from './endpoints.ts';
import { commandEvents } from './events.ts';
import { commandsState } from './state.ts';
import { botCommand } from './tables.ts';

export const botCommands = slice({
  name: 'bot-commands',
  tables: [botCommand],
  endpoints: commandEndpoints,
  events: commandEvents,
  state: [commandsState],
  applies: [applier(['bot_command'], ['bot_commands'], applyCommandEvent)],
});

export { findBotOfCommand } from './queries.ts';
export { commandIn } from './names.ts';
