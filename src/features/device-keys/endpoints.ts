import { KEY_KINDS, KEY_SCOPES, listDeviceKeys, notedKeyUse } from '#kernel/auth';
import { endpoint, humans, json, path, raw, withDefault } from '#kernel/endpoint';
import { int, list, nullable, object, oneOf, str, text } from '#kernel/schema';
import { addKey, revokeKey } from './actions.ts';
import { NoSuchKey, TooManyKeys } from './errors.ts';

const SOURCE = 'protocol/authentication#device-keys';
/** Longest name of a key, in characters, and most days until it expires. */
const MAX_NAME = 60;
const MAX_DAYS = 3650;
/** Greater than each ID of a key. */
const MAX_ID = Number.MAX_SAFE_INTEGER;

const wireKey = object({
  id: int(),
  kind: oneOf(...KEY_KINDS),
  name: str(),
  scope: oneOf(...KEY_SCOPES),
  created_at: int(),
  /** Null if it never expires. */
  ends_at: nullable(int()),
  /** Accurate to a minute; null if it was never used. */
  last_used_at: nullable(int()),
  last_address: nullable(str()),
});

const listKeys = endpoint({
  id: 'list-api-keys',
  method: 'GET',
  path: '/users/me/api_keys',
  source: SOURCE,
  doc: "The caller's device keys and app passwords, newest first, without the keys themselves.",
  who: humans,
  params: {},
  returns: { api_keys: list(wireKey) },
  async run({ actor, realm, context }) {
    const rows = await context.store.in(realm).query((tx) => listDeviceKeys(tx, actor.userId));
    const api_keys = rows.map(({ id, kind, name, scope, created_at, ends_at, last_used_at, address }) => {
      const noted = notedKeyUse(context.server, id);
      return {
        id,
        kind,
        name,
        scope,
        created_at,
        ends_at,
        last_used_at: noted?.last_used_at ?? last_used_at,
        last_address: noted?.address ?? address,
      };
    });
    return { api_keys };
  },
});

const createKey = endpoint({
  id: 'create-api-key',
  method: 'POST',
  path: '/users/me/api_keys',
  source: SOURCE,
  doc: 'Makes a device key, which is an API key for one device or program, or an app password.',
  who: humans,
  params: {
    name: raw(text({ line: true, trim: true, min: 1, max: MAX_NAME }), 'What the key is for.'),
    key_kind: withDefault(raw(oneOf(...KEY_KINDS)), 'device'),
    scope: withDefault(raw(oneOf(...KEY_SCOPES)), 'all'),
    days: withDefault(json(nullable(int({ min: 1, max: MAX_DAYS }))), null),
  },
  returns: { id: int(), secret: str() },
  fails: [TooManyKeys],
  dangerous: true,
  run: ({ actor, params: { key_kind: kind, ...wanted }, context }) => addKey(context, actor, { kind, ...wanted }),
});

const deleteKey = endpoint({
  id: 'revoke-api-key',
  method: 'DELETE',
  path: '/users/me/api_keys/{key_id}',
  source: SOURCE,
  doc: 'Revokes a device key or an app password at once.',
  who: humans,
  params: { key_id: path(int({ min: 1, max: MAX_ID })) },
  returns: {},
  fails: [NoSuchKey],
  async run({ actor, params, context }) {
    await revokeKey(context, actor, params.key_id);
    return {};
  },
});

export const deviceKeyEndpoints = [listKeys, createKey, deleteKey];
