import { slice } from '#kernel/slice';
import { commandEndpoints } from './endpoints.ts';

export const slashCommands = slice({ name: 'slash-commands', endpoints: commandEndpoints });
