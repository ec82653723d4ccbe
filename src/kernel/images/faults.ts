import { ApiError, apiError } from '#kernel/errors';

/** The bytes are of no supported type. See protocol/files#image-faults. */
export const ImageFormatInvalid = apiError({ code: 'BAD_IMAGE', message: 'Invalid image format' });
/** The bytes begin like an image but cannot be decoded. */
export const ImageUndecodable = apiError({
  code: 'BAD_IMAGE',
  message: 'Could not decode image; did you upload an image file?',
});
/** The file is too large, has too many pixels, or takes too long. */
export const ImageTooLarge = apiError({ code: 'BAD_IMAGE', message: 'Image size exceeds limit.' });
/** The image is truncated or damaged. */
export const ImageCorrupt = apiError({ code: 'BAD_IMAGE', message: 'Image is corrupted or truncated' });

/** Whether the image itself causes a failure, so that another attempt would fail as well. */
export function isBadImage(error: unknown): boolean {
  return error instanceof ApiError && error.row.code === 'BAD_IMAGE';
}
