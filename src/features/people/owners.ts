import { listUsers, type UserRow } from '#features/users';
import { isOwner } from '#kernel/permissions';
import type { RealmReadTx } from '#kernel/store';

/** Whether somebody is the organization's only active owner. */
export async function isOnlyOwner(tx: RealmReadTx, user: UserRow): Promise<boolean> {
  if (!isOwner(user) || user.is_bot || !user.is_active) return false;
  return (await activePeople(tx)).every((other) => other.id === user.id || !isOwner(other));
}

/** Whether somebody is the organization's only active person. */
export async function isOnlyPerson(tx: RealmReadTx, user: UserRow): Promise<boolean> {
  return (await activePeople(tx)).every((other) => other.id === user.id);
}

async function activePeople(tx: RealmReadTx): Promise<readonly UserRow[]> {
  return (await listUsers(tx)).filter((user) => user.is_active && !user.is_bot);
}
