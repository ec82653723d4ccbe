import { slice } from '#kernel/slice';
import { COMMANDS } from './commands.ts';
import { commandEndpoints } from './endpoints.ts';

export const slashCommands = slice({ name: 'slash-commands', endpoints: commandEndpoints });

/** Names of the commands that clients ask this slice to run. */
export const BUILT_IN_COMMANDS: readonly string[] = [...COMMANDS.keys()];
