import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import { Refusal } from '../refusal.ts';
import { safeParts } from './tar.ts';
import { shownPath } from './shown-path.ts';

/** Bytes of a zip's end record, without a comment and with the longest one. */
const END_BYTES = 22;
const MAX_END_BYTES = END_BYTES + 65_535;
const END = 0x06054b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
const MAX_DIRECTORY = 200 * 2 ** 20;
/** Value of a field whose number is in a Zip64 record. */
const ELSEWHERE = 0xffffffff;

/** A file of a zip archive. */
interface ZipEntry {
  readonly path: readonly string[];
  readonly size: number;
  readonly content: AsyncIterable<Uint8Array>;
}

const damaged = () => new Refusal('the archive is damaged, or no zip');
const lying = ({ name }: Packed) => new Refusal(`the archive is damaged at ${shownPath(name)}`);

/** Yields the regular files of a zip archive, stored or deflated. Throws for Zip64, which is needed above four GiB. */
export async function* zipEntries(archive: string, length: number): AsyncGenerator<ZipEntry> {
  const file = await open(archive, 'r');
  const read = async (from: number, count: number): Promise<Buffer> => {
    if (from < 0 || count < 0 || from + count > length) throw damaged();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(count), 0, count, from);
    if (bytesRead < count) throw damaged();
    return buffer;
  };
  try {
    const tailBytes = Math.min(length, MAX_END_BYTES);
    const tail = await read(length - tailBytes, tailBytes);
    const at = tail.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
    if (at === -1 || at + END_BYTES > tail.length || tail.readUInt32LE(at) !== END) throw damaged();
    const [count, bytes, from] = [tail.readUInt16LE(at + 10), tail.readUInt32LE(at + 12), tail.readUInt32LE(at + 16)];
    if (from === ELSEWHERE || count === 0xffff)
      throw new Refusal('the zip is larger than 4 GiB: unpack it, and import the folder');
    if (bytes > MAX_DIRECTORY) throw damaged();
    const directory = await read(from, bytes);
    for (let place = 0; place < directory.length; ) {
      if (place + 46 > directory.length || directory.readUInt32LE(place) !== ENTRY) throw damaged();
      const lengths = [28, 30, 32].map((offset) => directory.readUInt16LE(place + offset));
      const [nameLength = 0, extra = 0, comment = 0] = lengths;
      const name = directory.subarray(place + 46, place + 46 + nameLength).toString('utf8');
      const [flags, method] = [directory.readUInt16LE(place + 8), directory.readUInt16LE(place + 10)];
      const [packed, size] = [directory.readUInt32LE(place + 20), directory.readUInt32LE(place + 24)];
      const [sum, local] = [directory.readUInt32LE(place + 16), directory.readUInt32LE(place + 42)];
      place += 46 + nameLength + extra + comment;
      if ((flags & 1) !== 0) throw new Refusal('the zip is encrypted');
      if (name.endsWith('/')) continue;
      if (method !== 0 && method !== 8) throw new Refusal('the zip is packed in a way that is not known here');
      const path = safeParts(name);
      const header = await read(local, 30);
      if (header.readUInt32LE(0) !== LOCAL) throw damaged();
      const start = local + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
      if (start + packed > length) throw damaged();
      const where = { name: path.join('/'), start, packed, size, sum, isDeflated: method === 8 };
      yield { path, size, content: contentOf(archive, where) };
    }
  } finally {
    await file.close();
  }
}

/** Where a file lies in the archive, its sizes there and unpacked in bytes, and the checksum of its content. */
interface Packed {
  readonly name: string;
  readonly start: number;
  readonly packed: number;
  readonly size: number;
  readonly sum: number;
  readonly isDeflated: boolean;
}

/** Yields a file's bytes; throws if they are not those that the archive says. */
async function* contentOf(archive: string, file: Packed) {
  const { start, packed, size } = file;
  let [left, found] = [size, 0];
  if (packed > 0)
    for await (const piece of bytesOf(archive, start, packed, file.isDeflated)) {
      const chunk = Buffer.from(piece);
      left -= chunk.length;
      if (left < 0) throw lying(file);
      found = crc32(chunk, found);
      yield chunk;
    }
  if (left !== 0 || found !== file.sum) throw lying(file);
}

function bytesOf(archive: string, start: number, count: number, isDeflated: boolean): Readable {
  const raw = createReadStream(archive, { start, end: start + count - 1 });
  if (!isDeflated) return raw;
  const bytes = raw.pipe(createInflateRaw());
  raw.on('error', (error) => bytes.destroy(error));
  return bytes;
}
