import { common } from './common.ts';
import { compose } from './compose.ts';
import { lists } from './lists.ts';
import { messages } from './messages.ts';
import { shell } from './shell.ts';
import { undo } from './undo.ts';
import { widgets } from './widgets.ts';

/** The texts of conversations, and of the lists that may be a person's first view; the others are a separate chunk. */
export const german = {
  ...common,
  ...shell,
  ...messages,
  ...compose,
  ...undo,
  ...lists,
  ...widgets,
} as const;
