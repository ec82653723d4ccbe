import { rename } from '#features/accounts';
import { forgetPicture } from '#features/avatars';
import { clearProfile } from '#features/profile-fields';
import { realmUserUpdated, setUser, type UserRow } from '#features/users';
import { everyoneInRealm } from '#kernel/events';
import type { RealmWriteTx } from '#kernel/store';

/** What somebody is called whose profile was deleted. See protocol/users#deactivating. */
const DELETED_NAME = 'Deleted user';

/** Takes name, picture and profile fields from an account. See protocol/users#deactivating. */
export async function eraseProfile(tx: RealmWriteTx, user: UserRow): Promise<void> {
  await rename(tx, user, DELETED_NAME);
  await forgetPicture(tx, user);
  await clearProfile(tx, user.id);
  await setUser(tx, user.id, { is_deleted: true });
  const person = { user_id: user.id, is_deleted: true };
  tx.emit(realmUserUpdated(tx.realmId, { person }, { audience: everyoneInRealm, viewers: [user.id] }));
}
