import { channels } from './channels.ts';
import { common } from './common.ts';
import { compose } from './compose.ts';
import { keys } from './keys.ts';
import { lists } from './lists.ts';
import { manage } from './manage.ts';
import { messages } from './messages.ts';
import { organizing } from './organizing.ts';
import { own } from './own.ts';
import { settings } from './settings.ts';
import { shell } from './shell.ts';
import { undo } from './undo.ts';
import { worker } from './worker.ts';

/** Every text of the client. A text with a number has a form for one and one for more; `{name}` is filled in. */
export const english = {
  ...common,
  ...shell,
  ...messages,
  ...compose,
  ...lists,
  ...settings,
  ...channels,
  ...manage,
  ...organizing,
  ...own,
  ...keys,
  ...undo,
  ...worker,
} as const;
