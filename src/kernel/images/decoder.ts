import type { Metadata, Sharp, SharpOptions } from 'sharp';
import { ImageCorrupt, ImageTooLarge, ImageUndecodable } from './faults.ts';
import type { ImageType } from './types.ts';

/** Most pixels of one image, all pictures of an animation together. Stack section 8. */
export const MAX_PIXELS = 50_000_000;
/**
 * Most pixels of an AVIF or HEIC, whose decoder holds the whole picture several times: 48 million took 890 MB of memory,
 * from a file of 1 kB.
 */
const MAX_HEIF_PIXELS = 16_000_000;
/**
 * Most bytes that a decoder holds of an image whose parts come in no order: of an interlaced PNG all pixels, of a progressive
 * JPEG two bytes for each value. 50 million pixels of 16 bits took 470 MB of memory, from a file of 600 kB.
 */
const MAX_HELD_BYTES = 160 * 2 ** 20;
/** Values of each pixel of a JPEG, by how it stores colours. */
const VALUES: Readonly<Record<string, number>> = { '4:2:0': 1.5, '4:2:2': 2 };
/** Most bytes of an image file that is decoded. */
export const MAX_IMAGE_BYTES = 64 * 1024 * 1024;
/** Seconds until the work on one image is given up. */
const TIMEOUT_SECONDS = 20;

/** The names under which the decoder knows our types. */
const FORMATS: Readonly<Record<ImageType, string>> = {
  'image/avif': 'heif',
  'image/gif': 'gif',
  'image/heic': 'heif',
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/tiff': 'tiff',
  'image/webp': 'webp',
};
/** The only readers that are open; SVG, PDF and all others stay shut whatever the bytes look like. */
const READERS = ['Jpeg', 'Png', 'Webp', 'Heif', 'Nsgif', 'Tiff'].map((name) => `VipsForeignLoad${name}`);

/** An image that was looked into. */
export interface ImageFacts {
  readonly type: ImageType;
  /** In pixels, as it is shown: after the rotation that its metadata asks for. */
  readonly width: number;
  readonly height: number;
  /** How many pictures it has; more than one: it is animated. */
  readonly frames: number;
}

let loaded: ReturnType<typeof load> | undefined;

/** The decoder, loaded on first use and restricted before it sees anything. */
async function load() {
  const { default: sharp } = await import('sharp');
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: READERS });
  sharp.cache(false);
  return sharp;
}

/** Opens an image of a known type for work on its first pictures (default: one). Nothing is decoded yet. */
export async function openImage(bytes: Uint8Array, pages = 1): Promise<Sharp> {
  if (bytes.length > MAX_IMAGE_BYTES) throw ImageTooLarge();
  const sharp = await (loaded ??= load());
  const options: SharpOptions = { pages, limitInputPixels: MAX_PIXELS, failOn: 'error', autoOrient: true };
  return sharp(bytes, options).timeout({ seconds: TIMEOUT_SECONDS });
}

/** Reads what an image of a known type says of itself. */
export async function readFacts(bytes: Uint8Array, type: ImageType): Promise<ImageFacts> {
  const image = await openImage(bytes);
  const metadata = await image.metadata().catch((error: unknown) => {
    throw isTooLarge(error) ? ImageTooLarge() : ImageUndecodable();
  });
  if (metadata.format !== FORMATS[type]) throw ImageUndecodable();
  const { width, height } = metadata.autoOrient;
  if (metadata.format === 'heif' && width * height > MAX_HEIF_PIXELS) throw ImageTooLarge();
  if (heldBytesOf(metadata) > MAX_HELD_BYTES) throw ImageTooLarge();
  return { type, width, height, frames: framesOf(metadata, type) };
}

/** Bytes of an image that are in memory at once, where its rows cannot be drawn one after the other. */
function heldBytesOf({
  isProgressive,
  format,
  width,
  height,
  channels,
  depth,
  chromaSubsampling = '',
}: Metadata): number {
  if (isProgressive !== true || (format !== 'png' && format !== 'jpeg')) return 0;
  const values = format === 'jpeg' ? Math.min(channels, VALUES[chromaSubsampling] ?? channels) : channels;
  return width * height * values * (format === 'jpeg' || depth === 'ushort' ? 2 : 1);
}

/** Runs the work on an image; what goes wrong in it is the image's fault. */
export async function draw<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isTooLarge(error) ? ImageTooLarge() : ImageCorrupt();
  }
}

/** Pages of a TIFF and pictures of a HEIF file are no animation. */
function framesOf({ pages = 1 }: Metadata, type: ImageType): number {
  return type === 'image/gif' || type === 'image/webp' ? pages : 1;
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && /exceeds pixel limit|timeout/.test(error.message);
}
