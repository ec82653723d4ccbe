import { slice } from '#kernel/slice';

export const pictures = slice({ name: 'pictures' });

export { PictureTooLarge } from './errors.ts';
export { receivePicture } from './receive.ts';
export { pictureKey, servePicture } from './serve.ts';
export { type PictureFolder, sweepingPictures, sweepPictures } from './sweep.ts';
