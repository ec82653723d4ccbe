import { slice } from '#kernel/slice';
import { scimPages } from './pages.ts';
import { scimResource, scimToken } from './tables.ts';

export const scim = slice({ name: 'scim', tables: [scimToken, scimResource], pages: scimPages });

export { addToken, revokeToken, tokensOf } from './tokens.ts';
