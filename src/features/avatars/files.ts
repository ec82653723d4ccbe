import type { RealmRef } from '#kernel/auth';
import type { RealmId, UserId } from '#kernel/ids';
import type { Images } from '#kernel/images';
import type { Context } from '#kernel/context';
import { pictureKey } from '#features/pictures';

const TOKEN_LENGTH = 16;
const FILE = /^((\d{1,10})(?:-[A-Za-z0-9]{16})?)(?:-medium)?\.png$/;

/** A picture in the two sizes in which it is kept. */
export type Avatar = Awaited<ReturnType<Images['makeAvatar']>>;

/**
 * Stores a picture under a name that no other picture has had or will have, and returns the name: whoever removes a name
 * that no account holds can not hit a picture that is just being uploaded.
 */
export async function putPictureFiles(
  context: Pick<Context, 'clock' | 'files'>,
  realm: RealmRef,
  userId: UserId,
  { small, medium }: Avatar,
): Promise<string> {
  const name = `${userId}-${context.clock.token(TOKEN_LENGTH)}`;
  await context.files.put(pictureKey(pathOf(realm.id, name, true)), medium.bytes);
  await context.files.put(pictureKey(pathOf(realm.id, name, false)), small.bytes);
  return name;
}

/** Removes the files of a picture that no account holds any more; null: there was none. */
export async function removePictureFiles(
  context: Pick<Context, 'files' | 'log'>,
  realm: RealmRef,
  name: string | null,
): Promise<void> {
  if (name === null) return;
  try {
    await context.files.remove(pictureKey(pathOf(realm.id, name, false)));
    await context.files.remove(pictureKey(pathOf(realm.id, name, true)));
  } catch (error) {
    // What its row says has happened; the sweep takes the files a day later.
    context.log.room('avatars').warn({ err: error }, 'a picture that is no longer shown could not be removed');
  }
}

/** Where a picture lies, as a path below the folder of all pictures. */
export function pathOf(realmId: RealmId, name: string, isMedium: boolean): string {
  return `${realmId}/uploaded/${name}${isMedium ? '-medium' : ''}.png`;
}

/** The account for which a file was stored, and the name of its picture; undefined for files of somebody else. */
export function pictureOf(file: string): { readonly account: number; readonly name: string } | undefined {
  const [, name, account] = FILE.exec(file) ?? [];
  return name === undefined ? undefined : { account: Number(account), name };
}
