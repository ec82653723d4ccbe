import { ImageFormatInvalid } from './faults.ts';

/** Media types of images that Roost looks into. SVG is none of them: it is a program. */
export type ImageType =
  | 'image/avif'
  | 'image/gif'
  | 'image/heic'
  | 'image/jpeg'
  | 'image/png'
  | 'image/tiff'
  | 'image/webp';

/** What gets thumbnails. See protocol/markdown#images-from-links. */
export const THUMBNAIL_TYPES: readonly ImageType[] = [
  'image/avif',
  'image/gif',
  'image/heic',
  'image/jpeg',
  'image/png',
  'image/tiff',
  'image/webp',
];
/** What an emoji, an icon or a logo may be. See protocol/files#fetching. */
export const EMOJI_TYPES: readonly ImageType[] = ['image/gif', 'image/jpeg', 'image/png', 'image/webp'];
/** What an avatar may be. See protocol/files#fetching. */
export const AVATAR_TYPES: readonly ImageType[] = [...EMOJI_TYPES, 'image/tiff'];
/** What browsers do not draw. See protocol/markdown#images-from-links. */
export const TRANSCODED_TYPES: readonly ImageType[] = ['image/heic', 'image/tiff'];

/** Bytes at the beginning of a file that tell its type; what file-type asks for. */
const SNIFFED_BYTES = 4_100;

/** Other names of the same types. An animated PNG is a PNG whose first picture is drawn. */
const ALIASES: ReadonlyMap<string, ImageType> = new Map([
  ['image/apng', 'image/png'],
  ['image/heif', 'image/heic'],
  ['image/heic-sequence', 'image/heic'],
  ['image/heif-sequence', 'image/heic'],
]);

/** The type that a file's own first bytes show; whatever its name and its sender say. Undefined: no image for us. */
export async function sniffImageType(bytes: Uint8Array): Promise<ImageType | undefined> {
  const { fileTypeFromBuffer } = await import('file-type');
  const found: string | undefined = (await fileTypeFromBuffer(sniffedOf(bytes)))?.mime;
  return THUMBNAIL_TYPES.find((type) => type === found) ?? ALIASES.get(found ?? '');
}

/** A TIFF's table of contents may lie at its end, and tells it from the raw pictures of cameras. */
function sniffedOf(bytes: Uint8Array): Uint8Array {
  const mark = Buffer.from(bytes.subarray(0, 4)).toString('latin1');
  return mark === 'II*\0' || mark === 'MM\0*' ? bytes : bytes.subarray(0, SNIFFED_BYTES);
}

/** The type of an image, which must be one of `accepted`. */
export async function assertImageType(bytes: Uint8Array, accepted: readonly ImageType[]): Promise<ImageType> {
  const type = await sniffImageType(bytes);
  if (type === undefined || !accepted.includes(type)) throw ImageFormatInvalid();
  return type;
}
