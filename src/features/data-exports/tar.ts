const BLOCK = 512;
/** Longest name, in bytes, that a header holds without a pax extension. */
const MAX_NAME_BYTES = 100;
/** Largest size that a header holds as octal digits. */
const MAX_SIZE = 0o77777777777;

/**
 * Returns the header of a file in a tar archive (POSIX pax), preceded by an extension if its name is long or its size
 * large.
 */
export function tarHeader(path: string, size: number, mtime: number): Buffer {
  const name = Buffer.from(path);
  if (name.length <= MAX_NAME_BYTES && size <= MAX_SIZE) return block(name, size, mtime, '0');
  const records = Buffer.from(paxRecord('path', path) + paxRecord('size', String(size)));
  const extension = block(Buffer.from('PaxHeader/file'), records.length, mtime, 'x');
  const plain = block(name.subarray(0, MAX_NAME_BYTES), Math.min(size, MAX_SIZE), mtime, '0');
  return Buffer.concat([extension, records, tarPadding(records.length), plain]);
}

/** Returns the zeros that fill up the last block of a file. */
export function tarPadding(size: number): Buffer {
  return Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK);
}

/** The two empty blocks that end an archive. */
export const TAR_END = Buffer.alloc(2 * BLOCK);

function block(name: Buffer, size: number, mtime: number, type: string): Buffer {
  const header = Buffer.alloc(BLOCK);
  name.copy(header);
  const octal = (value: number, at: number, digits: number) =>
    header.write(`${value.toString(8).padStart(digits, '0')}\0`, at, 'latin1');
  octal(0o600, 100, 7);
  octal(0, 108, 7);
  octal(0, 116, 7);
  octal(size, 124, 11);
  octal(mtime, 136, 11);
  header.write(' '.repeat(8), 148, 'latin1');
  header.write(type, 156, 'latin1');
  header.write('ustar\x0000', 257, 'latin1');
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return header;
}

/** A record starts with its own length, which includes the digits of that length. */
function paxRecord(name: string, value: string): string {
  const rest = Buffer.byteLength(` ${name}=${value}\n`);
  let length = rest + String(rest).length;
  if (rest + String(length).length > length) length++;
  return `${length} ${name}=${value}\n`;
}
