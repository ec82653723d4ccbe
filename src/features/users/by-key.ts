import { createHash } from 'node:crypto';
import { apiKeyFor, constantTimeEqual, findDeviceKey, isApiKeyShape } from '#kernel/auth';
import { InvalidApiKey, MalformedApiKey } from '#kernel/errors';
import type { RealmId, UserId } from '#kernel/ids';
import type { RealmReadTx } from '#kernel/store';
import type { KeyOwner } from './by-header.ts';
import { findUser, listKeyVersions } from './queries.ts';
import type { UserRow } from './tables.ts';

/** Keys derived before other work of the process gets its turn; one takes about 10 µs. */
const KEYS_AT_ONCE = 500;

/** Whose key this is, in an organization. */
export type AccountOfKey = (tx: RealmReadTx, key: string) => Promise<KeyOwner>;

/** The accounts of one organization whose keys have been derived. */
interface KnownKeys {
  /** By the digest of the key, whose time to find tells nothing of the key. */
  readonly owners: Map<string, UserId>;
  readonly versions: Map<UserId, number>;
}

/**
 * Finds accounts by an API key alone; throws what protocol/authentication#credentials, rows 5 and 6 say of others. Keys
 * are derived and not stored, so all of an organization are derived when the first one is looked for, and later those
 * that are new.
 */
export function accountsByKey(secret: string): AccountOfKey {
  const known = new Map<RealmId, KnownKeys>();
  const find = async (tx: RealmReadTx, keys: KnownKeys, key: string) => {
    const id = keys.owners.get(digestOf(key));
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
    if (old !== undefined) owners.delete(digestOf(apiKeyFor(secret, id, old)));
    owners.set(digestOf(apiKeyFor(secret, id, api_key_version)), id);
    versions.set(id, api_key_version);
    if (place % KEYS_AT_ONCE === KEYS_AT_ONCE - 1) await new Promise(setImmediate);
  }
}

function digestOf(key: string): string {
  return createHash('sha256').update(key).digest('base64');
}
