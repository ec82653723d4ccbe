import { holds } from '#features/groups';
import { type PictureFolder, pictureKey, receivePicture } from '#features/pictures';
import { readRealm, REALM_GROUP_SETTINGS } from '#features/realms';
import type { Actor, ActorReadTx, RealmRef } from '#kernel/auth';
import type { Context } from '#kernel/context';
import type { UploadedFile } from '#kernel/endpoint';
import { InsufficientPermission, invariant } from '#kernel/errors';
import { emojiCode, EXTRA_EMOJI } from '#kernel/markdown';
import { isAdministrator } from '#kernel/permissions';
import { EmojiExists, EmojiMissing, NotEmojiAuthor, OneEmojiFile, StandardEmoji } from './errors.ts';
import { emojiAdded, emojiDeactivated } from './events.ts';
import { deactivateEmoji, findEmojiByName, insertEmoji, listEmoji, listPictureNames } from './queries.ts';
import { emojiNameOf } from './rules.ts';
import type { EmojiRow } from './tables.ts';
import { toWireEmoji, toWireEmojiMap } from './to-wire.ts';

/** Makes an emoji of a picture. See protocol/emoji#custom-emoji. */
export async function addEmoji(
  context: Context,
  actor: Actor,
  sentName: string,
  file: UploadedFile | undefined,
): Promise<void> {
  const name = emojiNameOf(sentName);
  await context.store.as(actor).read(async (tx) => {
    await assertMayAdd(tx);
    if (await findEmojiByName(tx, name)) throw EmojiExists();
  });
  const bytes = await receivePicture(file, OneEmojiFile);
  const isStandard = name === EXTRA_EMOJI || emojiCode(name) !== undefined;
  if (isStandard && !isAdministrator(actor)) throw StandardEmoji();
  const stored = await storeEmoji(context, actor.realm, bytes);
  const row = { ...stored, realm_id: actor.realmId, name, author_id: actor.userId };
  await insert(context, row).catch(async (error: unknown) => {
    await removeEmojiFiles(context, row);
    throw context.store.dialect.isDuplicate(error) ? EmojiExists() : error;
  });
}

function insert(context: Context, row: Omit<EmojiRow, 'id' | 'deactivated'>): Promise<void> {
  return context.store.of(row.realm_id).write(async (tx) => {
    const emoji = toWireEmoji(await insertEmoji(tx, row));
    const realm_emoji = toWireEmojiMap(await listEmoji(tx));
    tx.emit(emojiAdded(row.realm_id, { emoji, realm_emoji }));
  });
}

/** Deactivates an emoji, for its author and administrators; messages that use it keep showing it. */
export function removeEmoji(context: Context, actor: Actor, name: string): Promise<void> {
  return context.store.as(actor).write(async (tx) => {
    const row = await findEmojiByName(tx, name);
    if (!row) throw EmojiMissing({ name });
    const mayRemove = isAdministrator(actor) || row.author_id === actor.userId;
    if (!mayRemove) throw NotEmojiAuthor();
    if (!(await deactivateEmoji(tx, row.id))) throw EmojiMissing({ name });
    const realm_emoji = toWireEmojiMap(await listEmoji(tx));
    tx.emit(emojiDeactivated(actor.realmId, { emoji_id: String(row.id), data: { deactivated: true }, realm_emoji }));
  });
}

const MAY_ADD = 'can_add_custom_emoji_group';

async function assertMayAdd(tx: ActorReadTx): Promise<void> {
  const setting = REALM_GROUP_SETTINGS.find(({ name }) => name === MAY_ADD);
  invariant(setting, `${MAY_ADD} is declared`);
  if (!(await holds(tx, tx.actor, setting, (await readRealm(tx))[MAY_ADD]))) throw InsufficientPermission();
}

/** Draws the pictures of an emoji and stores them under names that nobody has. */
async function storeEmoji(
  context: Context,
  realm: RealmRef,
  bytes: Buffer,
): Promise<Pick<EmojiRow, 'file_name' | 'still_name'>> {
  const { picture, still } = await context.images.makeEmoji(bytes);
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
