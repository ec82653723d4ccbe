import { asId, MAX_ID, type UserId } from '#kernel/ids';
import type { PictureFolder } from '#features/pictures';
import { findUsers } from '#features/users';

const NOBODY = asId<UserId>(0);

/** Uploaded pictures of accounts; shown as long as the account says so. */
export const avatarFolder: PictureFolder = {
  folder: 'uploaded',
  async shown(tx, realmId, names) {
    const rows = await findUsers(
      tx,
      realmId,
      names.flatMap((name) => accountOf(name) ?? []),
    );
    return new Set(names.filter((name) => rows.get(accountOf(name) ?? NOBODY)?.avatar_source === 'U'));
  },
};

function accountOf(name: string): UserId | undefined {
  const id = Number(/^(\d{1,10})(?:-medium)?\.png$/.exec(name)?.[1] ?? Number.NaN);
  return id <= MAX_ID ? asId<UserId>(id) : undefined;
}
