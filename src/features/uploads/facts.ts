import type { UploadFacts } from '#kernel/markdown';
import type { AttachmentRow } from './tables.ts';

/** Thumbnails that messages show, the most welcome first. See protocol/markdown#images-from-links. */
const SHOWN = ['840x560-anim.webp', '840x560.webp'];

/** What a message that links a file may show of it. */
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
