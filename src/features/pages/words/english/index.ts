import { account } from './account.ts';
import { calls } from './calls.ts';
import { common } from './common.ts';
import { entrance } from './entrance.ts';
import { guides } from './guides.ts';
import { integrations } from './integrations.ts';
import { providers } from './providers.ts';
import { welcome } from './welcome.ts';

/** The texts of the server's pages in English. */
export const english = {
  ...account,
  ...calls,
  ...common,
  ...entrance,
  ...guides,
  ...integrations,
  ...providers,
  ...welcome,
} as const;
