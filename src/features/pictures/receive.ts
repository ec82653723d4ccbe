import type { UploadedFile } from '#kernel/endpoint';
import { invariant } from '#kernel/errors';
import { PictureTooLarge } from './errors.ts';

/** Largest file for an avatar, emoji, icon or logo, in MiB. See protocol/wire#limits. */
const MAX_PICTURE_MIB = 5;

/**
 * Returns the bytes of the only file of a form, which count with those of other bodies; throws `otherwise` if there is none, or
 * another one.
 */
export async function receivePicture(file: UploadedFile | undefined, otherwise: () => Error): Promise<Buffer> {
  if (!file) throw otherwise();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of file.stream) {
    invariant(Buffer.isBuffer(chunk), 'a file part yields buffers');
    size += chunk.length;
    if (size > MAX_PICTURE_MIB * 1024 * 1024) throw PictureTooLarge({ max: MAX_PICTURE_MIB });
    file.hold(chunk.length);
    chunks.push(chunk);
  }
  if (!(await file.isLast())) throw otherwise();
  return Buffer.concat(chunks);
}
