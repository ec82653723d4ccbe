import { rename } from '#features/accounts';
import { forgetPicture } from '#features/avatars';
import { clearProfile } from '#features/profile-fields';
import { realmUserUpdated, setUser, type UserRow } from '#features/users';
import type { RealmRef } from '#kernel/auth';
import { everyoneInRealm } from '#kernel/events';
import type { WriteTx } from '#kernel/store';

/** What somebody is called whose profile was deleted. See protocol/users#deactivating. */
const DELETED_NAME = 'Deleted user';

/** Takes name, picture and profile fields from an account. See protocol/users#deactivating. */
export async function eraseProfile(tx: WriteTx, realm: RealmRef, user: UserRow): Promise<void> {
  await rename(tx, realm, user, DELETED_NAME);
  await forgetPicture(tx, realm, user);
  await clearProfile(tx, realm, user.id);
  await setUser(tx, realm.id, user.id, { is_deleted: true });
  const person = { user_id: user.id, is_deleted: true };
  tx.emit(realmUserUpdated(realm.id, { person }, { audience: everyoneInRealm, viewers: [user.id] }));
}
