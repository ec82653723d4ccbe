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
  doc: "Uploads the caller's avatar.",
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
  doc: "Deletes the caller's uploaded avatar.",
  who: everyone,
  params: {},
  returns: { avatar_url: str() },
  fails: [AvatarChangesDisabled],
  async run({ actor, context }) {
    return { avatar_url: await removeAvatar(context, actor) };
  },
});

export const avatarEndpoints = [uploadAvatar, deleteAvatar];
