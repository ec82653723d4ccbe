import { type PictureFolder, pictureKey, receivePicture } from '#features/pictures';
import { pictureUrls, realmValuesUpdated } from '#features/realm-settings';
import { lockRealm, readRealm, type RealmSettings, setRealmSettings, settingsOf } from '#features/realms';
import type { Actor, RealmRef } from '#kernel/auth';
import type { Context } from '#kernel/context';
import type { UploadedFile } from '#kernel/endpoint';
import { lockLog } from '#kernel/events';
import { OneIcon, OneLogo } from './errors.ts';

/** Names of the organization's pictures. */
export type PictureName = 'icon' | 'logo' | 'night_logo';

/** Path of an organization's picture, as in its address. */
export function organizationPicturePath(realm: Pick<RealmRef, 'id'>, name: PictureName): string {
  return `${realm.id}/realm/${name}.png`;
}

/** Stores a new picture of the organization and emits an event. See protocol/organizations#pictures. */
export async function setPicture(
  context: Context,
  { realm, userId }: Actor,
  name: PictureName,
  file: UploadedFile | undefined,
): Promise<string> {
  const bytes = await receivePicture(file, name === 'icon' ? OneIcon : OneLogo);
  const { images } = context;
  const picture = await (name === 'icon' ? images.makeIcon(bytes, userId) : images.makeLogo(bytes, userId));
  await context.files.put(pictureKey(organizationPicturePath(realm, name)), picture.bytes);
  return changeSource(context, realm, name, true);
}

/** Removes a picture of the organization; without a picture it emits no event. */
export async function removePicture(context: Context, realm: RealmRef, name: PictureName): Promise<string> {
  const url = await changeSource(context, realm, name, false);
  await context.files.remove(pictureKey(organizationPicturePath(realm, name)));
  return url;
}

function changeSource(context: Context, realm: RealmRef, name: PictureName, isUploaded: boolean): Promise<string> {
  return context.store.in(realm).write(async (tx) => {
    await lockLog(tx);
    const row = await lockRealm(tx);
    const before = settingsOf(row);
    const after = { ...row.settings, ...sourceOf(before, name, isUploaded) };
    const settings = settingsOf({ settings: after });
    const url = pictureUrls(realm, settings)[`${name}_url`];
    if (!isUploaded && before[`${name}_source`] !== 'U') return url;
    await setRealmSettings(tx, after);
    const data = { [`${name}_url`]: url, [`${name}_source`]: settings[`${name}_source`] };
    tx.emit(realmValuesUpdated({ property: name, data }));
    return url;
  });
}

/** The settings of a picture, with a version that no client has seen. */
function sourceOf(before: RealmSettings, name: PictureName, isUploaded: boolean): Partial<RealmSettings> {
  if (name === 'icon') return { icon_source: isUploaded ? 'U' : 'G', icon_version: before.icon_version + 1 };
  const source = isUploaded ? 'U' : 'D';
  if (name === 'logo') return { logo_source: source, logo_version: before.logo_version + 1 };
  return { night_logo_source: source, night_logo_version: before.night_logo_version + 1 };
}

const NAMES: readonly PictureName[] = ['icon', 'logo', 'night_logo'];

/** The folder of organization pictures; a picture is in use while the settings say so. */
export const organizationFolder: PictureFolder = {
  folder: 'realm',
  async shown(tx) {
    const settings = settingsOf(await readRealm(tx));
    return new Set(NAMES.filter((name) => settings[`${name}_source`] === 'U').map((name) => `${name}.png`));
  },
};
