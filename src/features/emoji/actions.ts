import { holdsInRealm } from '#features/groups';
import { type PictureFolder, pictureKey, receivePicture } from '#features/pictures';
import { assertListRoom } from '#features/realms';
import type { Actor, ActorReadTx } from '#kernel/auth';
import type { Context } from '#kernel/context';
import type { UploadedFile } from '#kernel/endpoint';
import { InsufficientPermission } from '#kernel/errors';
import { emojiCode, EXTRA_EMOJI } from '#kernel/markdown';
import { isAdministrator } from '#kernel/permissions';
import { EmojiExists, EmojiMissing, NotEmojiAuthor, OneEmojiFile, StandardEmoji } from './errors.ts';
import { emojiAdded, emojiDeactivated } from './events.ts';
import { deactivateEmoji, findEmojiByName, insertEmoji, listEmoji, listPictureNames } from './queries.ts';
import { emojiNameOf } from './rules.ts';
import type { EmojiRow } from './tables.ts';
import { toWireEmoji, toWireEmojiMap } from './to-wire.ts';

/** Adds a custom emoji. See protocol/emoji#custom-emoji. */
export async function addEmoji(
  context: Context,
  actor: Actor,
  { emoji_name, file }: { readonly emoji_name: string; readonly file: UploadedFile | undefined },
): Promise<void> {
  const name = emojiNameOf(emoji_name);
  await context.store.as(actor).read(async (tx) => {
    await assertMayAdd(tx);
    if (await findEmojiByName(tx, name)) throw EmojiExists();
  });
  const bytes = await receivePicture(file, OneEmojiFile);
  const isStandard = name === EXTRA_EMOJI || emojiCode(name) !== undefined;
  if (isStandard && !isAdministrator(actor)) throw StandardEmoji();
  const stored = await storeEmoji(context, actor, bytes);
  const row = { ...stored, realm_id: actor.realmId, name, author_id: actor.userId };
  await insert(context, row).catch(async (error: unknown) => {
    await removeEmojiFiles(context, row);
    throw context.store.dialect.isDuplicate(error) ? EmojiExists() : error;
  });
}

function insert(context: Context, row: Omit<EmojiRow, 'id' | 'deactivated'>): Promise<void> {
  return context.store.of(row.realm_id).write(async (tx) => {
    const before = await listEmoji(tx);
    const emoji = toWireEmoji(await insertEmoji(tx, row));
    const rows = await listEmoji(tx);
    assertListRoom('emoji', rows, before);
    const realm_emoji = toWireEmojiMap(rows);
    tx.emit(emojiAdded({ emoji, realm_emoji }));
  });
}

/** Deactivates an emoji; its author and administrators may do so. Messages that use it still show it. */
export function removeEmoji(context: Context, actor: Actor, name: string): Promise<void> {
  return context.store.as(actor).write(async (tx) => {
    const row = await findEmojiByName(tx, name);
    if (!row) throw EmojiMissing({ name });
    const mayRemove = isAdministrator(actor) || row.author_id === actor.userId;
    if (!mayRemove) throw NotEmojiAuthor();
    if (!(await deactivateEmoji(tx, row.id))) throw EmojiMissing({ name });
    const realm_emoji = toWireEmojiMap(await listEmoji(tx));
    tx.emit(emojiDeactivated({ emoji_id: String(row.id), data: { deactivated: true }, realm_emoji }));
  });
}

async function assertMayAdd(tx: ActorReadTx): Promise<void> {
  if (!(await holdsInRealm(tx, 'can_add_custom_emoji_group'))) throw InsufficientPermission();
}

/** Stores the pictures of an emoji under new random names. */
async function storeEmoji(
  context: Context,
  { realm, userId }: Actor,
  bytes: Buffer,
): Promise<Pick<EmojiRow, 'file_name' | 'still_name'>> {
  const { picture, still } = await context.images.makeEmoji(bytes, userId);
  const base = context.clock.token(16);
  const file_name = `${base}.${picture.type.slice('image/'.length)}`;
  const folder = `${realm.id}/emoji/images`;
  await context.files.put(pictureKey(`${folder}/${file_name}`), picture.bytes);
  if (!still) return { file_name, still_name: null };
  await context.files.put(pictureKey(`${folder}/still/${base}.png`), still.bytes);
  return { file_name, still_name: `${base}.png` };
}

async function removeEmojiFiles(
  context: Context,
  { realm_id, file_name, still_name }: Pick<EmojiRow, 'realm_id' | 'file_name' | 'still_name'>,
): Promise<void> {
  const folder = `${realm_id}/emoji/images`;
  await context.files.remove(pictureKey(`${folder}/${file_name}`));
  if (still_name !== null) await context.files.remove(pictureKey(`${folder}/still/${still_name}`));
}

const STILL = 'still/';

/** Pictures of emoji, including deactivated ones, which old messages still show. */
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
