import { isFileKey } from '#kernel/files';
import { asId, type MessageId, type UserId } from '#kernel/ids';
import { type ReadTx, type RealmReadTx, type RealmWriteTx, sql, type WriteTx } from '#kernel/store';
import type { AttachmentId, AttachmentRow, ImageNote } from './tables.ts';
import type { Use } from './wire.ts';

export type NewAttachment = Omit<AttachmentRow, 'id' | 'create_time' | 'unused_since'>;

export function insertAttachment(tx: WriteTx, row: NewAttachment): Promise<AttachmentRow> {
  return tx.db
    .insertInto('attachment')
    .values({ ...row, create_time: tx.now, unused_since: tx.now, image: row.image && JSON.stringify(row.image) })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Adds to what the organization's files take, in bytes, and gives the sum; holds the row until the commit. */
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

/** Bytes of all the organization's files. */
export async function readUsage(tx: RealmReadTx): Promise<number> {
  const row = await tx.db
    .selectFrom('upload_usage')
    .select('used_bytes')
    .where('realm_id', '=', tx.realmId)
    .executeTakeFirst();
  return row?.used_bytes ?? 0;
}

/** A page of somebody's files after one of them, by ID. */
export function findOwnUploads(
  tx: RealmReadTx,
  ownerId: UserId,
  after: AttachmentId | undefined,
  limit: number,
): Promise<readonly AttachmentRow[]> {
  return tx.db
    .selectFrom('attachment')
    .selectAll()
    .where('realm_id', '=', tx.realmId)
    .where('owner_id', '=', ownerId)
    .$if(after !== undefined, (query) => query.where('id', '>', after ?? asId<AttachmentId>(0)))
    .orderBy('id')
    .limit(limit)
    .execute();
}

export function listAttachments(tx: RealmReadTx, ownerId: UserId): Promise<readonly AttachmentRow[]> {
  return tx.db
    .selectFrom('attachment')
    .selectAll()
    .where('realm_id', '=', tx.realmId)
    .where('owner_id', '=', ownerId)
    .orderBy('id')
    .execute();
}

export function findAttachment(tx: RealmReadTx, id: AttachmentId): Promise<AttachmentRow | undefined> {
  return tx.db
    .selectFrom('attachment')
    .selectAll()
    .where('realm_id', '=', tx.realmId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Files by ID, held until the commit, so that two changes of their use see each other. */
export async function lockAttachments(
  tx: RealmWriteTx,
  ids: readonly AttachmentId[],
): Promise<readonly AttachmentRow[]> {
  if (ids.length === 0) return [];
  return tx.db
    .selectFrom('attachment')
    .selectAll()
    .where('realm_id', '=', tx.realmId)
    .where(tx.dialect.anyOf('id', ids))
    .orderBy('id')
    .modifyEnd(tx.dialect.forUpdate)
    .execute();
}

/** Files by address; unknown ones, and those of other organizations, are missing. */
export async function findAttachmentsByPath(
  tx: RealmReadTx,
  pathIds: readonly string[],
): Promise<readonly AttachmentRow[]> {
  // What can be no path of ours is not asked for: databases take no NUL, for one.
  const possible = pathIds.filter(isFileKey);
  if (possible.length === 0) return [];
  return tx.db
    .selectFrom('attachment')
    .selectAll()
    .where('realm_id', '=', tx.realmId)
    .where(tx.dialect.anyOfText('path_id', possible))
    .orderBy('id')
    .execute();
}

/** The messages that use each of the files, oldest first. */
export async function usesOf(
  tx: RealmReadTx,
  ids: readonly AttachmentId[],
): Promise<ReadonlyMap<AttachmentId, readonly Use[]>> {
  const uses = new Map<AttachmentId, Use[]>(ids.map((id) => [id, []]));
  if (ids.length === 0) return uses;
  const rows = await tx.db
    .selectFrom('attachment_use')
    .innerJoin('message', 'message.id', 'attachment_use.message_id')
    .select(['attachment_use.attachment_id', 'attachment_use.message_id', 'message.sent_at'])
    .where('attachment_use.realm_id', '=', tx.realmId)
    .where(tx.dialect.anyOf('attachment_use.attachment_id', ids))
    .orderBy('attachment_use.message_id')
    .execute();
  for (const { attachment_id, message_id, sent_at } of rows) uses.get(attachment_id)?.push({ message_id, sent_at });
  return uses;
}

/** The files that any of the messages use. */
export async function usedBy(tx: RealmReadTx, messageIds: readonly MessageId[]): Promise<readonly AttachmentId[]> {
  if (messageIds.length === 0) return [];
  const rows = await tx.db
    .selectFrom('attachment_use')
    .select('attachment_id')
    .distinct()
    .where('realm_id', '=', tx.realmId)
    .where(tx.dialect.anyOf('message_id', messageIds))
    .execute();
  return rows.map((row) => row.attachment_id);
}

export async function insertUses(tx: RealmWriteTx, messageId: MessageId, ids: readonly AttachmentId[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.db
    .insertInto('attachment_use')
    .values(ids.map((attachment_id) => ({ realm_id: tx.realmId, attachment_id, message_id: messageId })))
    .execute();
}

/** Ends what these messages use; of these files only, where given. */
export async function deleteUses(
  tx: RealmWriteTx,
  messageIds: readonly MessageId[],
  ids?: readonly AttachmentId[],
): Promise<void> {
  let query = tx.db
    .deleteFrom('attachment_use')
    .where('realm_id', '=', tx.realmId)
    .where(tx.dialect.anyOf('message_id', messageIds));
  if (ids) query = query.where(tx.dialect.anyOf('attachment_id', ids));
  await query.execute();
}

/** Notes from when on nothing uses the files; null: something does. */
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

/** Notes what is known of an image; null: it cannot be drawn. */
export async function setImageNote(tx: RealmWriteTx, id: AttachmentId, note: ImageNote | null): Promise<void> {
  await tx.db
    .updateTable('attachment')
    .set({ image: note && JSON.stringify(note) })
    .where('realm_id', '=', tx.realmId)
    .where('id', '=', id)
    .execute();
}

/** Deletes the rows of files with their uses; gives those that were there. */
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

/** Files that nothing has used since `before`, of one organization, the oldest first. */
export function listUnused(tx: RealmReadTx, before: number, limit: number): Promise<readonly AttachmentRow[]> {
  return tx.db
    .selectFrom('attachment')
    .selectAll()
    .where('realm_id', '=', tx.realmId)
    .where('unused_since', '<=', before)
    .orderBy('unused_since')
    .limit(limit)
    .execute();
}

/** Those of the addresses, of whatever organization, that no file has. For the sweep of the store, which is shared. */
/** Addresses and sizes of all files, a part at a time in the order of the addresses. */
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
