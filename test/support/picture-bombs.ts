import { crc32, deflateSync } from 'node:zlib';
import { plain } from './pictures.ts';

/** An image of 9 × 9 pixels with that many frames or pages. */
export async function manyFrames(format: 'gif' | 'webp' | 'tiff' | 'bigtiff', count: number): Promise<Buffer> {
  if (format === 'bigtiff') return manyBigPages(count);
  const one = await plain(9, 9)[format]().toBuffer();
  if (format === 'gif') {
    const start = one.indexOf(Buffer.from([0x2c, 0, 0, 0, 0]));
    return Buffer.concat([one.subarray(0, start), ...copies(one.subarray(start, -1), count), Buffer.from(';')]);
  }
  if (format === 'webp') {
    const size = Buffer.from([8, 0, 0, 8, 0, 0]);
    const frame = Buffer.concat([Buffer.alloc(6), size, Buffer.from([10, 0, 0, 0]), one.subarray(12)]);
    const head = [riff('VP8X', Buffer.concat([Buffer.from([2, 0, 0, 0]), size])), riff('ANIM', Buffer.alloc(6))];
    const body = [Buffer.from('WEBP'), ...head, ...copies(riff('ANMF', frame), count)];
    return riff('RIFF', Buffer.concat(body));
  }
  const first = one.readUInt32LE(4);
  const directory = one.subarray(first, first + 2 + 12 * one.readUInt16LE(first) + 4);
  const more = Buffer.concat(copies(directory, count - 1));
  for (let page = 1; page < count - 1; page++)
    more.writeUInt32LE(one.length + page * directory.length, page * directory.length - 4);
  const whole = Buffer.concat([one, more]);
  whole.writeUInt32LE(one.length, first + directory.length - 4);
  return whole;
}

/** A TIFF of version 43, in which numbers of entries and places have 8 bytes and entries 20. */
async function manyBigPages(count: number): Promise<Buffer> {
  const one = await plain(9, 9).tiff({ bigtiff: true }).toBuffer();
  const first = Number(one.readBigUInt64LE(8));
  const directory = one.subarray(first, first + 8 + 20 * Number(one.readBigUInt64LE(first)) + 8);
  const more = Buffer.concat(copies(directory, count - 1));
  const placeOf = (page: number) => BigInt(one.length + page * directory.length);
  for (let page = 1; page < count - 1; page++) more.writeBigUInt64LE(placeOf(page), page * directory.length - 8);
  const whole = Buffer.concat([one, more]);
  whole.writeBigUInt64LE(placeOf(0), first + directory.length - 8);
  return whole;
}

function riff(name: string, data: Buffer): Buffer {
  const head = Buffer.from(`${name}    `);
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data]);
}

function copies(bytes: Buffer, count: number): readonly Buffer[] {
  return Array.from({ length: count }, () => bytes);
}

/** A PNG with so many compressed texts, each of which unpacks to 7 MiB: decoders leave out those from 8 MiB on. */
export async function pngWithTexts(name: 'zTXt' | 'iTXt', count: number): Promise<Buffer> {
  const png = await plain(9, 9).png().toBuffer();
  const packed = deflateSync(Buffer.alloc(7 * 2 ** 20, 'a'), { level: 9 });
  const head = Buffer.from(name === 'zTXt' ? 'key\0\0' : 'key\0\x01\0\0\0', 'latin1');
  // Behind the header, which has 13 bytes.
  return Buffer.concat([
    png.subarray(0, 33),
    ...copies(chunk(name, Buffer.concat([head, packed])), count),
    png.subarray(33),
  ]);
}

/** A chunk of a PNG. */
export function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
