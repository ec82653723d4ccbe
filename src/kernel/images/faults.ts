import { ApiError, apiError } from '#kernel/errors';

/** The bytes are of no type that is taken here. See protocol/files#image-faults. */
export const ImageFormatInvalid = apiError({ code: 'BAD_IMAGE', message: 'Invalid image format' });
/** The bytes begin like an image and are none. */
export const ImageUndecodable = apiError({
  code: 'BAD_IMAGE',
  message: 'Could not decode image; did you upload an image file?',
});
/** More bytes, pixels or work than one image is allowed. */
export const ImageTooLarge = apiError({ code: 'BAD_IMAGE', message: 'Image size exceeds limit.' });
/** The image ends too early, or breaks off inside. */
export const ImageCorrupt = apiError({ code: 'BAD_IMAGE', message: 'Image is corrupted or truncated' });

/** Whether an image is to blame for a failure: trying again would fail again. */
export function isBadImage(error: unknown): boolean {
  return error instanceof ApiError && error.row.code === 'BAD_IMAGE';
}
