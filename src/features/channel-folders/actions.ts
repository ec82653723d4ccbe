import type { Actor, RealmRef } from '#kernel/auth';
import { lockLog } from '#kernel/events';
import type { Context } from '#kernel/context';
import { isReordering } from '#kernel/lists';
import type { RealmWriteTx } from '#kernel/store';
import { foldCase } from '#kernel/text';
import { assertListRoom } from '#features/realms';
import { renderMarkdown } from '#features/rendering';
import { FolderNameTaken, FolderNotEmpty, InvalidFolderId, InvalidOrderMapping } from './errors.ts';
import { folderAdded, foldersReordered, folderUpdated } from './events.ts';
import {
  findFolder,
  findFolderByName,
  holdsChannels,
  insertFolder,
  listFolders,
  setFolder,
  setFolderOrder,
} from './queries.ts';
import { assertFolderName } from './rules.ts';
import type { FolderId, FolderRow } from './tables.ts';
import { toWireFolder } from './wire.ts';

/** Creates a folder. See protocol/channel-folders#creating. */
export async function addFolder(
  context: Context,
  actor: Actor,
  input: { readonly name: string; readonly description: string },
): Promise<FolderRow> {
  assertFolderName(input.name);
  const { html } = await renderMarkdown(context, actor.realm, input.description);
  return context.store.as(actor).write(async (tx) => {
    await lockLog(tx);
    if (await findFolderByName(tx, input.name)) throw FolderNameTaken();
    const known = await listFolders(tx);
    const folder = await insertFolder(tx, {
      ...input,
      realm_id: actor.realmId,
      rendered_description: html,
      creator_id: actor.userId,
    });
    assertFolderRoom([...known, folder], known);
    tx.emit(folderAdded({ channel_folder: toWireFolder(folder) }));
    return folder;
  });
}

interface FolderChange {
  readonly name: string | undefined;
  readonly description: string | undefined;
  readonly is_archived: boolean | undefined;
}

/** Changes a folder; emits nothing if nothing differs. See protocol/channel-folders#changing. */
export async function updateFolder(
  context: Context,
  realm: RealmRef,
  id: FolderId,
  change: FolderChange,
): Promise<void> {
  const rendered =
    change.description === undefined ? '' : (await renderMarkdown(context, realm, change.description)).html;
  await context.store.in(realm).write(async (tx) => {
    await lockLog(tx);
    const folder = await findFolder(tx, id);
    if (!folder) throw InvalidFolderId();
    const { name, description, is_archived } = change;
    const isRenamed = name !== undefined && name !== folder.name;
    if (isRenamed) assertFolderName(name);
    const archiving = is_archived !== undefined && is_archived !== folder.is_archived;
    await assertNameFree(tx, { ...folder, ...(isRenamed && { name }), is_archived: is_archived ?? folder.is_archived });
    if (archiving && is_archived && (await holdsChannels(tx, id))) throw FolderNotEmpty();
    const data = {
      ...(isRenamed && { name }),
      ...(description !== undefined &&
        description !== folder.description && { description, rendered_description: rendered }),
      ...(archiving && { is_archived }),
    };
    if (Object.keys(data).length === 0) return;
    const known = await listFolders(tx);
    assertFolderRoom(
      known.map((one) => (one.id === id ? { ...one, ...data } : one)),
      known,
    );
    await setFolder(tx, id, { ...data, ...(isRenamed && { name_key: foldCase(name) }) });
    tx.emit(folderUpdated({ channel_folder_id: id, data }));
  });
}

function assertFolderRoom(folders: readonly FolderRow[], before: readonly FolderRow[]): void {
  assertListRoom('channel folders', folders.map(toWireFolder), before.map(toWireFolder));
}

/** Throws if another folder that is not archived has the name. Names of archived folders are free. */
async function assertNameFree(tx: RealmWriteTx, folder: FolderRow): Promise<void> {
  if (folder.is_archived) return;
  const other = await findFolderByName(tx, folder.name);
  if (other && other.id !== folder.id) throw FolderNameTaken();
}

/** Orders the folders by a list that names each of them once. See protocol/channel-folders#changing. */
export async function reorderFolders(context: Context, realm: RealmRef, order: readonly FolderId[]): Promise<void> {
  await context.store.in(realm).write(async (tx) => {
    await lockLog(tx);
    const known = (await listFolders(tx)).map((folder) => folder.id);
    if (!isReordering(known, order)) throw InvalidOrderMapping();
    if (order.length === 0) return;
    await setFolderOrder(tx, order);
    tx.emit(foldersReordered({ order: [...order] }));
  });
}
