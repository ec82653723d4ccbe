import { promisify } from 'node:util';
import { constants, crc32, deflateRaw, deflateRawSync } from 'node:zlib';
import { appending, combineCrc32, type Polynomial } from './combine-crc32.ts';

const deflate = promisify(deflateRaw);

/** A piece of a gzip stream, compressed on its own, or several that were. */
export interface Packed {
  readonly deflated: readonly Buffer[];
  readonly crc: number;
  /** What the checksum of whatever stands before is multiplied by. */
  readonly factor: Polynomial;
  /** Bytes before compression. */
  readonly length: number;
}

const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
/** The last block of a stream: empty, with fixed codes. */
const LAST_BLOCK = Buffer.from([3, 0]);

/** A piece in both forms. */
export interface Segment {
  readonly text: string;
  readonly packed: Packed;
  /** What it was cut from and keeps in memory, with its bytes; a piece of its own has none. */
  readonly cutFrom?: { readonly size: number };
}

/**
 * Up to so many bytes a piece is compressed at once, within a millisecond; handing it to another thread and back costs
 * several times as much as compressing it.
 */
const MAX_AT_ONCE = 65_536;
const OPTIONS = { level: 2, finishFlush: constants.Z_FULL_FLUSH };

/** Below so many bytes a piece is stored as it is: compressed on its own it would hardly be smaller. At most 65,535. */
const MIN_DEFLATED = 512;

/** Shorter pieces are remembered: what stands between those that are shared repeats itself, as settings nobody changed do. */
const REMEMBERED_BELOW = 4096;
/** Most UTF-16 units of remembered pieces. */
const MAX_REMEMBERED = 4_194_304;
const remembered = new Map<string, Segment>();
let rememberedLength = 0;

/** A text in both forms. */
export async function segment(text: string): Promise<Segment> {
  const known = text.length < REMEMBERED_BELOW ? remembered.get(text) : undefined;
  if (known) return known;
  const made = { text, packed: await pack(Buffer.from(text)) };
  if (text.length < REMEMBERED_BELOW) remember(text, made);
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
  if (bytes.length < MIN_DEFLATED) return stored(bytes);
  const isShort = bytes.length <= MAX_AT_ONCE;
  return packed(isShort ? deflateRawSync(bytes, OPTIONS) : await deflate(bytes, OPTIONS), bytes);
}

/** A block without compression: RFC 1951 section 3.2.4. Blocks before it end with a byte, as a full flush has them do. */
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

/** Pieces in order as one, without touching their bytes. */
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

/** One gzip stream of all pieces in order, to be written one buffer after the other. */
export function join(segments: readonly Packed[]): readonly Buffer[] {
  const { deflated, crc, length } = combined(segments);
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc, 0);
  trailer.writeUInt32LE(length % 2 ** 32, 4);
  return [HEADER, ...deflated, LAST_BLOCK, trailer];
}
