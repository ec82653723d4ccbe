import { linesOf } from '../neutral/index.ts';
import type { ArchiveFiles } from '../source.ts';

/** Largest mail that is read: it is whole in memory. */
const MAX_MAIL_BYTES = 64 * 2 ** 20;
/** Lines that are put together: by themselves, three million empty ones took 900 MiB. */
const LINES = 4096;
const FROM = Buffer.from('From ');
const NEWLINE = Buffer.from('\n');

/** A mail of an mbox file, as it was before it was put there. */
export interface Letter {
  readonly place: string;
  readonly from: number;
  readonly length: number;
  readonly bytes: Buffer;
}

/** Mails of a file one after the other; undefined in place of one that is too large. */
export async function* lettersOf(
  files: ArchiveFiles,
  path: string,
): AsyncGenerator<Letter | { readonly place: string; readonly bytes: undefined }> {
  let [whole, lines]: [Buffer[], Buffer[]] = [[], []];
  let [bytes, from, number, isAfterBlank, end] = [0, 0, 0, true, 0];
  const letter = () => {
    const place = `${path}, mail ${number}`;
    if (bytes > MAX_MAIL_BYTES) return { place, bytes: undefined };
    return { place, from, length: end - from, bytes: Buffer.concat([...whole, ...lines]) };
  };
  for await (const line of linesOf(files, path)) {
    // A mail begins with a line "From …" behind an empty one; others that look like it are written ">From …".
    if (isAfterBlank && isSeparator(line.bytes)) {
      if (number > 0) yield letter();
      [whole, lines, bytes, from] = [[], [], 0, line.from];
      number++;
    } else if (number > 0 && bytes <= MAX_MAIL_BYTES) {
      lines.push(unquoted(line.bytes), NEWLINE);
      bytes += line.bytes.length + 1;
      if (lines.length >= LINES) {
        whole.push(Buffer.concat(lines));
        lines = [];
      }
    }
    isAfterBlank = line.bytes.length === 0 || (line.bytes.length === 1 && line.bytes[0] === 0x0d);
    end = line.from + line.bytes.length + 1;
  }
  if (number > 0) yield letter();
}

/** RFC 4155: an address and a time; archives on the web write "name at host" for the address. */
function isSeparator(line: Buffer): boolean {
  return line.subarray(0, FROM.length).equals(FROM) && /\d{2}:\d{2}/.test(line.toString('latin1', 0, 400));
}

function unquoted(line: Buffer): Buffer {
  return /^>+From /.test(line.toString('latin1', 0, 64)) ? line.subarray(1) : line;
}

/** Reads the mail at a position found before. */
export async function letterAt(files: ArchiveFiles, path: string, from: number, length: number): Promise<Buffer> {
  const text = Buffer.from(await files.part(path, from, length)).toString('latin1');
  return Buffer.from(text.slice(text.indexOf('\n') + 1).replaceAll(/^>(>*From )/gm, '$1'), 'latin1');
}
