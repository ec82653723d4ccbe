import { idOf, int, list, object, type SchemaOf, str, timestamp } from '#kernel/schema';
import type { MessageId } from '#kernel/ids';
import type { AttachmentId, AttachmentRow } from './tables.ts';

/**
 * A file as its owner sees it. See protocol/files#attachments; both lists of messages by protocol/files#attachments.
 */
export const wireAttachment = object({
  id: idOf<AttachmentId>(),
  name: str(),
  path_id: str(),
  size: int(),
  create_time: timestamp(),
  message_ids: list(idOf<MessageId>()),
  messages: list(object({ id: idOf<MessageId>(), date_sent: timestamp() })),
}).meta({ id: 'Attachment' });
export type WireAttachment = SchemaOf<typeof wireAttachment>;

/** Most messages that are listed of a file that many use: the newest. See protocol/files#attachments. */
export const MAX_LISTED = 100;

/** A message that uses a file. */
export interface Use {
  readonly message_id: MessageId;
  readonly sent_at: number;
}

/** A file with messages that use it, oldest first. */
export function toWireAttachment(row: AttachmentRow, uses: readonly Use[]): WireAttachment {
  const { id, name, path_id, size, create_time } = row;
  return {
    id,
    name,
    path_id,
    size,
    create_time,
    message_ids: uses.map((use) => use.message_id),
    messages: uses.map((use) => ({ id: use.message_id, date_sent: use.sent_at })),
  };
}
