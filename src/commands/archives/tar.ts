import { Refusal } from '../refusal.ts';
import { shownPath } from './shown-path.ts';

const BLOCK = 512;
/** Longest path in an extension header, in bytes. */
const MAX_NAME = 4096;
/** Longest name of a file or folder, in bytes; file systems take no longer ones. */
const MAX_PART = 255;
/** Deepest nesting of folders. */
const MAX_DEPTH = 32;
/** Largest entry that is not a file, in bytes. */
const MAX_OTHER = 2 ** 20;

/** A file of a tar archive. `content` must be read before the next file is requested; what is unread is skipped. */
interface TarEntry {
  /** The parts of its path, without `..`. */
  readonly path: readonly string[];
  readonly size: number;
  readonly content: AsyncIterable<Uint8Array>;
}

/** Yields the regular files of a tar archive (POSIX, with pax and GNU extensions for long names). Links are skipped. */
export async function* tarEntries(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry> {
  const input = new Input(bytes);
  let longName: string | undefined;
  for (;;) {
    const header = await input.take(BLOCK);
    if (header.every((byte) => byte === 0)) return;
    if (header.length < BLOCK) throw damaged();
    assertHeader(header);
    const size = sizeOf(header);
    const type = String.fromCharCode(header[156] ?? 0);
    if (type === 'x' || type === 'L' || type === 'g') {
      if (size > MAX_NAME * 16) throw damaged();
      const text = (await input.take(size)).toString('utf8');
      await input.take(padding(size));
      if (type === 'x') longName = /(?:^|\n)\d+ path=([^\n]*)\n/.exec(text)?.[1] ?? longName;
      if (type === 'L') longName = text.replace(/\0.*$/s, '');
      continue;
    }
    const name: string = longName ?? nameOf(header);
    longName = undefined;
    const isFile = type === '0' || type === '\0' || type === '7';
    // Skipped, and not counted.
    if (!isFile && size > MAX_OTHER) throw damaged();
    if (isFile) yield { path: safeParts(name), size, content: input.part(size) };
    await input.endPart(size);
    await input.take(padding(size));
  }
}

const padding = (size: number) => (BLOCK - (size % BLOCK)) % BLOCK;
const damaged = () => new Refusal('the archive is damaged, or no tar');

function assertHeader(header: Buffer): void {
  const sum = octal(header, 148, 8);
  const found = header.reduce((total, byte, index) => total + (index >= 148 && index < 156 ? 32 : byte), 0);
  if (sum !== found) throw damaged();
}

function nameOf(header: Buffer): string {
  const text = (from: number, length: number) =>
    header
      .subarray(from, from + length)
      .toString('utf8')
      .replace(/\0.*$/s, '');
  const prefix = text(257, 5) === 'ustar' ? text(345, 155) : '';
  return prefix === '' ? text(0, 100) : `${prefix}/${text(0, 100)}`;
}

function sizeOf(header: Buffer): number {
  // A size too large for the octal field is a big-endian number with the first bit set.
  const size = (header[124] ?? 0) >= 0x80 ? Number(header.readBigUInt64BE(128)) : octal(header, 124, 12);
  if (!Number.isSafeInteger(size) || size < 0) throw damaged();
  return size;
}

function octal(header: Buffer, from: number, length: number): number {
  const text = header
    .subarray(from, from + length)
    .toString('latin1')
    .replaceAll(/[\0 ]/g, '');
  if (!/^[0-7]*$/.test(text)) throw damaged();
  return text === '' ? 0 : Number.parseInt(text, 8);
}

/** Splits a path; throws if it is absolute or contains `..`. */
export function safeParts(name: string): readonly string[] {
  const parts = name.split('/').filter((part) => part !== '' && part !== '.');
  const isUnsafe = name.startsWith('/') || name.length > MAX_NAME || /^[a-z]:/i.test(name) || /[\\\0]/.test(name);
  const shown = shownPath(name);
  if (isUnsafe || parts.length === 0 || parts.includes('..'))
    throw new Refusal(`the archive has a file whose path leads out of it: ${shown}`);
  if (parts.length > MAX_DEPTH)
    throw new Refusal(`the archive has more than ${MAX_DEPTH} folders within one another: ${shown}`);
  if (parts.some((part) => Buffer.byteLength(part) > MAX_PART))
    throw new Refusal(`the archive has a file or folder whose name is too long: ${shown}`);
  return parts;
}

/** Reads bytes in the requested amounts, whatever the size of the chunks they come in. */
class Input {
  readonly #source: AsyncIterator<Uint8Array>;
  #held: Buffer = Buffer.alloc(0);
  /** Unread bytes of the current entry; -1 if reading it has not begun. */
  #left = -1;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Reads this many bytes; fewer at the end. */
  async take(count: number): Promise<Buffer> {
    const pieces: Buffer[] = [];
    for (let missing = count; missing > 0; ) {
      const piece = await this.#next(missing);
      if (!piece) break;
      pieces.push(piece);
      missing -= piece.length;
    }
    return Buffer.concat(pieces);
  }

  /** Yields the next bytes in chunks as they come. */
  async *part(size: number): AsyncGenerator<Buffer> {
    this.#left = size;
    while (this.#left > 0) {
      const piece = await this.#next(this.#left);
      if (!piece) throw damaged();
      this.#left -= piece.length;
      yield piece;
    }
  }

  /** Skips the unread bytes of an entry. */
  async endPart(size: number): Promise<void> {
    const rest = this.#left > 0 ? this.#left : this.#left === 0 ? 0 : size;
    for await (const _piece of this.part(rest));
    this.#left = -1;
  }

  async #next(most: number): Promise<Buffer | undefined> {
    while (this.#held.length === 0) {
      const next: IteratorResult<Uint8Array, unknown> = await this.#source.next();
      if (next.done) return undefined;
      this.#held = Buffer.from(next.value);
    }
    const piece = this.#held.subarray(0, most);
    this.#held = this.#held.subarray(piece.length);
    return piece;
  }
}
