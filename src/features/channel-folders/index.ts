import { slice } from '#kernel/slice';
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
});

export { applyFolderEvent } from './apply.ts';
export { InvalidFolderId } from './errors.ts';
export { findFolder, setFolder } from './queries.ts';
export type { FolderId } from './tables.ts';
