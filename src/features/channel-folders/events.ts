import { event, everyoneInRealm } from '#kernel/events';
import { bool, idOf, list, maybe, object, str } from '#kernel/schema';
import type { FolderId } from './tables.ts';
import { wireFolder } from './wire.ts';

/** A folder was made. Contract operations 4.6. */
export const folderAdded = event({
  type: 'channel_folder',
  op: 'add',
  source: 'contract operations 4.6',
  payload: { channel_folder: wireFolder },
  audience: () => everyoneInRealm,
});

/** Something about a folder changed; `data` has what did. Contract operations 5.2. */
export const folderUpdated = event({
  type: 'channel_folder',
  op: 'update',
  source: 'contract operations 5.2',
  payload: {
    channel_folder_id: idOf<FolderId>(),
    data: object({
      name: maybe(str()),
      description: maybe(str()),
      rendered_description: maybe(str()),
      is_archived: maybe(bool()),
    }),
  },
  audience: () => everyoneInRealm,
});

/** The folders have a new order. Contract operations 5.2. */
export const foldersReordered = event({
  type: 'channel_folder',
  op: 'reorder',
  source: 'contract operations 5.2',
  payload: { order: list(idOf<FolderId>()) },
  audience: () => everyoneInRealm,
});

export const folderEvents = [folderAdded, folderUpdated, foldersReordered];
