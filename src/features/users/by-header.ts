import {
  apiKeyFor,
  constantTimeEqual,
  type DeviceKeyRow,
  findDeviceKey,
  isApiKeyShape,
  parseBasic,
} from '#kernel/auth';
import { InvalidApiKey, MalformedApiKey } from '#kernel/errors';
import { cachedQuery, type RealmReadTx } from '#kernel/store';
import { findUser, findUserByEmail, idOfMadeUpAddress, MAX_CALLERS } from './queries.ts';
import type { UserRow } from './tables.ts';

/** An account, and the device key if the caller used one instead of the account's key. */
export interface KeyOwner {
  readonly row: UserRow;
  readonly key?: DeviceKeyRow;
}

/** Finds the account of an Authorization header. */
type AccountOf = (tx: RealmReadTx, host: string, header: string) => Promise<KeyOwner>;

/**
 * Finds accounts by Authorization headers, each an address (real or `user{ID}@{host}`, ignoring case) and an API key;
 * throws the errors of protocol/authentication#credentials, rows 2 to 6. A client sends the same header with each
 * request, so most are found by one look-up in the cache; their keys were compared when the account was last read.
 */
export function accountsByHeader(secret: string): AccountOf {
  return cachedQuery(
    ['user', 'device_key'],
    async (tx: RealmReadTx, host: string, header: string) => {
      const { email, key } = parseBasic(header);
      if (!isApiKeyShape(key)) throw MalformedApiKey();
      const row = await findByAnyAddress(tx, host, email);
      if (row && constantTimeEqual(apiKeyFor(secret, row.id, row.api_key_version), key)) return { row };
      // Also without an account, so that the time of a refusal does not reveal which addresses exist.
      const found = await findDeviceKey(tx, key);
      if (!row || found?.user_id !== row.id) throw InvalidApiKey();
      return { row, key: found };
    },
    { most: MAX_CALLERS },
  );
}

async function findByAnyAddress(tx: RealmReadTx, host: string, email: string) {
  const id = idOfMadeUpAddress(email.toLowerCase(), host);
  const row = (await findUserByEmail(tx, email)) ?? (id && (await findUser(tx, id)));
  return row && !row.is_system_bot ? row : undefined;
}
