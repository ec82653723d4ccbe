import { asId, MAX_ID, type UserId } from '#kernel/ids';
import type { PictureFolder } from '#features/pictures';
import { findUsers } from '#features/users';
import { pictureOf } from './files.ts';

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
