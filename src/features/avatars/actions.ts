import type { AccountRef, Actor } from '#kernel/auth';
import type { UploadedFile } from '#kernel/endpoint';
import type { UserId } from '#kernel/ids';
import { lockLog } from '#kernel/events';
import type { Context, ReadContext } from '#kernel/context';
import { isAdministrator } from '#kernel/permissions';
import type { RealmReadTx, RealmWriteTx } from '#kernel/store';
import { receivePicture } from '#features/pictures';
import { readRealm, settingsOf } from '#features/realms';
import { announceAvatar, avatarUrl, lockUser, setUser, type UserRow } from '#features/users';
import { AvatarChangesDisabled, OneAvatar } from './errors.ts';
import { type Avatar, putPictureFiles, removePictureFiles } from './files.ts';

/** Sets the caller's picture; returns its address. See protocol/files#avatars. */
export async function setAvatar(context: Context, actor: Actor, file: UploadedFile | undefined): Promise<string> {
  if (!file) throw OneAvatar();
  await assertMayChange(context, actor);
  const avatar = await context.images.makeAvatar(await receivePicture(file, OneAvatar), personOf(actor));
  return addressOf(await storeAvatar(context, actor, avatar));
}

/** The person whose images wait together: a bot's with those of its owner. */
const personOf = ({ botOwnerId, userId }: Actor): UserId => botOwnerId ?? userId;

const addressOf = (row: UserRow): string => avatarUrl(row, { mayBeNull: false }) ?? '';

/** Sets an account's picture from processed images; returns the account with it. The caller has checked rights. */
export async function storeAvatar(context: Context, account: AccountRef, avatar: Avatar): Promise<UserRow> {
  const avatar_file = await putPictureFiles(context, account, avatar);
  return changePicture(context, account, () => Promise.resolve({ avatar_source: 'U', avatar_file }));
}

/** Removes the caller's own picture, so that the organization's default shows again. */
export async function removeAvatar(context: Context, actor: Actor): Promise<string> {
  await assertMayChange(context, actor);
  const account = await changePicture(context, actor, async (tx, row) => {
    if (row.avatar_source !== 'U') return undefined;
    const { default_avatar_source } = settingsOf(await readRealm(tx));
    return { avatar_source: default_avatar_source, avatar_file: null };
  });
  return addressOf(account);
}

/** Replaces an account's picture by a generated one, and announces it. See protocol/users#deactivating. */
export async function forgetPicture(tx: RealmWriteTx, row: UserRow): Promise<void> {
  const changed = { avatar_source: 'J' as const, avatar_file: null, avatar_version: row.avatar_version + 1 };
  await setUser(tx, row.id, changed);
  announceAvatar(tx, { ...row, ...changed });
}

async function assertMayChange(context: ReadContext, actor: Actor): Promise<void> {
  const settings = settingsOf(await context.store.as(actor).query((tx) => readRealm(tx)));
  if (settings.avatar_changes_disabled && !isAdministrator(actor)) throw AvatarChangesDisabled();
}

type Picture = Pick<UserRow, 'avatar_source' | 'avatar_file'>;

/**
 * Stores which picture an account has, under a new version, and announces it; no change if `choose` returns undefined.
 * The former picture's files are removed after the commit.
 */
async function changePicture(
  context: Context,
  { realm, userId }: AccountRef,
  choose: (tx: RealmReadTx, row: UserRow) => Promise<Picture | undefined>,
): Promise<UserRow> {
  const { account, left } = await context.store.in(realm).write(async (tx) => {
    await lockLog(tx);
    const row = await lockUser(tx, userId);
    const picture = await choose(tx, row);
    if (!picture) return { account: row, left: null };
    const changed = { ...picture, avatar_version: row.avatar_version + 1 };
    await setUser(tx, userId, changed);
    announceAvatar(tx, { ...row, ...changed });
    return { account: { ...row, ...changed }, left: row.avatar_file };
  });
  await removePictureFiles(context, realm, left);
  return account;
}
