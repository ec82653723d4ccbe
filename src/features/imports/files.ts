import { pictureKey } from '#features/pictures';
import { contentTypeOf, inspectImage, makeThumbnails, uploadKey } from '#features/uploads';
import { isFileKey } from '#kernel/files';
import { MAX_IMAGE_BYTES } from '#kernel/images';
import type { Context } from '#kernel/context';
import { enqueue } from '#kernel/jobs';
import { inChunks, insertWhole, type RealmWriteTx, together, type WholeRow } from '#kernel/store';
import { takeCodePoints } from '#kernel/text';
import { Entry, type Tables } from './entry.ts';
import type { EmojiFiles } from './organization.ts';
import type { Plan } from './plan.ts';
import type { Source } from './source.ts';

/** An archive that is being taken in. */
export interface Taking {
  readonly context: Context;
  readonly plan: Plan;
  readonly source: Source;
}

/** Records of one folder of files. */
async function recordsOf(source: Source, folder: string): Promise<readonly Entry[]> {
  const value = await source.json(`${folder}/records.json`);
  if (!Array.isArray(value)) return [];
  return value.map((record, index) => new Entry(`${folder}/records.json[${index}]`, record));
}

/** Files that are stored concurrently: each mostly waits for the disk. */
const AT_ONCE = 8;

/** Stores the bytes of uploads; the rows of those that are there. */
export async function importUploads(taking: Taking, attachments: Tables): Promise<readonly WholeRow<'attachment'>[]> {
  const rows: WholeRow<'attachment'>[] = [];
  for (const some of inChunks(attachments.rows('zerver_attachment'), AT_ONCE)) {
    const found = await together(some.map(async (entry) => importUpload(taking, entry)));
    rows.push(...found.filter((row) => row !== undefined));
  }
  taking.plan.report.count('files', rows.length);
  return rows;
}

/** Stores the bytes of a file; its row, or undefined, and named, where it cannot come. */
export async function importUpload(
  { context, plan, source }: Taking,
  entry: Entry,
): Promise<WholeRow<'attachment'> | undefined> {
  const given = entry.text('path_id');
  const owner_id = plan.users.of(entry.idOrNull('owner'));
  const path_id = `${plan.realmId}/${given.split('/').slice(1).join('/')}`;
  const left = (why: string) => {
    plan.report.remark('files left out', `${takeCodePoints(given, 80)}: ${why}`);
    return undefined;
  };
  if (!isFileKey(uploadKey(path_id)) || given.split('/').length < 3) return left('its path is not one of a file');
  if (owner_id === undefined) return left('nobody owns it');
  const bytes = await source.open(`uploads/${given}`);
  if (!bytes) return left('it is not in the archive');
  const size = await context.files.put(uploadKey(path_id), bytes);
  const name = takeCodePoints(entry.text('file_name', 'file'), 200);
  // It becomes a header of each answer with the file, so it must be one that an upload could have.
  const content_type = contentTypeOf(entry.text('content_type', ''), name);
  return {
    id: plan.attachments.of(entry.id('id')) ?? plan.attachments.fresh(),
    realm_id: plan.realmId,
    owner_id,
    name,
    path_id,
    size,
    content_type,
    create_time: entry.time('create_time', plan.now),
    unused_since: entry.ids('messages').length === 0 ? plan.now : null,
    image: await inspectImage(context, { path_id, size, content_type }),
  };
}

/** Stores the rows of uploads. */
export async function insertUploads(tx: RealmWriteTx, rows: readonly WholeRow<'attachment'>[]): Promise<void> {
  await insertWhole(tx, 'attachment', rows);
  const used_bytes = rows.reduce((sum, { size }) => sum + size, 0);
  await insertWhole(tx, 'upload_usage', [{ realm_id: tx.realmId, used_bytes }]);
  for (const row of rows) if (row.image) await enqueue(tx, makeThumbnails, { id: row.id });
}

/** Makes the pictures of people anew; the names of their files by the person's ID in the archive. */
export async function importAvatars({ context, plan, source }: Taking): Promise<ReadonlyMap<number, string>> {
  const made = new Map<number, string>();
  for (const record of await recordsOf(source, 'avatars')) {
    const [user, path] = [record.idOrNull('user_profile_id'), record.text('path', '')];
    if (user === null || plan.users.of(user) === undefined || !path.endsWith('.original')) continue;
    await orRemark(plan, path, async () => {
      const bytes = await bytesOf(source, `avatars/${path}`);
      const { small, medium } = await context.images.makeAvatar(bytes);
      const name = `${plan.users.of(user)}-${context.clock.token(16)}`;
      await context.files.put(pictureKey(`${plan.realmId}/uploaded/${name}.png`), small.bytes);
      await context.files.put(pictureKey(`${plan.realmId}/uploaded/${name}-medium.png`), medium.bytes);
      made.set(user, name);
    });
  }
  plan.report.count('avatars', made.size);
  return made;
}

/** Makes the pictures of the organization's emoji anew, by the ID of the emoji in the archive. */
export async function importEmoji({ context, plan, source }: Taking): Promise<ReadonlyMap<number, EmojiFiles>> {
  const paths = new Map<string, string>();
  for (const record of await recordsOf(source, 'emoji')) {
    const [name, path] = [record.text('file_name', record.text('name', '')), record.text('path', '')];
    if (!paths.has(name) || path.endsWith('.original')) paths.set(name, path);
  }
  const made = new Map<number, EmojiFiles>();
  for (const row of plan.tables.rows('zerver_realmemoji')) {
    const path = paths.get(row.text('file_name', '')) ?? paths.get(row.text('name', ''));
    if (path === undefined) continue;
    await orRemark(plan, path, async () => {
      const { picture, still } = await context.images.makeEmoji(await bytesOf(source, `emoji/${path}`));
      const base = context.clock.token(16);
      const folder = `${plan.realmId}/emoji/images`;
      const file_name = `${base}.${picture.type.slice('image/'.length)}`;
      await context.files.put(pictureKey(`${folder}/${file_name}`), picture.bytes);
      if (still) await context.files.put(pictureKey(`${folder}/still/${base}.png`), still.bytes);
      made.set(row.id('id'), { file_name, still_name: still ? `${base}.png` : null });
    });
  }
  return made;
}

const ICONS = { icon: 'makeIcon', logo: 'makeLogo', night_logo: 'makeLogo' } as const;

/** Makes the organization's own pictures anew; the names of those that came. */
export async function importIcons({ context, plan, source }: Taking): Promise<ReadonlySet<string>> {
  const made = new Set<string>();
  for (const record of await recordsOf(source, 'realm_icons')) {
    const path = record.text('path', '');
    const name = (['icon', 'logo', 'night_logo'] as const).find((one) => path.endsWith(`/${one}.original`));
    if (name === undefined) continue;
    await orRemark(plan, path, async () => {
      const picture = await context.images[ICONS[name]](await bytesOf(source, `realm_icons/${path}`));
      await context.files.put(pictureKey(`${plan.realmId}/realm/${name}.png`), picture.bytes);
      made.add(name);
    });
  }
  return made;
}

/** A picture that cannot be drawn is left out, and named. */
async function orRemark({ report }: Plan, path: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    report.remark(
      'pictures left out',
      `${takeCodePoints(path, 80)}: ${error instanceof Error ? error.message : 'unreadable'}`,
    );
  }
}

async function bytesOf(source: Source, path: string): Promise<Buffer> {
  const stream = await source.open(path);
  if (!stream) throw new Error('it is not in the archive');
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > MAX_IMAGE_BYTES) throw new Error('it is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
