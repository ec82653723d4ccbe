import { ImportRefused } from '../entry.ts';
import { parsedJson } from '../json.ts';
import type { ArchiveFiles } from '../source.ts';

/** Longest line that is read: it is whole in memory. */
const MAX_LINE_BYTES = 64 * 2 ** 20;
const NEWLINE = 0x0a;

export interface Line {
  /** Counted from 1. */
  readonly number: number;
  /** Bytes of the file before it. */
  readonly from: number;
  /** Without its end. */
  readonly bytes: Buffer;
}

/** The lines of a file one after the other. */
export async function* linesOf(files: Pick<ArchiveFiles, 'open'>, path: string): AsyncGenerator<Line> {
  let [number, from] = [0, 0];
  let held: Buffer[] = [];
  let heldBytes = 0;
  for await (const chunk of (await files.open(path)) ?? []) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
      const line = Buffer.concat([...held, bytes.subarray(start, end)]);
      yield { number: ++number, from, bytes: line };
      from += line.length + 1;
      [held, heldBytes, start] = [[], 0, end + 1];
    }
    held.push(bytes.subarray(start));
    heldBytes += bytes.length - start;
    if (heldBytes > MAX_LINE_BYTES)
      throw new ImportRefused(`${path}, line ${number + 1} is longer than ${MAX_LINE_BYTES / 2 ** 20} MiB`);
  }
  if (heldBytes > 0) yield { number: number + 1, from, bytes: Buffer.concat(held) };
}

/** What a line of JSON says. */
export function parsedLine(path: string, { number, bytes }: Line): unknown {
  const found = parsedJson(`${path}, line ${number}`, bytes.toString('utf8'));
  if (!found) throw new ImportRefused(`${path}, line ${number} is no JSON, or only its beginning`);
  return found.value;
}
