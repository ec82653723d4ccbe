import type { Actor } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { enqueue } from '#kernel/jobs';
import type { RealmWriteTx } from '#kernel/store';
import { announceRemoved } from './announce.ts';
import { InvalidAttachment } from './errors.ts';
import { deleteFiles } from './jobs.ts';
import { addUsage, deleteAttachments, findAttachment } from './queries.ts';
import type { AttachmentId, AttachmentRow } from './tables.ts';

/**
 * Deletes a file of the caller's. Messages keep their links, which then lead nowhere. See protocol/files#attachments.
 */
export function removeAttachment(context: Context, actor: Actor, id: AttachmentId): Promise<void> {
  return context.store.as(actor).write(async (tx) => {
    const row = await findAttachment(tx, id);
    if (!row || row.owner_id !== actor.userId) throw InvalidAttachment();
    if ((await dropAttachments(tx, [id])).length === 0) throw InvalidAttachment();
  });
}

/**
 * Deletes the rows of files at once, and their bytes, which nobody can reach any more, by a job. Returns the files that
 * still existed.
 */
export async function dropAttachments(
  tx: RealmWriteTx,
  ids: readonly AttachmentId[],
): Promise<readonly AttachmentRow[]> {
  const rows = ids.length === 0 ? [] : await deleteAttachments(tx, ids);
  if (rows.length === 0) return rows;
  await addUsage(tx, -rows.reduce((sum, row) => sum + row.size, 0));
  await announceRemoved(tx, rows);
  await enqueue(tx, deleteFiles, { path_ids: rows.map((row) => row.path_id) });
  return rows;
}
