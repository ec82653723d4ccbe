import { common } from './common.ts';
import { compose } from './compose.ts';
import { messages } from './messages.ts';
import { shell } from './shell.ts';
import { undo } from './undo.ts';

/**
 * The texts of conversations; those of views that are loaded later are in `deferred.ts`. A text with a number has a
 * singular and a plural form; `{name}` is replaced.
 */
export const english = {
  ...common,
  ...shell,
  ...messages,
  ...compose,
  ...undo,
} as const;
