import { channels } from './channels.ts';
import { dialogs } from './dialogs.ts';
import { keys } from './keys.ts';
import { lists } from './lists.ts';
import { manage } from './manage.ts';
import { organizing } from './organizing.ts';
import { own } from './own.ts';
import { palette } from './palette.ts';
import { settings } from './settings.ts';
import { widgets } from './widgets.ts';
import { worker } from './worker.ts';

/** The texts of views that are loaded after the first conversation: settings, lists, dialogs, the palette and more. */
export const deferredEnglish = {
  ...lists,
  ...widgets,
  ...settings,
  ...channels,
  ...manage,
  ...organizing,
  ...own,
  ...worker,
  ...dialogs,
  ...keys,
  ...palette,
} as const;
