import { apiError } from '#kernel/errors';

export const FileGone = apiError({ status: 404, message: 'This file does not exist or has been deleted.' });
export const FileForbidden = apiError({ status: 403, message: 'You are not authorized to view this file.' });
export const InvalidToken = apiError({ message: 'Invalid token' });
export const InvalidFilename = apiError({ message: 'Invalid filename' });
