import { slice } from '#kernel/slice';
import { backchannelPage } from './backchannel.ts';
import { connectionPages } from './connections-page.ts';
import { directoryArrivals } from './directory.ts';
import { jwtEndpoints, jwtPages } from './jwt.ts';
import { logoutPage } from './logout-page.ts';
import { pictureJob } from './mapping.ts';
import { singleSignOnPages } from './pages.ts';
import { proxyPage } from './proxy-page.ts';
import { samlLogoutPages } from './saml-logout-page.ts';
import { samlAnswer } from './tables.ts';

export const singleSignOn = slice({
  name: 'single-sign-on',
  tables: [samlAnswer],
  on: [directoryArrivals],
  jobs: [pictureJob],
  endpoints: jwtEndpoints,
  pages: [
    ...singleSignOnPages,
    logoutPage,
    backchannelPage,
    ...samlLogoutPages,
    ...connectionPages,
    proxyPage,
    ...jwtPages,
  ],
});
