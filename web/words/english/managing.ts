import { channels } from './channels.ts';
import { dialogs } from './dialogs.ts';
import { manage } from './manage.ts';
import { organizing } from './organizing.ts';
import { own } from './own.ts';
import { settings } from './settings.ts';
import { worker } from './worker.ts';

/** The texts of settings, of channels and groups, of the organization, of notifications, and of dialogs. */
export const englishOfSettings = {
  ...settings,
  ...channels,
  ...manage,
  ...organizing,
  ...own,
  ...worker,
  ...dialogs,
} as const;
