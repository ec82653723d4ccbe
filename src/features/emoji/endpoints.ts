import { endpoint, everyone, file, humanMembers, members, page, pathText } from '#kernel/endpoint';
import { InsufficientPermission } from '#kernel/errors';
import { ImageCorrupt, ImageFormatInvalid, ImageTooLarge, ImageUndecodable } from '#kernel/images';
import { dict } from '#kernel/schema';
import { PictureTooLarge, servePicture } from '#features/pictures';
import { ListFull } from '#features/realms';
import { addEmoji, removeEmoji } from './actions.ts';
import * as errors from './errors.ts';
import { listEmoji } from './queries.ts';
import { toWireEmojiMap } from './to-wire.ts';
import { wireEmoji } from './wire.ts';

const SOURCE = 'protocol/emoji#custom-emoji';

const getEmoji = endpoint({
  id: 'get-custom-emoji',
  method: 'GET',
  path: '/realm/emoji',
  source: SOURCE,
  doc: 'All custom emoji of the organization, deactivated ones included.',
  who: everyone,
  params: {},
  returns: { emoji: dict(wireEmoji) },
  async run({ realm, context }) {
    return { emoji: toWireEmojiMap(await context.store.in(realm).query((tx) => listEmoji(tx))) };
  },
});

const uploadEmoji = endpoint({
  id: 'upload-custom-emoji',
  method: 'POST',
  path: '/realm/emoji/{emoji_name}',
  source: SOURCE,
  doc: 'Adds a custom emoji from an uploaded picture.',
  who: humanMembers,
  params: { emoji_name: pathText('Name of the emoji.'), file: file('The picture, as the one file part of the form.') },
  returns: {},
  fails: [
    errors.EmojiNameMissing,
    errors.EmojiNameCharacter,
    errors.EmojiNameEnding,
    InsufficientPermission,
    errors.EmojiExists,
    ListFull,
    errors.OneEmojiFile,
    errors.StandardEmoji,
    PictureTooLarge,
    ImageFormatInvalid,
    ImageUndecodable,
    ImageTooLarge,
    ImageCorrupt,
  ],
  async run({ actor, params, context }) {
    await addEmoji(context, actor, params);
    return {};
  },
});

const deactivateEmoji = endpoint({
  id: 'deactivate-custom-emoji',
  method: 'DELETE',
  path: '/realm/emoji/{emoji_name}',
  source: SOURCE,
  doc: 'Deactivates a custom emoji; messages that use it keep showing it.',
  who: members,
  params: { emoji_name: pathText('Name of the emoji.') },
  returns: {},
  fails: [errors.EmojiMissing, errors.NotEmojiAuthor],
  async run({ actor, params, context }) {
    await removeEmoji(context, actor, params.emoji_name);
    return {};
  },
});

const images = (folder: string) =>
  page({
    methods: ['GET'],
    path: `/user_avatars/{realm_id}/emoji/${folder}/{filename}`,
    handle: ({ context, path }) =>
      servePicture(context, { path: `${path['realm_id'] ?? ''}/emoji/${folder}/${path['filename'] ?? ''}` }),
  });

export const emojiEndpoints = [getEmoji, uploadEmoji, deactivateEmoji];
export const emojiPages = [images('images'), images('images/still')];
