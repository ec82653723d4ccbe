import { account } from './account.ts';
import { common } from './common.ts';
import { entrance } from './entrance.ts';
import { refusals } from './refusals.ts';

/** The texts of the server's pages in German. */
export const german = { ...account, ...common, ...entrance, ...refusals } as const;
