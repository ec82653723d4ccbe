import { ImageFormatInvalid } from './faults.ts';

/** Media types of images that Roost decodes. SVG is not one of them, because it can contain scripts. */
export type ImageType =
  | 'image/avif'
  | 'image/gif'
  | 'image/heic'
  | 'image/jpeg'
  | 'image/png'
  | 'image/tiff'
  | 'image/webp';

/** Types that get thumbnails. See protocol/markdown#images-from-links. */
export const THUMBNAIL_TYPES: readonly ImageType[] = [
  'image/avif',
  'image/gif',
  'image/heic',
  'image/jpeg',
  'image/png',
  'image/tiff',
  'image/webp',
];
/** Types of emoji, icons and logos. See protocol/files#fetching. */
export const EMOJI_TYPES: readonly ImageType[] = ['image/gif', 'image/jpeg', 'image/png', 'image/webp'];
/** Types of avatars. See protocol/files#fetching. */
export const AVATAR_TYPES: readonly ImageType[] = [...EMOJI_TYPES, 'image/tiff'];
/** Types that browsers do not display. See protocol/markdown#images-from-links. */
export const TRANSCODED_TYPES: readonly ImageType[] = ['image/heic', 'image/tiff'];

/** Bytes at the beginning of a file that are needed to detect its type; the number that file-type uses. */
const SNIFFED_BYTES = 4_100;

/** Aliases of types. An animated PNG counts as a PNG, of which the first frame is drawn. */
const ALIASES: ReadonlyMap<string, ImageType> = new Map([
  ['image/apng', 'image/png'],
  ['image/heif', 'image/heic'],
  ['image/heic-sequence', 'image/heic'],
  ['image/heif-sequence', 'image/heic'],
]);

/**
 * Detects the image type from a file's first bytes, ignoring its name and Content-Type. Undefined if it is not an image
 * of a known type.
 */
export async function sniffImageType(bytes: Uint8Array): Promise<ImageType | undefined> {
  const { fileTypeFromBuffer } = await import('file-type');
  const found: string | undefined = (await fileTypeFromBuffer(sniffedOf(bytes)))?.mime;
  return THUMBNAIL_TYPES.find((type) => type === found) ?? ALIASES.get(found ?? '');
}

/** The directory of a TIFF can be at its end, and distinguishes it from cameras' raw formats. */
function sniffedOf(bytes: Uint8Array): Uint8Array {
  const mark = Buffer.from(bytes.subarray(0, 4)).toString('latin1');
  return mark === 'II*\0' || mark === 'MM\0*' ? bytes : bytes.subarray(0, SNIFFED_BYTES);
}

/** Returns the type of an image; throws unless it is one of `accepted`. */
export async function assertImageType(bytes: Uint8Array, accepted: readonly ImageType[]): Promise<ImageType> {
  const type = await sniffImageType(bytes);
  if (type === undefined || !accepted.includes(type)) throw ImageFormatInvalid();
  return type;
}
