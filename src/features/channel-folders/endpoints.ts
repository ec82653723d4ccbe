import { ListFull } from '#features/realms';
import { administrators, endpoint, everyone, json, optional, path, raw, withDefault } from '#kernel/endpoint';
import { bool, idOf, list, text } from '#kernel/schema';
import { addFolder, reorderFolders, updateFolder } from './actions.ts';
import * as errors from './errors.ts';
import { listFolders } from './queries.ts';
import { MAX_FOLDER_DESCRIPTION, MAX_FOLDER_NAME } from './rules.ts';
import type { FolderId } from './tables.ts';
import { toWireFolder, wireFolder } from './wire.ts';

/** Most folders in one order. */
const MAX_FOLDERS = 10_000;

const name = raw(text({ max: MAX_FOLDER_NAME, nul: 'allowed' }), 'Not blank; unique among folders in use.');
const description = raw(text({ max: MAX_FOLDER_DESCRIPTION }), 'Markdown; may be empty.');

const listFoldersEndpoint = endpoint({
  id: 'get-channel-folders',
  method: 'GET',
  path: '/channel_folders',
  source: 'protocol/channel-folders#changing',
  since: 389,
  doc: 'The channel folders in their order.',
  who: everyone,
  params: { include_archived: withDefault(json(bool()), false) },
  returns: { channel_folders: list(wireFolder) },
  async run({ realm, params, context }) {
    const folders = await context.store.in(realm).query((tx) => listFolders(tx));
    return {
      channel_folders: folders.filter((folder) => params.include_archived || !folder.is_archived).map(toWireFolder),
    };
  },
});

const createFolder = endpoint({
  id: 'create-channel-folder',
  method: 'POST',
  path: '/channel_folders/create',
  source: 'protocol/channel-folders#creating',
  since: 389,
  doc: 'Makes a channel folder.',
  who: administrators,
  params: { description, name },
  returns: { channel_folder_id: idOf<FolderId>() },
  fails: [errors.FolderNameBlank, errors.FolderNameCharacter, errors.FolderNameTaken, ListFull],
  async run({ actor, params, context }) {
    const folder = await addFolder(context, actor, { ...params, name: params.name.trim() });
    return { channel_folder_id: folder.id };
  },
});

const updateFolderEndpoint = endpoint({
  id: 'update-channel-folder',
  method: 'PATCH',
  path: '/channel_folders/{channel_folder_id}',
  source: 'protocol/channel-folders#changing',
  since: 389,
  doc: 'Renames, describes, archives or brings back a channel folder.',
  who: administrators,
  params: {
    channel_folder_id: path(idOf<FolderId>()),
    description: optional(description),
    is_archived: optional(json(bool())),
    name: optional(name),
  },
  returns: {},
  fails: [
    errors.InvalidFolderId,
    errors.FolderNameBlank,
    errors.FolderNameCharacter,
    errors.FolderNameTaken,
    errors.FolderNotEmpty,
    ListFull,
  ],
  async run({ realm, params, context }) {
    const { description: text_, is_archived } = params;
    await updateFolder(context, realm, params.channel_folder_id, {
      name: params.name?.trim(),
      description: text_,
      is_archived,
    });
    return {};
  },
});

const reorderFoldersEndpoint = endpoint({
  id: 'reorder-channel-folders',
  method: 'PATCH',
  path: '/channel_folders',
  source: 'protocol/channel-folders#changing',
  since: 414,
  doc: 'Changes the order of the channel folders.',
  who: administrators,
  params: { order: json(list(idOf<FolderId>(), { max: MAX_FOLDERS })) },
  returns: {},
  fails: [errors.InvalidOrderMapping],
  async run({ realm, params, context }) {
    await reorderFolders(context, realm, params.order);
    return {};
  },
});

export const folderEndpoints = [listFoldersEndpoint, createFolder, updateFolderEndpoint, reorderFoldersEndpoint];
