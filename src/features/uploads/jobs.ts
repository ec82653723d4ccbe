import type { Thumbnails } from '#kernel/images';
import { defineJob } from '#kernel/jobs';
import type { Context } from '#kernel/context';
import { signal } from '#kernel/slice';
import { ofImage, toImageNote } from './images.ts';
import { thumbnailKey, uploadKey } from './names.ts';
import { findAttachment, setImageNote } from './queries.ts';
import type { AttachmentId, AttachmentRow } from './tables.ts';

/** The thumbnails of a file were made, or it turned out that there will be none (`image` is null). */
export const thumbnailsMade = signal<AttachmentRow>('uploads/thumbnails-made');

/** Deletes the bytes of files whose rows were deleted, and their thumbnails. */
export const deleteFiles = defineJob<{ path_ids: readonly string[] }, Context>(
  'delete-files',
  async ({ path_ids }, { context }) => {
    for (const pathId of path_ids) {
      await removeThumbnails(context, pathId);
      await context.files.remove(uploadKey(pathId));
    }
  },
);

/** Makes the thumbnails of an uploaded image. */
export const makeThumbnails = defineJob<{ id: AttachmentId }, Context>(
  'make-thumbnails',
  async ({ id }, { context, realmId, finish }) => {
    const row = await context.store.of(realmId).query((tx) => findAttachment(tx, id));
    if (!row) return;
    const made = await ofImage(context, row, (read) => context.images.makeThumbnails(read, row.owner_id));
    if (!made && !row.image) return;
    for (const picture of made ? picturesOf(made) : [])
      await context.files.put(thumbnailKey(row.path_id, picture.name), picture.bytes);
    const isThere = await context.store.of(realmId).write(async (tx) => {
      await finish(tx);
      // The update locks the row; a file that was deleted in the meantime has none.
      await setImageNote(tx, id, made && noteOf(made));
      const now = await findAttachment(tx, id);
      if (now) await thumbnailsMade.send(tx, now, context);
      return now !== undefined;
    });
    if (!isThere) await removeThumbnails(context, row.path_id);
  },
  'pictures',
);

function picturesOf({ thumbnails, transcoded }: Thumbnails) {
  return transcoded ? [...thumbnails, transcoded] : thumbnails;
}

function noteOf({ facts, thumbnails, transcoded }: Thumbnails) {
  const names = thumbnails.map(({ name }) => name);
  return { ...toImageNote(facts), thumbnails: names, ...(transcoded && { transcoded: transcoded.name }) };
}

async function removeThumbnails(context: Context, pathId: string): Promise<void> {
  for await (const { key } of context.files.list(thumbnailKey(pathId, ''))) await context.files.remove(key);
}
