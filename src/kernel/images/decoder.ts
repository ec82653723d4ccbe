import { type ImageCorrupt, ImageTooLarge, ImageUndecodable } from './faults.ts';
import { DecoderFault, type ImageMetadata, type ImageProcess, type Opening } from './image-process.ts';
import { assertFewParts } from './parts.ts';
import type { ImageType } from './types.ts';

/** Most pixels of one image, all frames of an animation together. */
export const MAX_PIXELS = 50_000_000;
/**
 * Most bytes that are held at once while an image is drawn: of one that is not stored row by row the whole, and of all
 * some rows. 50 million pixels of 16 bits took 470 MB of memory, from a file of 600 kB, and an avatar of 65,000 x 700
 * pixels 535 MiB.
 */
const MAX_HELD_BYTES = 210 * 2 ** 20;
/** Rows that are held while an image is shrunk, and in how many copies. */
const HELD_ROWS = 500;
const COPIES = 6;
/** Values per pixel of a JPEG, by chroma subsampling. */
const VALUES: Readonly<Record<string, number>> = { '4:2:0': 1.5, '4:2:2': 2 };
/** Bytes of a value, by its type. */
const DEPTHS: Readonly<Record<string, number>> = { uchar: 1, char: 1, ushort: 2, short: 2, uint: 4, int: 4, float: 4 };
/** Largest image file that is decoded, in bytes. */
export const MAX_IMAGE_BYTES = 64 * 1024 * 1024;
/** Timeout for one image, in seconds. */
const TIMEOUT_SECONDS = 20;

/** The decoder's names of our types. */
const FORMATS: Readonly<Record<ImageType, string>> = {
  'image/avif': 'heif',
  'image/gif': 'gif',
  'image/heic': 'heif',
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/tiff': 'tiff',
  'image/webp': 'webp',
};
/** Properties of an image. */
export interface ImageFacts {
  readonly type: ImageType;
  /** In pixels, after the rotation in its metadata. */
  readonly width: number;
  readonly height: number;
  /** How many frames it has; more than one if it is animated. */
  readonly frames: number;
}

/** How an image is opened with its first frames, by default one. */
export function opening(pages = 1): Opening {
  return { pages, maxPixels: MAX_PIXELS, timeoutSeconds: TIMEOUT_SECONDS };
}

/** Hands an image of a known type to the process that decodes it, and reads its properties. */
export async function readFacts(decoder: ImageProcess, bytes: Uint8Array, type: ImageType): Promise<ImageFacts> {
  assertFewParts(bytes, type);
  if (bytes.length > MAX_IMAGE_BYTES) throw ImageTooLarge();
  const metadata = await decoder.read(bytes, opening()).catch(refusing(ImageUndecodable));
  if (metadata.format !== FORMATS[type]) throw ImageUndecodable();
  const { width, height } = metadata.autoOrient;
  if (width * height * heldPerPixel(metadata) + rowsBytes(metadata) > MAX_HELD_BYTES) throw ImageTooLarge();
  return { type, width, height, frames: framesOf(metadata, type) };
}

/** Bytes of the rows that are held at once, which are those before the rotation in its metadata. */
function rowsBytes({ format, width, height, channels, depth }: ImageMetadata): number {
  if (format === 'heif') return 0;
  return width * channels * (DEPTHS[depth] ?? 8) * Math.min(height, HELD_ROWS) * COPIES;
}

/** Bytes that a decoder holds for each pixel of an image that is not stored row by row; 0 for others. */
function heldPerPixel({
  isProgressive,
  format,
  channels,
  depth,
  chromaSubsampling = '',
  pages = 1,
}: ImageMetadata): number {
  switch (format) {
    case 'png':
      return isProgressive ? channels * (DEPTHS[depth] ?? 8) : 0;
    case 'jpeg':
      return isProgressive ? 2 * Math.min(channels, VALUES[chromaSubsampling] ?? channels) : 0;
    // The picture as it was before the current frame, of a WebP also the frame.
    case 'gif':
      return 4;
    case 'webp':
      return pages > 1 ? 8 : 0;
    // One tile may be as large as the image.
    case 'tiff':
      return channels * (DEPTHS[depth] ?? 8);
    // Several copies, and rows: 48 million pixels took 890 MB, from a file of 1 kB.
    case 'heif':
      return 17;
    default:
      return 0;
  }
}

/** Returns what throws the refusal that a fault of the decoder means: of what takes too much, or the usual one. */
export function refusing(usual: typeof ImageCorrupt): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof DecoderFault)) throw error;
    throw /exceeds pixel limit|timeout/.test(error.message) ? ImageTooLarge() : usual();
  };
}

/** Pages of a TIFF and images of a HEIF file are not an animation. */
function framesOf({ pages = 1 }: ImageMetadata, type: ImageType): number {
  return type === 'image/gif' || type === 'image/webp' ? pages : 1;
}
