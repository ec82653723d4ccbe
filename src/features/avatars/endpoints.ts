import { endpoint, everyone, file } from '#kernel/endpoint';
import { ImageCorrupt, ImageFormatInvalid, ImageTooLarge, ImageUndecodable } from '#kernel/images';
import { str } from '#kernel/schema';
import { PictureTooLarge } from '#features/pictures';
import { removeAvatar, setAvatar } from './actions.ts';
import { AvatarChangesDisabled, OneAvatar } from './errors.ts';

const SOURCE = 'protocol/files#avatars';

const uploadAvatar = endpoint({
  id: 'upload-avatar',
  method: 'POST',
  path: '/users/me/avatar',
  source: SOURCE,
  doc: 'Gives the caller a picture of their own.',
  who: everyone,
  params: { file: file('The picture, as the one file part of the form.') },
  returns: { avatar_url: str() },
  fails: [
    OneAvatar,
    AvatarChangesDisabled,
    PictureTooLarge,
    ImageFormatInvalid,
    ImageUndecodable,
    ImageTooLarge,
    ImageCorrupt,
  ],
  async run({ actor, params, context }) {
    return { avatar_url: await setAvatar(context, actor, params.file) };
  },
});

const deleteAvatar = endpoint({
  id: 'delete-avatar',
  method: 'DELETE',
  path: '/users/me/avatar',
  source: SOURCE,
  doc: "Takes the caller's own picture away.",
  who: everyone,
  params: {},
  returns: { avatar_url: str() },
  fails: [AvatarChangesDisabled],
  async run({ actor, context }) {
    return { avatar_url: await removeAvatar(context, actor) };
  },
});

export const avatarEndpoints = [uploadAvatar, deleteAvatar];
