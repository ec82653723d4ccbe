import { apiError } from '#kernel/errors';

export const InvalidFolderId = apiError({ message: 'Invalid channel folder ID' });
export const FolderNameBlank = apiError({ message: "Channel folder name can't be empty." });
export const FolderNameCharacter = apiError<Record<never, never>, { position: number }>({
  message: (e) => `Invalid character in channel folder name, at position ${e.position}.`,
});
export const FolderNameTaken = apiError({ message: 'Channel folder name already in use' });
export const FolderNotEmpty = apiError({
  message: 'You need to remove all the channels from this folder to archive it.',
});
export const InvalidOrderMapping = apiError({ message: 'Invalid order mapping.' });
