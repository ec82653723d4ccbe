import type { Actor, RealmRef } from '#kernel/auth';
import type { UploadedFile } from '#kernel/endpoint';
import { invariant } from '#kernel/errors';
import type { UserId } from '#kernel/ids';
import type { Images } from '#kernel/images';
import type { Kit, ReadKit } from '#kernel/kit';
import { isAdministrator } from '#kernel/permissions';
import type { ReadTx, WriteTx } from '#kernel/store';
import { pictureKey, receivePicture } from '#features/pictures';
import { readRealm, settingsOf } from '#features/realms';
import { announceAvatar, avatarUrl, findUser, setUser, type UserRow } from '#features/users';
import { AvatarChangesDisabled, OneAvatar } from './errors.ts';

/** Gives the caller a picture of their own, and its address. Contract surrounding 2.14. */
export async function setAvatar(
  kit: Kit,
  realm: RealmRef,
  actor: Actor,
  file: UploadedFile | undefined,
): Promise<string> {
  if (!file) throw OneAvatar();
  await assertMayChange(kit, realm, actor);
  return storeAvatar(kit, realm, actor.userId, await kit.images.makeAvatar(await receivePicture(file, OneAvatar)));
}

/** Gives an account a picture that was made for it, and the picture's address. Rights have been checked. */
export async function storeAvatar(
  kit: Kit,
  realm: RealmRef,
  userId: UserId,
  { small, medium }: Awaited<ReturnType<Images['makeAvatar']>>,
): Promise<string> {
  await kit.files.put(pictureKey(uploadedPath(realm, userId, true)), medium.bytes);
  await kit.files.put(pictureKey(uploadedPath(realm, userId, false)), small.bytes);
  return changeSource(kit, realm, userId, () => Promise.resolve('U'));
}

/** Takes the caller's own picture away; the organization's default shows again. */
export async function removeAvatar(kit: Kit, realm: RealmRef, actor: Actor): Promise<string> {
  await assertMayChange(kit, realm, actor);
  const url = await changeSource(kit, realm, actor.userId, async (tx, row) =>
    row.avatar_source === 'U' ? settingsOf(await readRealm(tx, realm.id)).default_avatar_source : undefined,
  );
  await removePictureFiles(kit, realm, actor.userId);
  return url;
}

/** Shows an account's drawn picture instead of the one it has, and tells everybody. Contract operations 4.14. */
export async function forgetPicture(tx: WriteTx, realm: RealmRef, row: UserRow): Promise<void> {
  const changed = { avatar_source: 'J' as const, avatar_version: row.avatar_version + 1 };
  await setUser(tx, realm.id, row.id, changed);
  announceAvatar(tx, realm, { ...row, ...changed });
}

/** Removes the files of a picture that is no longer shown. */
export async function removePictureFiles(kit: Pick<Kit, 'files'>, realm: RealmRef, userId: UserId): Promise<void> {
  await kit.files.remove(pictureKey(uploadedPath(realm, userId, false)));
  await kit.files.remove(pictureKey(uploadedPath(realm, userId, true)));
}

/** Where an uploaded picture lies, as in its address. */
function uploadedPath(realm: RealmRef, userId: UserId, isMedium: boolean): string {
  return `${realm.id}/uploaded/${userId}${isMedium ? '-medium' : ''}.png`;
}

async function assertMayChange(kit: ReadKit, realm: RealmRef, actor: Actor): Promise<void> {
  const settings = settingsOf(await kit.store.query((tx) => readRealm(tx, realm.id)));
  if (settings.avatar_changes_disabled && !isAdministrator(actor)) throw AvatarChangesDisabled();
}

/** Stores where the picture comes from, under a new version, and tells everybody; undefined: nothing changes. */
function changeSource(
  kit: Kit,
  realm: RealmRef,
  userId: UserId,
  source: (tx: ReadTx, row: UserRow) => Promise<UserRow['avatar_source'] | undefined>,
): Promise<string> {
  return kit.store.write(async (tx) => {
    const row = await findUser(tx, realm.id, userId);
    invariant(row, 'the caller has an account');
    const avatar_source = await source(tx, row);
    if (avatar_source === undefined) return avatarUrl(row, { mayBeNull: false }) ?? '';
    const changed = { avatar_source, avatar_version: row.avatar_version + 1 };
    await setUser(tx, realm.id, userId, changed);
    return announceAvatar(tx, realm, { ...row, ...changed });
  });
}
