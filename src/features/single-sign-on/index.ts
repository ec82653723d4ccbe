import { slice } from '#kernel/slice';
import { connectionPages } from './connections-page.ts';
import { directoryArrivals } from './directory.ts';
import { jwtEndpoints, jwtPages } from './jwt.ts';
import { singleSignOnPages } from './pages.ts';
import { proxyPage } from './proxy-page.ts';
import { samlAnswer } from './tables.ts';

export const singleSignOn = slice({
  name: 'single-sign-on',
  tables: [samlAnswer],
  on: [directoryArrivals],
  endpoints: jwtEndpoints,
  pages: [...singleSignOnPages, ...connectionPages, proxyPage, ...jwtPages],
});
