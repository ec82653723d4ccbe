import { slice } from '#kernel/slice';
import { uploadEndpoints } from './endpoints.ts';
import { uploadEvents } from './events.ts';
import { deleteFiles, makeThumbnails } from './jobs.ts';
import { resumablePages } from './resumable/index.ts';
import { sweepRegularly } from './sweep.ts';
import { uploadTables } from './tables.ts';

export const uploads = slice({
  name: 'uploads',
  tables: uploadTables,
  reads: ['message'],
  endpoints: uploadEndpoints,
  pages: resumablePages,
  events: uploadEvents,
  jobs: [deleteFiles, makeThumbnails],
  background: sweepRegularly,
});

export {
  type Claimed,
  claimAttachments,
  findOpenable,
  type ReadableMessages,
  releaseAttachments,
  usedInReadable,
} from './claims.ts';
export { contentTypeOf } from './content-types.ts';
export { inspectImage, toUploadFacts } from './images.ts';
export { makeThumbnails, thumbnailsMade } from './jobs.ts';
export { shownName, thumbnailKey, uploadKey } from './names.ts';
export { receiveFile } from './receive.ts';
export { addUsage, findAttachmentsByPath, findOwnUploads, listStored, readUsage } from './queries.ts';
export { listUses } from './uses/queries.ts';
export { toWireAttachment, wireAttachment } from './wire.ts';
export type { AttachmentRow } from './tables.ts';
