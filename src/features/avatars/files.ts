import { type PictureFolder, pictureKey } from '#features/pictures';
import { findUsers } from '#features/users';
import type { AccountRef, RealmRef } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { asId, MAX_ID, type RealmId, type UserId } from '#kernel/ids';
import type { Images } from '#kernel/images';

const TOKEN_LENGTH = 16;
const FILE = /^((\d{1,10})(?:-[A-Za-z0-9]{16})?)(?:-medium)?\.png$/;

/** A picture in the two sizes that are stored. */
export type Avatar = Awaited<ReturnType<Images['makeAvatar']>>;

/**
 * Stores a picture under a new random name and returns the name. Names are never reused, so removing the file of a
 * former picture cannot hit one that is being uploaded.
 */
export async function putPictureFiles(
  context: Pick<Context, 'clock' | 'files'>,
  { realm, userId }: AccountRef,
  { small, medium }: Avatar,
): Promise<string> {
  const name = `${userId}-${context.clock.token(TOKEN_LENGTH)}`;
  await context.files.put(pictureKey(pathOf(realm.id, name, true)), medium.bytes);
  await context.files.put(pictureKey(pathOf(realm.id, name, false)), small.bytes);
  return name;
}

/** Removes the files of a picture that no account uses any more; null if there was none. */
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
    // The change is committed already, so this does not fail the request; the sweep removes the files a day later.
    context.log.room('avatars').warn({ err: error }, 'a picture that is no longer shown could not be removed');
  }
}

/** Path of a picture below the folder of all pictures. */
export function pathOf(realmId: RealmId, name: string, isMedium: boolean): string {
  return `${realmId}/uploaded/${name}${isMedium ? '-medium' : ''}.png`;
}

/** Returns the account that a file was stored for, and the picture's name; undefined for files that are not avatars. */
function pictureOf(file: string): { readonly account: number; readonly name: string } | undefined {
  const [, name, account] = FILE.exec(file) ?? [];
  return name === undefined ? undefined : { account: Number(account), name };
}

const NOBODY = asId<UserId>(0);

/** Uploaded avatars; a file is in use while the account's row has its name. */
export const avatarFolder: PictureFolder = {
  folder: 'uploaded',
  async shown(tx, names) {
    const accounts = names.flatMap((name) => accountOf(name) ?? []);
    const rows = await findUsers(tx, accounts);
    const holds = (name: string) => rows.get(accountOf(name) ?? NOBODY)?.avatar_file === pictureOf(name)?.name;
    return new Set(names.filter((name) => pictureOf(name) !== undefined && holds(name)));
  },
};

function accountOf(name: string): UserId | undefined {
  const account = pictureOf(name)?.account ?? Number.NaN;
  return account <= MAX_ID ? asId<UserId>(account) : undefined;
}
