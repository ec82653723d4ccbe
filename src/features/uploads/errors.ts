import { apiError } from '#kernel/errors';

export const FileMissing = apiError({ message: 'You must specify a file to upload' });
export const OneFileOnly = apiError({ message: 'You may only upload one file at a time' });
export const FileTooLarge = apiError<Record<never, never>, { max_size: number }>({
  message: (e) => `File is larger than this server's configured maximum upload size (${e.max_size} MiB).`,
});
export const UploadQuotaExceeded = apiError({
  code: 'REALM_UPLOAD_QUOTA',
  message: "Upload would exceed your organization's upload quota.",
});
/** The file does not exist, or belongs to somebody else. */
export const InvalidAttachment = apiError({ message: 'Invalid attachment' });
