import { type PictureFolder, pictureKey } from '#features/pictures';
import { findUsers } from '#features/users';
import type { RealmRef } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { asId, MAX_ID, type RealmId, type UserId } from '#kernel/ids';
import type { Images } from '#kernel/images';

const TOKEN_LENGTH = 16;
const FILE = /^((\d{1,10})(?:-[A-Za-z0-9]{16})?)(?:-medium)?\.png$/;

/** A picture in the two sizes in which it is kept. */
export type Avatar = Awaited<ReturnType<Images['makeAvatar']>>;

/**
 * Stores a picture under a name that no other picture has had or will have, and returns the name: removing a name that no
 * account has never removes a picture that is just being uploaded.
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
function pictureOf(file: string): { readonly account: number; readonly name: string } | undefined {
  const [, name, account] = FILE.exec(file) ?? [];
  return name === undefined ? undefined : { account: Number(account), name };
}

const NOBODY = asId<UserId>(0);

/** Uploaded pictures of accounts; shown as long as the account holds their name. */
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
