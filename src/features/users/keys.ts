import { record } from '#kernel/audit';
import {
  apiKeyFor,
  constantTimeEqual,
  deleteDeviceKeysOf,
  findDeviceKey,
  isApiKeyShape,
  type RealmRefWriteTx,
} from '#kernel/auth';
import type { Context } from '#kernel/context';
import { InvalidApiKey, MalformedApiKey } from '#kernel/errors';
import { deleteQueuesOf } from '#kernel/events';
import type { RealmId, UserId } from '#kernel/ids';
import { sha256 } from '#kernel/secretbox';
import { signal } from '#kernel/slice';
import type { RealmReadTx } from '#kernel/store';
import type { KeyOwner } from './by-header.ts';
import { setUser } from './changes/queries.ts';
import { findUser, listKeyVersions } from './queries.ts';
import type { UserRow } from './tables.ts';

/** A person's API key became invalid: every client must sign in again. */
export const keyEnded = signal<{ readonly userId: UserId }>('key-ended');

/**
 * Invalidates a person's API key, ends their event queues so that no waiting poll outlives it, and returns the version
 * of the next key.
 */
export async function endKey(
  context: Context,
  tx: RealmRefWriteTx,
  user: Pick<UserRow, 'id' | 'api_key_version'>,
): Promise<number> {
  const api_key_version = user.api_key_version + 1;
  await setUser(tx, user.id, { api_key_version });
  await deleteQueuesOf(tx, [user.id]);
  record(tx, { action: 'api_key.ended', target: { kind: 'user', id: user.id } });
  await keyEnded.send(tx, { userId: user.id }, context);
  return api_key_version;
}

/** Invalidates everything that somebody's programs log in with: the account's key, device keys, app passwords. */
export async function endEveryKey(
  context: Context,
  tx: RealmRefWriteTx,
  user: Pick<UserRow, 'id' | 'api_key_version'>,
): Promise<void> {
  await deleteDeviceKeysOf(tx, user.id);
  await endKey(context, tx, user);
}

/** Keys derived before other requests are served; one takes about 10 µs. */
const KEYS_AT_ONCE = 500;

/** Finds the owner of an API key in an organization. */
export type AccountOfKey = (tx: RealmReadTx, key: string) => Promise<KeyOwner>;

/** The accounts of one organization whose keys have been derived. */
interface KnownKeys {
  /** Keyed by the key's digest, so that the time of a look-up reveals nothing about the key. */
  readonly owners: Map<string, UserId>;
  readonly versions: Map<UserId, number>;
}

/**
 * Finds accounts by an API key alone; throws the errors of protocol/authentication#credentials, rows 5 and 6. Keys are
 * derived and not stored: the first look-up derives all keys of the organization, and later ones those that are new.
 */
export function accountsByKey(secret: string): AccountOfKey {
  const known = new Map<RealmId, KnownKeys>();
  const find = async (tx: RealmReadTx, keys: KnownKeys, key: string) => {
    const id = keys.owners.get(sha256(key));
    const row = id === undefined ? undefined : await findUser(tx, id);
    if (!row || row.is_system_bot) return undefined;
    return constantTimeEqual(apiKeyFor(secret, row.id, row.api_key_version), key) ? row : undefined;
  };
  return async (tx, key) => {
    const { realmId } = tx;
    if (!isApiKeyShape(key)) throw MalformedApiKey();
    const keys: KnownKeys = known.get(realmId) ?? { owners: new Map(), versions: new Map() };
    known.set(realmId, keys);
    const row = await find(tx, keys, key);
    if (row) return { row };
    const ofDevice = await findDeviceKey(tx, key);
    const owner = ofDevice && (await findUser(tx, ofDevice.user_id));
    if (owner) return { row: owner, key: ofDevice };
    await learn(keys, await listKeyVersions(tx), secret);
    const found = await find(tx, keys, key);
    if (!found) throw InvalidApiKey();
    return { row: found };
  };
}

async function learn(
  { owners, versions }: KnownKeys,
  rows: readonly Pick<UserRow, 'id' | 'api_key_version'>[],
  secret: string,
): Promise<void> {
  const fresh = rows.filter(({ id, api_key_version }) => versions.get(id) !== api_key_version);
  for (const [place, { id, api_key_version }] of fresh.entries()) {
    const old = versions.get(id);
    if (old !== undefined) owners.delete(sha256(apiKeyFor(secret, id, old)));
    owners.set(sha256(apiKeyFor(secret, id, api_key_version)), id);
    versions.set(id, api_key_version);
    if (place % KEYS_AT_ONCE === KEYS_AT_ONCE - 1) await new Promise(setImmediate);
  }
}
