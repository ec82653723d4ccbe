import { channels } from './channels.ts';
import { common } from './common.ts';
import { entrance } from './entrance.ts';
import { messages } from './messages.ts';
import { organization } from './organization.ts';
import { people } from './people.ts';

/** German texts of error messages by the English ones, with the values in braces. */
export const german: Readonly<Record<string, string>> = {
  ...common,
  ...messages,
  ...channels,
  ...people,
  ...entrance,
  ...organization,
};
