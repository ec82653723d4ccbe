import type { Metadata, Sharp, SharpOptions } from 'sharp';
import { ImageCorrupt, ImageTooLarge, ImageUndecodable } from './faults.ts';
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
/** The only enabled loaders; SVG, PDF and all others stay blocked whatever the bytes look like. */
const READERS = ['Jpeg', 'Png', 'Webp', 'Heif', 'Nsgif', 'Tiff'].map((name) => `VipsForeignLoad${name}`);

/** Properties of an image. */
export interface ImageFacts {
  readonly type: ImageType;
  /** In pixels, after the rotation in its metadata. */
  readonly width: number;
  readonly height: number;
  /** How many frames it has; more than one if it is animated. */
  readonly frames: number;
}

let loaded: ReturnType<typeof load> | undefined;

/** Loads the decoder on first use, and restricts it before it reads anything. */
async function load() {
  const { default: sharp } = await import('sharp');
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: READERS });
  sharp.cache(false);
  return sharp;
}

/** Opens an image of a known type with its first frames (by default one), without decoding it. */
export async function openImage(bytes: Uint8Array, pages = 1): Promise<Sharp> {
  if (bytes.length > MAX_IMAGE_BYTES) throw ImageTooLarge();
  const sharp = await (loaded ??= load());
  const options: SharpOptions = { pages, limitInputPixels: MAX_PIXELS, failOn: 'error', autoOrient: true };
  return sharp(bytes, options).timeout({ seconds: TIMEOUT_SECONDS });
}

/** Reads the properties of an image of a known type. */
export async function readFacts(bytes: Uint8Array, type: ImageType): Promise<ImageFacts> {
  assertFewParts(bytes, type);
  const image = await openImage(bytes);
  const metadata = await image.metadata().catch((error: unknown) => {
    throw isTooLarge(error) ? ImageTooLarge() : ImageUndecodable();
  });
  if (metadata.format !== FORMATS[type]) throw ImageUndecodable();
  const { width, height } = metadata.autoOrient;
  if (width * height * heldPerPixel(metadata) + rowsBytes(metadata) > MAX_HELD_BYTES) throw ImageTooLarge();
  return { type, width, height, frames: framesOf(metadata, type) };
}

/** Bytes of the rows that are held at once, which are those before the rotation in its metadata. */
function rowsBytes({ format, width, height, channels, depth }: Metadata): number {
  if (format === 'heif') return 0;
  return width * channels * (DEPTHS[depth] ?? 8) * Math.min(height, HELD_ROWS) * COPIES;
}

/** Bytes that a decoder holds for each pixel of an image that is not stored row by row; 0 for others. */
function heldPerPixel({ isProgressive, format, channels, depth, chromaSubsampling = '', pages = 1 }: Metadata): number {
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

/** Runs work on an image; any error counts as a fault of the image. */
export async function draw<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isTooLarge(error) ? ImageTooLarge() : ImageCorrupt();
  }
}

/** Pages of a TIFF and images of a HEIF file are not an animation. */
function framesOf({ pages = 1 }: Metadata, type: ImageType): number {
  return type === 'image/gif' || type === 'image/webp' ? pages : 1;
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && /exceeds pixel limit|timeout/.test(error.message);
}
