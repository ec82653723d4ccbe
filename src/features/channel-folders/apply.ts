import type { WireFolder } from './wire.ts';

/** The part of the client's state that these events change. */
export interface FoldersState {
  readonly channel_folders: readonly WireFolder[];
}

type FolderEvent =
  | { readonly op: 'add'; readonly channel_folder: WireFolder }
  | { readonly op: 'update'; readonly channel_folder_id: number; readonly data: Partial<WireFolder> }
  | { readonly op: 'reorder'; readonly order: readonly number[] };

/** Returns the folders after a `channel_folder` event. */
export function applyFolderEvent(state: FoldersState, event: FolderEvent): FoldersState {
  const folders = state.channel_folders;
  switch (event.op) {
    case 'add':
      return { channel_folders: [...folders, event.channel_folder] };
    case 'update':
      return {
        channel_folders: folders.map((folder) =>
          folder.id === event.channel_folder_id ? { ...folder, ...event.data } : folder,
        ),
      };
    case 'reorder':
      return {
        channel_folders: folders
          .map((folder) => ({ ...folder, order: event.order.indexOf(folder.id) }))
          .toSorted((a, b) => a.order - b.order),
      };
  }
}
