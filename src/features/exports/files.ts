import { pictureKey } from '#features/pictures';
import { settingsOf } from '#features/realms';
import { uploadKey } from '#features/uploads';
import type { Context } from '#kernel/context';
import { inChunks, together, type WholeRow } from '#kernel/store';
import type { Archive } from './archive.ts';
import { jsonList } from './json.ts';

/** A file of the export: where its bytes are here, where they go, and what the format says of it. */
interface ExportedFile {
  readonly key: string;
  readonly path: string;
  readonly record: object;
}

/** A folder of the format. */
export interface ExportedFolder {
  readonly name: string;
  readonly files: readonly ExportedFile[];
}

/** What was copied. */
interface Copied {
  readonly files: number;
  readonly missing: number;
}

/** The files of folders of the format, and the lists of them that stand beside them. */
export async function writeFolders(
  context: Pick<Context, 'files'>,
  archive: Archive,
  folders: readonly ExportedFolder[],
): Promise<Copied> {
  const counted = { files: 0, missing: 0 };
  const counting = async function* (folder: ExportedFolder): AsyncGenerator<object> {
    for await (const record of copied(context, archive, folder)) {
      if (record) counted.files++;
      else counted.missing++;
      if (record) yield record;
    }
  };
  for (const folder of folders) await archive.write(`${folder.name}/records.json`, jsonList(counting(folder)));
  return counted;
}

/** Copies the files of a folder: what the format says of each, or undefined where it is missing. */
async function* copied(
  { files: from }: Pick<Context, 'files'>,
  archive: Archive,
  { name, files }: ExportedFolder,
): AsyncGenerator<object | undefined> {
  const copy = async ({ key, path, record }: ExportedFile) => {
    const opened = await from.open(key);
    if (!opened) return undefined;
    await archive.write(`${name}/${path}`, opened.stream, opened.size);
    return { ...record, path, s3_path: path, size: opened.size, content_type: null };
  };
  for (const some of inChunks(files, archive.atOnce ?? 1)) yield* await together(some.map(copy));
}

export function uploadsOf(rows: readonly WholeRow<'attachment'>[]): readonly ExportedFile[] {
  return rows.map((row) => ({
    key: uploadKey(row.path_id),
    path: row.path_id,
    record: { realm_id: row.realm_id, user_profile_id: row.owner_id, last_modified: row.create_time },
  }));
}

export function avatarsOf(users: readonly WholeRow<'user'>[]): readonly ExportedFile[] {
  return users.flatMap(({ id, realm_id, avatar_file, avatar_version }) =>
    avatar_file === null
      ? []
      : [
          {
            key: pictureKey(`${realm_id}/uploaded/${avatar_file}-medium.png`),
            path: `${realm_id}/${avatar_file}.original`,
            record: { realm_id, user_profile_id: id, avatar_version },
          },
        ],
  );
}

export function emojiOf(rows: readonly WholeRow<'realm_emoji'>[]): readonly ExportedFile[] {
  return rows.flatMap(({ realm_id, author_id, file_name, name, deactivated }) => {
    const path = `${realm_id}/emoji/images/${file_name}`;
    const record = { realm_id, author: author_id, file_name, name, deactivated };
    const key = pictureKey(path);
    return [
      { key, path, record },
      { key, path: `${path}.original`, record },
    ];
  });
}

const ICONS = ['icon', 'logo', 'night_logo'] as const;

export function iconsOf(row: WholeRow<'realm'>): readonly ExportedFile[] {
  const settings = settingsOf(row);
  return ICONS.filter((name) => settings[`${name}_source`] === 'U').map((name) => ({
    key: pictureKey(`${row.id}/realm/${name}.png`),
    path: `${row.id}/${name}.original`,
    record: { realm_id: row.id },
  }));
}
