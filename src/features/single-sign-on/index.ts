import { slice } from '#kernel/slice';
import { connectionPages } from './connections-page.ts';
import { singleSignOnPages } from './pages.ts';

export const singleSignOn = slice({
  name: 'single-sign-on',
  pages: [...singleSignOnPages, ...connectionPages],
});
