import { slice } from '#kernel/slice';
import { claimingOnPost, releasingOnErase } from './access.ts';
import { downloadEndpoints } from './endpoints.ts';
import { downloadPages } from './pages.ts';

export const downloads = slice({
  name: 'downloads',
  endpoints: downloadEndpoints,
  pages: downloadPages,
  on: [claimingOnPost, releasingOnErase],
});

export { refuse } from './refusals.ts';
export { serveBytes } from './serve.ts';
