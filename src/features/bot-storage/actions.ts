import type { Actor } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { codePointLength } from '#kernel/text';
import { lockUser } from '#features/users';
import { KeyMissing, StorageExceeded } from './errors.ts';
import { deleteStored, putStored, sizeBesides } from './queries.ts';

/** Most code points of keys and values that one account may store. See protocol/wire#limits. */
export const MAX_STORED = 10_000_000;

/** Stores texts under keys. The account is locked meanwhile, so that two requests at once do not exceed the limit together. */
export async function putTexts(context: Context, actor: Actor, texts: Readonly<Record<string, string>>): Promise<void> {
  const { realmId: realm_id, userId: user_id } = actor;
  const rows = Object.entries(texts).map(([storage_key, storage_value]) => ({
    user_id,
    realm_id,
    storage_key,
    storage_value,
    storage_size: codePointLength(storage_key) + codePointLength(storage_value),
  }));
  if (rows.length === 0) return;
  const added = rows.reduce((sum, row) => sum + row.storage_size, 0);
  await context.store.of(realm_id).write(async (tx) => {
    await lockUser(tx, user_id);
    const keys = rows.map((row) => row.storage_key);
    const excess = (await sizeBesides(tx, user_id, keys)) + added - MAX_STORED;
    if (excess > 0) throw StorageExceeded({ excess, limit: MAX_STORED });
    await putStored(tx, rows);
  });
}

/** Throws texts away: those of the keys, all of which must be there, or everything. */
export async function removeTexts(context: Context, actor: Actor, keys: readonly string[] | undefined): Promise<void> {
  const asked = keys && [...new Set(keys)];
  await context.store.as(actor).write(async (tx) => {
    const count = await deleteStored(tx, actor.userId, asked);
    if (asked && count < asked.length) throw KeyMissing();
  });
}
