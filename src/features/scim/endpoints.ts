import type { UserId } from '#kernel/ids';
import { apiError } from '#kernel/errors';
import { endpoint, owners, path, raw } from '#kernel/endpoint';
import { bool, idOf, int, list, nullable, object, str, text } from '#kernel/schema';
import { addToken, revokeToken, tokensOf, TooManyTokens } from './tokens.ts';

const SOURCE = 'protocol/scim#tokens';
/** Most characters of a token's name. */
const MAX_NAME = 100;

const NoSuchToken = apiError({ message: 'No such token.' });

const listTokens = endpoint({
  id: 'list-scim-tokens',
  method: 'GET',
  path: '/realm/scim_tokens',
  source: SOURCE,
  doc: "The organization's SCIM tokens, oldest first, without the secrets.",
  who: owners,
  params: {},
  returns: {
    scim_tokens: list(
      object({
        id: int(),
        name: str(),
        owner_id: nullable(idOf<UserId>()),
        works: bool(),
        created_at: int(),
        last_used_at: nullable(int()),
      }),
    ),
  },
  run: async ({ realm, context }) => ({
    scim_tokens: (await tokensOf(context, realm)).map(({ id, name, owner_id, works, created_at, last_used_at }) => ({
      id,
      name,
      owner_id,
      works,
      created_at,
      last_used_at,
    })),
  }),
});

const createToken = endpoint({
  id: 'create-scim-token',
  method: 'POST',
  path: '/realm/scim_tokens',
  source: SOURCE,
  doc: 'Makes a SCIM token; its secret is returned only this once.',
  who: owners,
  dangerous: true,
  params: { name: raw(text({ line: true, trim: true, min: 1, max: MAX_NAME }), 'Which directory it is for.') },
  returns: { secret: str() },
  fails: [TooManyTokens],
  run: async ({ actor, realm, params, context }) => ({
    secret: await addToken(context, realm, params.name, actor.userId),
  }),
});

const deleteToken = endpoint({
  id: 'revoke-scim-token',
  method: 'DELETE',
  path: '/realm/scim_tokens/{scim_token_id}',
  source: SOURCE,
  doc: 'Revokes a SCIM token at once.',
  who: owners,
  params: { scim_token_id: path(int({ min: 1, max: Number.MAX_SAFE_INTEGER })) },
  returns: {},
  fails: [NoSuchToken],
  async run({ realm, params, context }) {
    if (!(await revokeToken(context, realm, params.scim_token_id))) throw NoSuchToken();
    return {};
  },
});

export const scimTokenEndpoints = [listTokens, createToken, deleteToken];
