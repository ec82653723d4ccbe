import { record } from '#kernel/audit';
import { deleteDeviceKeysOf, type RealmRefWriteTx } from '#kernel/auth';
import { deleteQueuesOf } from '#kernel/events';
import type { UserId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import { signal } from '#kernel/slice';
import { setUser } from './changes/queries.ts';
import type { UserRow } from './tables.ts';

/** A person's API key opens nothing any more: every client must sign in anew. */
export const keyEnded = signal<{ readonly userId: UserId }>('key-ended');

/** Makes a person's API key worthless and ends the event queues, so that no waiting poll outlives it; the version of the next key. */
export async function endKey(
  context: Context,
  tx: RealmRefWriteTx,
  user: Pick<UserRow, 'id' | 'api_key_version'>,
): Promise<number> {
  const api_key_version = user.api_key_version + 1;
  await setUser(tx, user.id, { api_key_version });
  await deleteQueuesOf(tx, [user.id]);
  record(tx, { action: 'api_key.ended', target: { kind: 'user', id: user.id } });
  await keyEnded.send(context, tx, { userId: user.id });
  return api_key_version;
}

/** Ends all that programs of somebody log in with: the key of the account, keys of devices, app passwords. */
export async function endEveryKey(
  context: Context,
  tx: RealmRefWriteTx,
  user: Pick<UserRow, 'id' | 'api_key_version'>,
): Promise<void> {
  await deleteDeviceKeysOf(tx, user.id);
  await endKey(context, tx, user);
}
