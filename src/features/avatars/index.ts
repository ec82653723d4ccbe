import { slice } from '#kernel/slice';
import { sweepingPictures } from '#features/pictures';
import { avatarEndpoints } from './endpoints.ts';
import { avatarPages } from './pages.ts';
import { avatarFolder } from './files.ts';

export const avatars = slice({
  name: 'avatars',
  endpoints: avatarEndpoints,
  pages: avatarPages,
  background: sweepingPictures(avatarFolder),
});

export { avatarFolder, removePictureFiles } from './files.ts';
export { forgetPicture, storeAvatar } from './actions.ts';
export { drawIdenticon } from './drawings.ts';
