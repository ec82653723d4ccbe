import { findDeviceKey, isOver, keyOfAppPassword } from '#kernel/auth';
import type { Context } from '#kernel/context';
import type { UserRow } from '#features/users';

/**
 * The key that an app password of an account stands for; undefined where what was typed is none, or one that is over or
 * revoked. See protocol/authentication#device-keys.
 */
export async function keyByAppPassword(
  { store, server }: Pick<Context, 'store' | 'server'>,
  user: UserRow,
  typed: string,
): Promise<string | undefined> {
  const key = keyOfAppPassword(server.secret, user.id, typed);
  if (key === undefined) return undefined;
  const { row, now } = await store.of(user.realm_id).query(async (tx) => ({
    row: await findDeviceKey(tx, key),
    now: tx.now,
  }));
  const isRight = row?.user_id === user.id && row.kind === 'app_password' && !isOver(row, now);
  return isRight ? key : undefined;
}
