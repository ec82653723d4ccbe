import type { Upload } from '@tus/server';
import type { Actor } from '#kernel/auth';
import { SECONDS_PER_DAY } from '#kernel/clock';
import type { Context } from '#kernel/context';
import { invariant } from '#kernel/errors';
import { contentTypeOf } from '../content-types.ts';
import { shownName, UNFINISHED_FOLDER, uploadKey, uploadUrl } from '../names.ts';
import {
  bytesOfPieces,
  deleteUnfinished,
  giveUp,
  isRefusal,
  listPieces,
  listUnfinishedBefore,
  ProtocolFault,
  removePieces,
  tooMuch,
  withoutPiece,
} from '../partial/index.ts';
import { findAttachmentsByPath } from '../queries.ts';
import { addAttachment } from '../receive.ts';
import type { UnfinishedUpload } from '../tables.ts';

/** Names that are replaced because they are no names. See protocol/files#tus. */
const NO_NAMES: ReadonlySet<string> = new Set(['', '.', '..']);

/** Another request, perhaps at another process, has finished or terminated the upload. */
class NoLongerUnfinished extends Error {}

/** The name for people: as it was sent. */
export function sentName(upload: Pick<Upload, 'metadata'>): string {
  const name = shownName(upload.metadata?.['filename'] ?? '');
  return NO_NAMES.has(name) ? 'uploaded-file' : name;
}

/**
 * Joins the pieces of an upload and creates its attachment, even if two requests do so at once; returns the body of the
 * last answer. After a failure the next request may try again.
 */
export async function finishUpload(
  context: Context,
  actor: Actor,
  upload: Pick<UnfinishedUpload, 'path_id' | 'size' | 'metadata'>,
): Promise<string> {
  const { path_id } = upload;
  const name = sentName({ metadata: upload.metadata ?? {} });
  try {
    await putTogether(context, actor, { ...upload, name });
  } catch (error) {
    if (isRefusal(error)) {
      await giveUp(context, { path_id, realm_id: actor.realmId });
      await context.files.remove(uploadKey(path_id));
      throw tooMuch(error);
    }
    const [there] = await context.store.as(actor).query((tx) => findAttachmentsByPath(tx, [path_id]));
    if (!there && !(error instanceof NoLongerUnfinished)) throw error;
    if (!there) await context.files.remove(uploadKey(path_id));
    if (!there) throw new ProtocolFault(404, 'Upload not found');
  }
  return finishedBody(path_id, name);
}

async function putTogether(
  context: Context,
  actor: Actor,
  { path_id, size, metadata, name }: Pick<UnfinishedUpload, 'path_id' | 'size' | 'metadata'> & { name: string },
): Promise<void> {
  const pieces = await context.store.as(actor).query((tx) => listPieces(tx, path_id));
  invariant(pieces.reduce((sum, piece) => sum + piece.size, 0) === size, 'the pieces of a whole upload are its bytes');
  await context.files.put(uploadKey(path_id), bytesOfPieces(context, pieces));
  const content_type = contentTypeOf(metadata?.['filetype'] ?? undefined, name);
  await addAttachment(context, actor, { name, path_id, size, content_type }, async (tx) => {
    if (!(await deleteUnfinished(tx, path_id))) throw new NoLongerUnfinished('the upload is no longer unfinished');
  });
  await removePieces(context, pieces);
}

/** The body of the answer about a finished upload. See protocol/files#tus. */
export function finishedBody(pathId: string, name: string): string {
  return JSON.stringify({ url: uploadUrl(pathId), filename: name });
}

/** Seconds for which an unfinished upload and its reserved room are kept. See protocol/files#tus. */
const UNFINISHED_SECONDS = SECONDS_PER_DAY;
const BATCH = 200;

/** Deletes uploads that were begun long ago and never finished, and pieces without a row. */
export async function sweepUnfinished(context: Context): Promise<void> {
  for (let more = true; more; ) {
    const old = await context.store.query((tx) => listUnfinishedBefore(tx, tx.now - UNFINISHED_SECONDS, BATCH));
    for (const upload of old) await giveUp(context, upload);
    more = old.length === BATCH;
  }
  await removeOrphans(context);
}

/**
 * Deletes pieces without a row: a process may have crashed between storing a piece and its row, or between deleting a
 * row and its piece.
 */
async function removeOrphans(context: Context): Promise<void> {
  const before = context.clock.nowMs() - UNFINISHED_SECONDS * 1000;
  let batch: string[] = [];
  const flush = async () => {
    const tokenOf = (key: string) => key.slice(key.lastIndexOf('/') + 1);
    const unknown = await context.store.query((tx) => withoutPiece(tx, batch.map(tokenOf)));
    for (const key of batch) if (unknown.has(tokenOf(key))) await context.files.remove(key);
    batch = [];
  };
  for await (const { key, storedAtMs } of context.files.list(UNFINISHED_FOLDER)) {
    if (storedAtMs > before) continue;
    batch.push(key);
    if (batch.length === BATCH) await flush();
  }
  if (batch.length > 0) await flush();
}
