import type { RealmId, UserId } from '#kernel/ids';
import { type RealmReadTx, type RealmWriteTx, setPositions } from '#kernel/store';
import { foldCase } from '#kernel/text';
import type { FolderId, FolderRow } from './tables.ts';

const folders = (tx: RealmReadTx) => tx.db.selectFrom('channel_folder').selectAll().where('realm_id', '=', tx.realmId);

interface NewFolder {
  readonly realm_id: RealmId;
  readonly name: string;
  readonly description: string;
  readonly rendered_description: string;
  readonly creator_id: UserId;
}

/** Stores a folder after all others: its position is its own ID. See protocol/channel-folders#creating. */
export async function insertFolder(tx: RealmWriteTx, row: NewFolder): Promise<FolderRow> {
  const made = await tx.db
    .insertInto('channel_folder')
    .values({ ...row, name_key: foldCase(row.name), position: 0, date_created: tx.now, is_archived: false })
    .returningAll()
    .executeTakeFirstOrThrow();
  await setFolder(tx, made.id, { position: made.id });
  return { ...made, position: made.id };
}

export async function setFolder(
  tx: RealmWriteTx,
  id: FolderId,
  values: Partial<Omit<FolderRow, 'id' | 'realm_id'>>,
): Promise<void> {
  await tx.db
    .updateTable('channel_folder')
    .set(values)
    .where('realm_id', '=', tx.realmId)
    .where('id', '=', id)
    .execute();
}

/** Sets the folders' positions to their places in the list, from 0. */
export function setFolderOrder(tx: RealmWriteTx, ids: readonly FolderId[]): Promise<void> {
  return setPositions(tx, 'channel_folder', ids);
}

export function findFolder(tx: RealmReadTx, id: FolderId): Promise<FolderRow | undefined> {
  return folders(tx).where('id', '=', id).executeTakeFirst();
}

/** All folders by position, archived ones included. */
export function listFolders(tx: RealmReadTx): Promise<readonly FolderRow[]> {
  return folders(tx).orderBy('position').orderBy('id').execute();
}

/** Finds the folder with this name, ignoring case. Archived folders do not count: their names are free. */
export function findFolderByName(tx: RealmReadTx, name: string): Promise<FolderRow | undefined> {
  return folders(tx).where('name_key', '=', foldCase(name)).where('is_archived', '=', false).executeTakeFirst();
}

/** Whether a channel that is not archived is in the folder. */
export async function holdsChannels(tx: RealmReadTx, id: FolderId): Promise<boolean> {
  const row = await tx.db
    .selectFrom('channel')
    .select('id')
    .where('realm_id', '=', tx.realmId)
    .where('folder_id', '=', id)
    .where('is_archived', '=', false)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns the folders that have a web-public channel. */
export async function foldersOnTheWeb(tx: RealmReadTx): Promise<ReadonlySet<FolderId>> {
  const rows = await tx.db
    .selectFrom('channel')
    .select('folder_id')
    .distinct()
    .where('realm_id', '=', tx.realmId)
    .where('is_web_public', '=', true)
    .where('is_archived', '=', false)
    .execute();
  return new Set(rows.flatMap((row) => row.folder_id ?? []));
}
