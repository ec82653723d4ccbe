import type { RealmRef } from '#kernel/auth';
import { everyoneInRealm } from '#kernel/events';
import type { WriteTx } from '#kernel/store';
import { rename } from '#features/accounts';
import { forgetPicture } from '#features/avatars';
import { clearProfile } from '#features/profile-fields';
import { realmUserUpdated, setUser, type UserRow } from '#features/users';

/** What somebody is called whose profile was deleted. Contract operations 4.14. */
const DELETED_NAME = 'Deleted user';

/** Takes name, picture and profile fields from an account. Contract operations 4.14, delete_profile. */
export async function eraseProfile(tx: WriteTx, realm: RealmRef, user: UserRow): Promise<void> {
  await rename(tx, realm, user, DELETED_NAME);
  await forgetPicture(tx, realm, user);
  await clearProfile(tx, realm, user.id);
  await setUser(tx, realm.id, user.id, { is_deleted: true });
  const person = { user_id: user.id, is_deleted: true };
  tx.emit(realmUserUpdated(realm.id, { person }, { audience: everyoneInRealm, viewers: [user.id] }));
}
