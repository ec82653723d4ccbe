import { applier, slice } from '#kernel/slice';
import { applyFolderEvent } from './apply.ts';
import { folderEndpoints } from './endpoints.ts';
import { folderEvents } from './events.ts';
import { foldersState } from './state.ts';
import { channelFolder } from './tables.ts';

export const channelFolders = slice({
  name: 'channel-folders',
  tables: [channelFolder],
  reads: ['channel'],
  endpoints: folderEndpoints,
  events: folderEvents,
  state: [foldersState],
  applies: [applier(['channel_folder'], ['channel_folders'], applyFolderEvent)],
});

export { InvalidFolderId } from './errors.ts';
export { findFolder, setFolder } from './queries.ts';
export type { FolderId } from './tables.ts';
