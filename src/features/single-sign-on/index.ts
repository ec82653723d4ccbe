import { slice } from '#kernel/slice';
import { connectionPages } from './connections-page.ts';
import { jwtEndpoints, jwtPages } from './jwt.ts';
import { singleSignOnPages } from './pages.ts';
import { proxyPage } from './proxy-page.ts';

export const singleSignOn = slice({
  name: 'single-sign-on',
  endpoints: jwtEndpoints,
  pages: [...singleSignOnPages, ...connectionPages, proxyPage, ...jwtPages],
});
