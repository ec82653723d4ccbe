import { slice } from '#kernel/slice';
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
});

export { applyCommandEvent } from './apply.ts';
export { findBotOfCommand } from './queries.ts';
export { commandIn } from './names.ts';
