import { event, everyoneInRealm } from '#kernel/events';
import { bool, idOf, list, maybe, object, str } from '#kernel/schema';
import type { FolderId } from './tables.ts';
import { wireFolder } from './wire.ts';

/** A folder was created. See protocol/channel-folders#creating. */
export const folderAdded = event({
  type: 'channel_folder',
  op: 'add',
  source: 'protocol/channel-folders#creating',
  payload: { channel_folder: wireFolder },
  audience: () => everyoneInRealm,
  audit: ({ channel_folder: { id, name } }) => ({ action: 'folder.added', target: { kind: 'folder', id, name } }),
});

/** A folder changed; `data` has the changed fields. See protocol/channel-folders#changing. */
export const folderUpdated = event({
  type: 'channel_folder',
  op: 'update',
  source: 'protocol/channel-folders#changing',
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
  audit: ({ channel_folder_id: id, data }) => ({
    action: 'folder.changed',
    target: { kind: 'folder', id },
    after: data,
  }),
});

/** The folders have a new order. See protocol/channel-folders#changing. */
export const foldersReordered = event({
  type: 'channel_folder',
  op: 'reorder',
  source: 'protocol/channel-folders#changing',
  payload: { order: list(idOf<FolderId>()) },
  audience: () => everyoneInRealm,
  audit: ({ order }) => ({ action: 'folder.order', target: { kind: 'organization' }, after: order }),
});

export const folderEvents = [folderAdded, folderUpdated, foldersReordered];
