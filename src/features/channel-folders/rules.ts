import { unprintablePosition } from '#kernel/text';
import { FolderNameBlank, FolderNameCharacter } from './errors.ts';

/** Longest folder name, in code points. See protocol/channel-folders#creating. */
export const MAX_FOLDER_NAME = 60;
/** Longest folder description, in code points. See protocol/channel-folders#creating. */
export const MAX_FOLDER_DESCRIPTION = 1024;

/** Throws unless a (trimmed) name is valid for a folder. See protocol/channel-folders#creating, checks 3 and 4. */
export function assertFolderName(name: string): void {
  if (name === '') throw FolderNameBlank();
  const position = unprintablePosition(name);
  if (position > 0) throw FolderNameCharacter({ position });
}
