import { slice } from '#kernel/slice';
import { ownAccountEndpoints } from './endpoints.ts';
import { ownAccountPages } from './pages.ts';

export const ownAccount = slice({ name: 'own-account', endpoints: ownAccountEndpoints, pages: ownAccountPages });
