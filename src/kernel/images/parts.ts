import { ImageTooLarge } from './faults.ts';
import type { ImageType } from './types.ts';

/**
 * Most frames of a GIF or WebP, and directories of a TIFF. Decoders read all of them before the first is drawn: 60 MB of
 * tiny ones took 26 to more than 120 seconds, and up to 400 MiB.
 */
const MAX_PICTURES = 5_000;
/** Most chunks of a PNG or WebP, and blocks of a GIF: stepping over them takes about 10 ms. */
const MAX_CHUNKS = 300_000;
/**
 * Most bytes of all compressed texts of a PNG, which a decoder unpacks to a thousand times as many and holds twice: 900 kB
 * took 2 GiB of memory.
 */
const MAX_TEXT_BYTES = 64 * 1024;
/** Bytes of a PNG's text in which its keyword ends. */
const KEYWORD_BYTES = 80;
/** Names of chunks, as numbers. */
const ZTXT = nameOf('zTXt');
const ITXT = nameOf('iTXt');
const ANMF = nameOf('ANMF');

/** Counts parts of a file; throws where there are more than a decoder may read. */
class Count {
  #chunks = 0;
  #pictures = 0;
  #textBytes = 0;

  chunk(): void {
    if (++this.#chunks > MAX_CHUNKS) throw ImageTooLarge();
  }

  picture(): void {
    if (++this.#pictures > MAX_PICTURES) throw ImageTooLarge();
  }

  text(bytes: number): void {
    this.#textBytes += bytes;
    if (this.#textBytes > MAX_TEXT_BYTES) throw ImageTooLarge();
  }
}

type Walk = (bytes: Buffer, count: Count) => void;
const WALKS: Readonly<Partial<Record<ImageType, Walk>>> = {
  'image/gif': walkGif,
  'image/png': walkPng,
  'image/tiff': walkTiff,
  'image/webp': walkWebp,
};

/**
 * Throws if an image has too many parts for its decoder, without decoding any. Steps from part to part, and ends where
 * the file does not go on as its format says, which is the decoder's to judge.
 */
export function assertFewParts(bytes: Uint8Array, type: ImageType): void {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    WALKS[type]?.(all, new Count());
  } catch (error) {
    // A number beyond the end of the file.
    if (!(error instanceof RangeError)) throw error;
  }
}

function walkPng(bytes: Buffer, count: Count): void {
  for (let at = 8; at < bytes.length; ) {
    count.chunk();
    const length = bytes.readUInt32BE(at);
    const name = bytes.readUInt32BE(at + 4);
    const keywordEnd = name === ITXT ? bytes.subarray(0, at + 8 + KEYWORD_BYTES).indexOf(0, at + 8) : -1;
    if (name === ZTXT || (keywordEnd !== -1 && bytes[keywordEnd + 1] !== 0)) count.text(length);
    at += 12 + length;
  }
}

function walkWebp(bytes: Buffer, count: Count): void {
  for (let at = 12; at < bytes.length; ) {
    count.chunk();
    if (bytes.readUInt32BE(at) === ANMF) count.picture();
    const length = bytes.readUInt32LE(at + 4);
    // Chunks have an even number of bytes.
    at += 8 + length + (length % 2);
  }
}

const GIF_EXTENSION = 0x21;
const GIF_FRAME = 0x2c;

function walkGif(bytes: Buffer, count: Count): void {
  let at = 13 + tableBytes(bytes.readUInt8(10));
  for (;;) {
    const kind = bytes.readUInt8(at);
    if (kind === GIF_FRAME) {
      count.picture();
      at += 11 + tableBytes(bytes.readUInt8(at + 9));
    } else if (kind === GIF_EXTENSION) at += 2;
    else return;
    at = endOfBlocks(bytes, at, count);
  }
}

/** Bytes of the table of colours that follows flags of a GIF. */
function tableBytes(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);
}

function nameOf(text: string): number {
  return Buffer.from(text, 'latin1').readUInt32BE();
}

/** Where a GIF goes on after blocks, each of which begins with its length; an empty one is the last. */
function endOfBlocks(bytes: Buffer, start: number, count: Count): number {
  let at = start;
  for (let length = bytes.readUInt8(at); length > 0; length = bytes.readUInt8(at)) {
    count.chunk();
    at += 1 + length;
  }
  return at + 1;
}

function walkTiff(bytes: Buffer, count: Count): void {
  const read = readerOf(bytes);
  // Bytes of an entry of a directory, of their number, and of a place in the file.
  const [entry, counter, place] = read(2, 2) === BIG_TIFF ? [20, 8, 8] : [12, 2, 4];
  for (let at = read(place, place); at !== 0; at = read(at + counter + entry * read(at, counter), place))
    count.picture();
}

/** Version of a TIFF whose numbers have 8 bytes. */
const BIG_TIFF = 43;

/** Reads numbers of 2, 4 or 8 bytes in the byte order of a TIFF. */
function readerOf(bytes: Buffer): (at: number, size: number) => number {
  if (bytes.toString('latin1', 0, 2) === 'II')
    return (at, size) => (size === 8 ? Number(bytes.readBigUInt64LE(at)) : bytes.readUIntLE(at, size));
  return (at, size) => (size === 8 ? Number(bytes.readBigUInt64BE(at)) : bytes.readUIntBE(at, size));
}
