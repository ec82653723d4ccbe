import { promisify } from 'node:util';
import { constants, crc32, deflateRaw, deflateRawSync } from 'node:zlib';
import { appending, combineCrc32, type Polynomial } from './combine-crc32.ts';

const deflate = promisify(deflateRaw);

/** One or more pieces of a gzip stream, each compressed on its own. */
export interface Packed {
  readonly deflated: readonly Buffer[];
  readonly crc: number;
  /** The factor for the checksum of whatever precedes this piece (`appending`). */
  readonly factor: Polynomial;
  /** Bytes before compression. */
  readonly length: number;
}

const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
/** The last block of a stream: empty, with fixed codes. */
const LAST_BLOCK = Buffer.from([3, 0]);

/** A piece as text and compressed. */
export interface Segment {
  readonly text: string;
  readonly packed: Packed;
  /** The list that it was cut from and keeps in memory, with its size in bytes; undefined for a piece of its own. */
  readonly cutFrom?: { readonly size: number };
}

/**
 * Pieces of at most so many bytes are compressed synchronously, within a millisecond; handing one to another thread and
 * back costs several times as much.
 */
const MAX_AT_ONCE = 65_536;
const OPTIONS = { level: 2, finishFlush: constants.Z_FULL_FLUSH };
/**
 * For pieces that are compressed synchronously. A window of 8 KB makes them about as small as the default of 32 KB, whose
 * tables take longer to set up than a short piece takes to compress.
 */
const OPTIONS_AT_ONCE = { ...OPTIONS, windowBits: 13, memLevel: 6 };

/**
 * Pieces of fewer bytes are stored uncompressed: compression would hardly shrink them. At most 65,535, the longest
 * stored block.
 */
const MIN_DEFLATED = 512;

/**
 * Pieces of fewer UTF-16 units are cached: those between shared pieces repeat, such as settings that nobody changed.
 */
const REMEMBERED_BELOW = 4096;
/** Most UTF-16 units of all cached pieces. */
const MAX_REMEMBERED = 4_194_304;
const remembered = new Map<string, Segment>();
let rememberedLength = 0;

/** Returns a text with its compressed form. */
export async function segment(text: string): Promise<Segment> {
  return text.length < REMEMBERED_BELOW ? shortSegment(text) : { text, packed: await pack(Buffer.from(text)) };
}

/** Returns a text of fewer than 4096 UTF-16 units with its compressed form. */
export function shortSegment(text: string): Segment {
  const known = remembered.get(text);
  if (known) return known;
  const made = { text, packed: packNow(Buffer.from(text)) };
  remember(text, made);
  return made;
}

/** Returns the parts, of which texts are compressed. */
export async function segments(parts: readonly (string | Segment)[]): Promise<readonly Segment[]> {
  const made: Segment[] = [];
  for (const part of parts) {
    if (typeof part !== 'string') made.push(part);
    // Hundreds of short texts in a response would each wait for a turn of the microtask queue.
    else made.push(part.length < REMEMBERED_BELOW ? shortSegment(part) : await segment(part));
  }
  return made;
}

function remember(text: string, made: Segment): void {
  if (rememberedLength + text.length > MAX_REMEMBERED) {
    remembered.clear();
    rememberedLength = 0;
  }
  remembered.set(text, made);
  rememberedLength += text.length;
}

/** Compresses a piece so that others can stand before and after it. */
export async function pack(bytes: Buffer): Promise<Packed> {
  return bytes.length <= MAX_AT_ONCE ? packNow(bytes) : packed(await deflate(bytes, OPTIONS), bytes);
}

function packNow(bytes: Buffer): Packed {
  return bytes.length < MIN_DEFLATED ? stored(bytes) : packed(deflateRawSync(bytes, OPTIONS_AT_ONCE), bytes);
}

/**
 * Returns a block without compression (RFC 1951 section 3.2.4). Blocks before it end at a byte boundary, as a full
 * flush makes them do.
 */
function stored(bytes: Buffer): Packed {
  const head = Buffer.alloc(5);
  head.writeUInt16LE(bytes.length, 1);
  head.writeUInt16LE(~bytes.length & 0xffff, 3);
  return packed(Buffer.concat([head, bytes]), bytes);
}

function packed(deflated: Buffer, bytes: Buffer): Packed {
  const { length } = bytes;
  return { deflated: [deflated], crc: crc32(bytes), factor: appending(length), length };
}

/** Combines pieces in order without copying their bytes. */
export function combined(segments: readonly Packed[]): Packed {
  const buffers: Buffer[] = [];
  let crc = 0;
  let length = 0;
  for (const segment of segments) {
    for (const buffer of segment.deflated) buffers.push(buffer);
    crc = combineCrc32(crc, segment.crc, segment.factor);
    length += segment.length;
  }
  return { deflated: buffers, crc, factor: appending(length), length };
}

/** Returns one gzip stream of all pieces in order, as buffers to be written one after the other. */
export function join(segments: readonly Packed[]): readonly Buffer[] {
  const { deflated, crc, length } = combined(segments);
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc, 0);
  trailer.writeUInt32LE(length % 2 ** 32, 4);
  return [HEADER, ...deflated, LAST_BLOCK, trailer];
}
