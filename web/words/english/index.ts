import { common } from './common.ts';
import { compose } from './compose.ts';
import { keys } from './keys.ts';
import { lists } from './lists.ts';
import { messages } from './messages.ts';
import { shell } from './shell.ts';
import { undo } from './undo.ts';
import { worker } from './worker.ts';

/** The texts of conversations; those of settings are apart, and come with them. A text with a number has a form for one and one for more; `{name}` is filled in. */
export const english = {
  ...common,
  ...shell,
  ...messages,
  ...compose,
  ...lists,
  ...keys,
  ...undo,
  ...worker,
} as const;
