import { slice } from '#kernel/slice';
import { scimTokenEndpoints } from './endpoints.ts';
import { scimPages } from './pages.ts';
import { scimResource, scimToken } from './tables.ts';

export const scim = slice({
  name: 'scim',
  endpoints: scimTokenEndpoints,
  tables: [scimToken, scimResource],
  pages: scimPages,
});

export { addToken, revokeToken, tokensOf } from './tokens.ts';
