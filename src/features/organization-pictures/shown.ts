import type { PictureFolder } from '#features/pictures';
import { readRealm, settingsOf } from '#features/realms';
import type { PictureName } from './actions.ts';

const NAMES: readonly PictureName[] = ['icon', 'logo', 'night_logo'];

/** Pictures of the organization; shown as long as its settings say so. */
export const organizationFolder: PictureFolder = {
  folder: 'realm',
  async shown(tx) {
    const settings = settingsOf(await readRealm(tx));
    return new Set(NAMES.filter((name) => settings[`${name}_source`] === 'U').map((name) => `${name}.png`));
  },
};
