import { listUsers, type UserRow } from '#features/users';
import type { RealmRef } from '#kernel/auth';
import { isOwner } from '#kernel/permissions';
import type { ReadTx } from '#kernel/store';

/** Whether somebody is the only active person who owns the organization. */
export async function isOnlyOwner(tx: ReadTx, realm: RealmRef, user: UserRow): Promise<boolean> {
  if (!isOwner(user) || user.is_bot || !user.is_active) return false;
  return (await activePeople(tx, realm)).every((other) => other.id === user.id || !isOwner(other));
}

/** Whether nobody else is left. */
export async function isOnlyPerson(tx: ReadTx, realm: RealmRef, user: UserRow): Promise<boolean> {
  return (await activePeople(tx, realm)).every((other) => other.id === user.id);
}

async function activePeople(tx: ReadTx, realm: RealmRef): Promise<readonly UserRow[]> {
  return (await listUsers(tx, realm.id)).filter((user) => user.is_active && !user.is_bot);
}
