import type { Actor } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { UserDeactivated } from '#kernel/errors';
import { findUser, type UserRow } from '#features/users';

/** Reads the caller's account from the database. */
export async function accessUserRow({ store }: Context, { realm, userId }: Actor): Promise<UserRow> {
  const user = await store.in(realm).query((tx) => findUser(tx, userId));
  if (!user?.is_active) throw UserDeactivated();
  return user;
}
