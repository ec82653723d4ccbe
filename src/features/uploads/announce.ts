import { onlyUsers } from '#kernel/events';
import type { RealmWriteTx } from '#kernel/store';
import { attachmentAdded, attachmentRemoved, attachmentUpdated } from './events.ts';
import { readUsage, usesOf } from './queries.ts';
import type { AttachmentRow } from './tables.ts';
import { toWireAttachment } from './wire.ts';

/** Tells the owners that their files are there, or used otherwise than before. */
export async function announceAttachments(
  tx: RealmWriteTx,
  rows: readonly AttachmentRow[],
  change: 'add' | 'update',
): Promise<void> {
  const upload_space_used = await readUsage(tx);
  const uses = await usesOf(
    tx,
    rows.map((row) => row.id),
  );
  const type = change === 'add' ? attachmentAdded : attachmentUpdated;
  for (const row of rows) {
    const attachment = toWireAttachment(row, uses.get(row.id) ?? []);
    tx.emit(type(tx.realmId, { attachment, upload_space_used }, { audience: onlyUsers(row.owner_id) }));
  }
}

/** Tells the owners that their files are gone. */
export async function announceRemoved(tx: RealmWriteTx, rows: readonly AttachmentRow[]): Promise<void> {
  const upload_space_used = await readUsage(tx);
  for (const { id, owner_id } of rows)
    tx.emit(
      attachmentRemoved(tx.realmId, { attachment: { id }, upload_space_used }, { audience: onlyUsers(owner_id) }),
    );
}
