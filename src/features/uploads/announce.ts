import { onlyUsers } from '#kernel/events';
import type { RealmWriteTx } from '#kernel/store';
import { attachmentAdded, attachmentRemoved, attachmentUpdated } from './events.ts';
import { readUsage } from './queries.ts';
import type { AttachmentRow } from './tables.ts';
import { timedUsesOf } from './uses/queries.ts';
import { MAX_LISTED, toWireAttachment } from './wire.ts';

/** Most messages in all events of one change. See protocol/files#attachments. */
const MAX_IN_CHANGE = 1000;

/** Emits events to the owners of files about a new file or a change of its use. */
export async function announceAttachments(
  tx: RealmWriteTx,
  rows: readonly AttachmentRow[],
  change: 'add' | 'update',
): Promise<void> {
  const upload_space_used = await readUsage(tx);
  const ids = rows.map((row) => row.id);
  const uses = await timedUsesOf(tx, ids, { each: MAX_LISTED, inAll: MAX_IN_CHANGE, from: 'newest' });
  const type = change === 'add' ? attachmentAdded : attachmentUpdated;
  for (const row of rows) {
    const attachment = toWireAttachment(row, uses.get(row.id) ?? []);
    tx.emit(type({ attachment, upload_space_used }, { audience: onlyUsers(row.owner_id) }));
  }
}

/** Emits events to the owners of files that were deleted. */
export async function announceRemoved(tx: RealmWriteTx, rows: readonly AttachmentRow[]): Promise<void> {
  const upload_space_used = await readUsage(tx);
  for (const { id, owner_id } of rows)
    tx.emit(attachmentRemoved({ attachment: { id }, upload_space_used }, { audience: onlyUsers(owner_id) }));
}
