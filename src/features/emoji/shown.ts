import type { PictureFolder } from '#features/pictures';
import { listPictureNames } from './queries.ts';

const STILL = 'still/';

/** Pictures of emoji. Those of deactivated ones too: messages that use them keep showing them. */
export const emojiFolder: PictureFolder = {
  folder: 'emoji/images',
  async shown(tx, names) {
    const rows = await listPictureNames(
      tx,
      names.map((name) => (name.startsWith(STILL) ? name.slice(STILL.length) : name)),
    );
    return new Set(rows.flatMap((row) => [row.file_name, `${STILL}${row.still_name ?? ''}`]));
  },
};
