import type { WireCommand } from './wire.ts';

/** The part of the client's state that these events change. */
interface CommandsState {
  readonly bot_commands: readonly WireCommand[];
}

type CommandEvent =
  | { readonly op: 'add' | 'update'; readonly bot_command: WireCommand }
  | { readonly op: 'remove'; readonly bot_command_id: number };

/** Returns the commands after an event. */
export function applyCommandEvent({ bot_commands: before }: CommandsState, event: CommandEvent): CommandsState {
  switch (event.op) {
    case 'add':
      return { bot_commands: [...before, event.bot_command] };
    case 'update':
      return { bot_commands: before.map((one) => (one.id === event.bot_command.id ? event.bot_command : one)) };
    case 'remove':
      return { bot_commands: before.filter((one) => one.id !== event.bot_command_id) };
  }
}
