import { apiError } from '#kernel/errors';

export const PictureTooLarge = apiError<Record<never, never>, { max: number }>({
  message: (e) => `Uploaded file is larger than the allowed limit of ${e.max} MiB`,
});
