import { channels } from './channels.ts';
import { dialogs } from './dialogs.ts';
import { keys } from './keys.ts';
import { manage } from './manage.ts';
import { organizing } from './organizing.ts';
import { own } from './own.ts';
import { palette } from './palette.ts';
import { settings } from './settings.ts';
import { worker } from './worker.ts';

/** The texts of settings, of channels and groups, of the organization, of notifications, of dialogs, and of the palette. */
export const germanOfSettings = {
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
