import { onlyUsers } from '#kernel/events';
import type { RealmId } from '#kernel/ids';
import type { WriteTx } from '#kernel/store';
import { attachmentAdded, attachmentRemoved, attachmentUpdated } from './events.ts';
import { readUsage, usesOf } from './queries.ts';
import type { AttachmentRow } from './tables.ts';
import { toWireAttachment } from './wire.ts';

/** Tells the owners that their files are there, or used otherwise than before. */
export async function announceAttachments(
  tx: WriteTx,
  realmId: RealmId,
  rows: readonly AttachmentRow[],
  change: 'add' | 'update',
): Promise<void> {
  const upload_space_used = await readUsage(tx, realmId);
  const uses = await usesOf(
    tx,
    realmId,
    rows.map((row) => row.id),
  );
  const type = change === 'add' ? attachmentAdded : attachmentUpdated;
  for (const row of rows) {
    const attachment = toWireAttachment(row, uses.get(row.id) ?? []);
    tx.emit(type(realmId, { attachment, upload_space_used }, { audience: onlyUsers(row.owner_id) }));
  }
}

/** Tells the owners that their files are gone. */
export async function announceRemoved(tx: WriteTx, realmId: RealmId, rows: readonly AttachmentRow[]): Promise<void> {
  const upload_space_used = await readUsage(tx, realmId);
  for (const { id, owner_id } of rows)
    tx.emit(attachmentRemoved(realmId, { attachment: { id }, upload_space_used }, { audience: onlyUsers(owner_id) }));
}
