import { list } from '#kernel/schema';
import { registerState } from '#kernel/state';
import { foldersOnTheWeb, listFolders } from './queries.ts';
import { toWireFolder, wireFolder } from './wire.ts';

/**
 * All folders in their order; a spectator gets those with a web-public channel.
 * See protocol/channel-folders#folder-object.
 */
export const foldersState = registerState({
  fetchType: 'channel_folders',
  sameFor: ({ tx }) => `${tx.actor !== null}`,
  source: 'protocol/channel-folders#folder-object',
  fields: { channel_folders: list(wireFolder) },
  read: async ({ tx }) => {
    const folders = await listFolders(tx);
    if (tx.actor) return { channel_folders: folders.map(toWireFolder) };
    const seen = await foldersOnTheWeb(tx);
    return { channel_folders: folders.filter((folder) => seen.has(folder.id)).map(toWireFolder) };
  },
});
