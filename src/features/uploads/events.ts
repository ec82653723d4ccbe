import { event } from '#kernel/events';
import { idOf, int, object } from '#kernel/schema';
import type { AttachmentId } from './tables.ts';
import { wireAttachment } from './wire.ts';

const SOURCE = 'protocol/events#own-data';
const STALE = 'files are listed by GET /attachments, not by the register response';
const shown = { attachment: wireAttachment, upload_space_used: int() };

/** A file was uploaded. See protocol/events#own-data. */
export const attachmentAdded = event({ type: 'attachment', op: 'add', source: SOURCE, payload: shown, stale: STALE });
/** A message began or stopped using a file. See protocol/events#own-data. */
export const attachmentUpdated = event({
  type: 'attachment',
  op: 'update',
  source: SOURCE,
  payload: shown,
  stale: STALE,
});
/** A file was deleted. See protocol/events#own-data. */
export const attachmentRemoved = event({
  type: 'attachment',
  op: 'remove',
  source: SOURCE,
  payload: { attachment: object({ id: idOf<AttachmentId>() }), upload_space_used: int() },
  stale: STALE,
});

export const uploadEvents = [attachmentAdded, attachmentUpdated, attachmentRemoved];
