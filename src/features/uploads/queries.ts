import { isFileKey } from '#kernel/files';
import { asId, type UserId } from '#kernel/ids';
import { type ReadTx, type RealmReadTx, type RealmWriteTx, sql, type WriteTx } from '#kernel/store';
import type { AttachmentId, AttachmentRow, ImageNote } from './tables.ts';

const attachments = (tx: RealmReadTx) => tx.db.selectFrom('attachment').selectAll().where('realm_id', '=', tx.realmId);

export type NewAttachment = Omit<AttachmentRow, 'id' | 'create_time' | 'unused_since'>;

export function insertAttachment(tx: WriteTx, row: NewAttachment): Promise<AttachmentRow> {
  return tx.db
    .insertInto('attachment')
    .values({ ...row, create_time: tx.now, unused_since: tx.now, image: row.image && JSON.stringify(row.image) })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Adds bytes to the space that the organization's files take, and returns the sum; locks the row until the commit. */
export async function addUsage(tx: RealmWriteTx, bytes: number): Promise<number> {
  const { used_bytes } = await tx.db
    .insertInto('upload_usage')
    .values({ realm_id: tx.realmId, used_bytes: bytes })
    .onConflict((conflict) =>
      conflict.column('realm_id').doUpdateSet({ used_bytes: sql<number>`upload_usage.used_bytes + ${bytes}` }),
    )
    .returning('used_bytes')
    .executeTakeFirstOrThrow();
  return used_bytes;
}

/** Bytes that all files of the organization take. */
export async function readUsage(tx: RealmReadTx): Promise<number> {
  const row = await tx.db
    .selectFrom('upload_usage')
    .select('used_bytes')
    .where('realm_id', '=', tx.realmId)
    .executeTakeFirst();
  return row?.used_bytes ?? 0;
}

/** Lists a page of somebody's files by ID, after one of them. */
export function findOwnUploads(
  tx: RealmReadTx,
  ownerId: UserId,
  after: AttachmentId | undefined,
  limit: number,
): Promise<readonly AttachmentRow[]> {
  return attachments(tx)
    .where('owner_id', '=', ownerId)
    .$if(after !== undefined, (query) => query.where('id', '>', after ?? asId<AttachmentId>(0)))
    .orderBy('id')
    .limit(limit)
    .execute();
}

export function findAttachment(tx: RealmReadTx, id: AttachmentId): Promise<AttachmentRow | undefined> {
  return attachments(tx).where('id', '=', id).executeTakeFirst();
}

/** Returns files by ID, locked until the commit, so that two changes of their use see each other. */
export async function lockAttachments(
  tx: RealmWriteTx,
  ids: readonly AttachmentId[],
): Promise<readonly AttachmentRow[]> {
  if (ids.length === 0) return [];
  return attachments(tx).where(tx.dialect.anyOf('id', ids)).orderBy('id').modifyEnd(tx.dialect.forUpdate).execute();
}

/** Files by address; unknown ones, and those of other organizations, are missing. */
export async function findAttachmentsByPath(
  tx: RealmReadTx,
  pathIds: readonly string[],
): Promise<readonly AttachmentRow[]> {
  // Skips texts that cannot be paths of files: databases do not accept NUL, for example.
  const possible = pathIds.filter(isFileKey);
  if (possible.length === 0) return [];
  return attachments(tx).where(tx.dialect.anyOfText('path_id', possible)).orderBy('id').execute();
}

/** Records since when nothing uses the files; null if something does. */
export async function setUnusedSince(
  tx: RealmWriteTx,
  ids: readonly AttachmentId[],
  since: number | null,
): Promise<void> {
  if (ids.length === 0) return;
  await tx.db
    .updateTable('attachment')
    .set({ unused_since: since })
    .where('realm_id', '=', tx.realmId)
    .where(tx.dialect.anyOf('id', ids))
    .execute();
}

/** Stores the facts about an image; null if it cannot be drawn. */
export async function setImageNote(tx: RealmWriteTx, id: AttachmentId, note: ImageNote | null): Promise<void> {
  await tx.db
    .updateTable('attachment')
    .set({ image: note && JSON.stringify(note) })
    .where('realm_id', '=', tx.realmId)
    .where('id', '=', id)
    .execute();
}

/** Deletes the rows of files and their uses; returns the rows that existed. */
export async function deleteAttachments(
  tx: RealmWriteTx,
  ids: readonly AttachmentId[],
): Promise<readonly AttachmentRow[]> {
  const deleted = await tx.db
    .deleteFrom('attachment')
    .where('realm_id', '=', tx.realmId)
    .where(tx.dialect.anyOf('id', ids))
    .returningAll()
    .execute();
  await tx.db
    .deleteFrom('attachment_use')
    .where('realm_id', '=', tx.realmId)
    .where(tx.dialect.anyOf('attachment_id', ids))
    .execute();
  return deleted;
}

/** Lists the organization's files that nothing has used since `before`, oldest first. */
export function listUnused(tx: RealmReadTx, before: number, limit: number): Promise<readonly AttachmentRow[]> {
  return attachments(tx).where('unused_since', '<=', before).orderBy('unused_since').limit(limit).execute();
}

/** Lists a page of the addresses and sizes of all organizations' files, in order of address. */
export function listStored(
  tx: ReadTx,
  after: string,
  limit: number,
): Promise<readonly { readonly path_id: string; readonly size: number }[]> {
  return tx.db
    .selectFrom('attachment')
    .select(['path_id', 'size'])
    .where('path_id', '>', after)
    .orderBy('path_id')
    .limit(limit)
    .execute();
}

/** Returns the addresses, of any organization, that no file has, for the sweep of the shared file store. */
export async function withoutAttachment(tx: ReadTx, pathIds: readonly string[]): Promise<ReadonlySet<string>> {
  const left = new Set(pathIds);
  const rows = await tx.db
    .selectFrom('attachment')
    .select('path_id')
    .where(tx.dialect.anyOfText('path_id', pathIds))
    .execute();
  for (const { path_id } of rows) left.delete(path_id);
  return left;
}
