import { apiError } from '#kernel/errors';

export const TooManyExports = apiError({ message: 'Exceeded rate limit.' });
export const TooLarge = apiError<Record<never, never>, { mail: string }>({
  message: (e) => `Please request a manual export from ${e.mail}.`,
});
export const ConsentNeeded = apiError({
  message: 'Private data can be exported only of people who consent.',
});
export const InvalidExport = apiError({ message: 'Invalid data export ID' });
export const ExportDeleted = apiError({ message: 'Export already deleted' });
export const ExportFailed = apiError({ message: 'Export failed, nothing to delete' });
export const ExportPending = apiError({ message: 'Export still in progress' });
