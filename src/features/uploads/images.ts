import type { Context, ReadContext } from '#kernel/context';
import { invariant } from '#kernel/errors';
import {
  type ImageFacts,
  ImageUndecodable,
  isBadImage,
  MAX_IMAGE_BYTES,
  type ReadImage,
  sniffImageType,
} from '#kernel/images';
import type { UploadFacts } from '#kernel/markdown';
import { uploadKey } from './names.ts';
import type { AttachmentRow, ImageNote } from './tables.ts';

/** Number of first bytes that reveal the type of an image. */
const SNIFFED_BYTES = 4_100;

type Stored = Pick<AttachmentRow, 'path_id' | 'size' | 'content_type'>;

/** Inspects an uploaded file as an image before its thumbnails are made; null if it is none. */
export function inspectImage(context: Context, file: Stored): Promise<ImageNote | null> {
  return ofImage(context, file, async (read) => toImageNote(await context.images.inspect(read)));
}

/** A note without thumbnails. */
export function toImageNote({ width, height, frames, type }: ImageFacts): ImageNote {
  return { width, height, frames, type, thumbnails: [] };
}

/** Runs `work` with what reads an image; null if the file is no image that can be drawn. */
export async function ofImage<T>(
  context: Pick<ReadContext, 'files'>,
  { path_id, size, content_type }: Stored,
  work: (read: ReadImage) => Promise<T>,
): Promise<T | null> {
  if (size === 0 || size > MAX_IMAGE_BYTES) return null;
  const head = await readBytes(context, path_id, Math.min(size, SNIFFED_BYTES));
  const mayBeImage = head && ((await sniffImageType(head)) !== undefined || content_type === 'image/tiff');
  if (!mayBeImage) return null;
  try {
    return await work(async () => {
      const bytes = await readBytes(context, path_id, size);
      if (!bytes) throw ImageUndecodable();
      return bytes;
    });
  } catch (error) {
    if (isBadImage(error)) return null;
    throw error;
  }
}

async function readBytes(
  context: Pick<ReadContext, 'files'>,
  pathId: string,
  length: number,
): Promise<Buffer | undefined> {
  const opened = await context.files.open(uploadKey(pathId), { start: 0, end: length - 1 });
  if (!opened) return undefined;
  // Not joined from pieces, which would take the memory twice.
  const bytes = Buffer.alloc(length);
  let at = 0;
  for await (const chunk of opened.stream) {
    invariant(Buffer.isBuffer(chunk), 'a stored file yields buffers');
    at += chunk.copy(bytes, at);
  }
  return bytes.subarray(0, at);
}

/** Thumbnails for messages, in order of preference. See protocol/markdown#images-from-links. */
const SHOWN = ['840x560-anim.webp', '840x560.webp'];

/** Facts about a file for messages that link to it. */
export function toUploadFacts({ path_id, content_type, image }: AttachmentRow): UploadFacts {
  return {
    path_id,
    content_type: image?.type ?? content_type,
    width: image?.width ?? null,
    height: image?.height ?? null,
    thumbnail_format: SHOWN.find((name) => image?.thumbnails.includes(name)) ?? null,
    transcoded: image?.transcoded ?? null,
  };
}
