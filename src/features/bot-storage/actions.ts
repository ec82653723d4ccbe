import type { Actor } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { ParameterFault } from '#kernel/errors';
import { codePointLength, isIndexable } from '#kernel/text';
import { lockUser } from '#features/users';
import { KeyMissing, MAX_KEYS, StorageExceeded, TooManyKeys } from './errors.ts';
import { deleteStored, putStored, sizeBesides } from './queries.ts';

/** Most code points of keys and values that one account may store. See protocol/wire#limits. */
export const MAX_STORED = 10_000_000;

/** Stores texts under keys. Locks the account, so that concurrent requests cannot exceed the limit together. */
export async function putTexts(context: Context, actor: Actor, texts: Readonly<Record<string, string>>): Promise<void> {
  const { realmId: realm_id, userId: user_id } = actor;
  if (!Object.keys(texts).every(isIndexable)) throw ParameterFault({ fault: 'storage has a key that is too long' });
  const rows = Object.entries(texts).map(([storage_key, storage_value]) => ({
    user_id,
    realm_id,
    storage_key,
    storage_value,
    storage_size: codePointLength(storage_key) + codePointLength(storage_value),
  }));
  if (rows.length === 0) return;
  const added = rows.reduce((sum, row) => sum + row.storage_size, 0);
  await context.store.as(actor).write(async (tx) => {
    await lockUser(tx, user_id);
    const keys = rows.map((row) => row.storage_key);
    const { size, count } = await sizeBesides(tx, keys);
    if (count + rows.length > MAX_KEYS) throw TooManyKeys();
    const excess = size + added - MAX_STORED;
    if (excess > 0) throw StorageExceeded({ excess, limit: MAX_STORED });
    await putStored(tx, rows);
  });
}

/** Deletes the texts under the given keys, all of which must exist, or all texts. */
export async function removeTexts(context: Context, actor: Actor, keys: readonly string[] | undefined): Promise<void> {
  const asked = keys && [...new Set(keys)];
  await context.store.as(actor).write(async (tx) => {
    const count = await deleteStored(tx, asked);
    if (asked && count < asked.length) throw KeyMissing();
  });
}
