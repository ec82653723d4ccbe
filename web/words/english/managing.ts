import { channels } from './channels.ts';
import { manage } from './manage.ts';
import { organizing } from './organizing.ts';
import { own } from './own.ts';
import { settings } from './settings.ts';

/** The texts of settings, of channels and groups, and of the organization. */
export const englishOfSettings = { ...settings, ...channels, ...manage, ...organizing, ...own } as const;
