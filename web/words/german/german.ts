import { common } from './common.ts';
import { compose } from './compose.ts';
import { lists } from './lists.ts';
import { messages } from './messages.ts';
import { shell } from './shell.ts';
import { undo } from './undo.ts';

/** The texts of conversations; those of settings are a separate chunk. */
export const german = {
  ...common,
  ...shell,
  ...messages,
  ...compose,
  ...lists,
  ...undo,
} as const;
