import { createHash } from 'node:crypto';
import type { Files } from '#kernel/files';
import { Refusal } from '../refusal.ts';

/** Files that are copied concurrently: each mostly waits for the object store. */
const AT_ONCE = 8;
/** Most passes over all files; each pass finds only what was stored during the one before. */
const MAX_PASSES = 10;

interface Moved {
  copied: number;
  bytes: number;
  known: number;
  /** Files that were listed but could not be opened, in the source or after copying. */
  readonly missed: string[];
}

/**
 * Copies all files to another store and reads each back. Files that exist there in the same size are skipped, so a copy
 * that was interrupted continues. The server may be running: it never changes an existing file.
 */
export async function moveFiles(source: Files, target: Files): Promise<void> {
  await target.checkHealth();
  let missed: readonly string[] = [];
  for (let pass = 1; pass <= MAX_PASSES; pass++) {
    const moved: Moved = { copied: 0, bytes: 0, known: 0, missed: [] };
    await Promise.all(workers(source.list(''), (file) => copyOne({ source, target, moved }, file)));
    const mib = (moved.bytes / 2 ** 20).toFixed(1);
    process.stdout.write(
      `pass ${pass}: ${moved.copied} files copied and compared (${mib} MiB), ${moved.known} were there\n`,
    );
    missed = moved.missed;
    if (moved.copied === 0 && missed.length === 0) return;
  }
  throw new Refusal(
    missed[0] === undefined
      ? 'files come faster than they are copied: run this again at a quiet hour'
      : `${missed.length} file(s) are listed and cannot be read, ${missed[0]} among them`,
  );
}

type Listing = ReturnType<Files['list']>;
type Listed = Listing extends AsyncIterable<infer File> ? File : never;

/** A pass over all files. */
interface Pass {
  readonly source: Files;
  readonly target: Files;
  readonly moved: Moved;
}

/** Starts workers that share one listing. */
function workers(listing: Listing, work: (file: Listed) => Promise<void>): readonly Promise<void>[] {
  const files = listing[Symbol.asyncIterator]();
  return Array.from({ length: AT_ONCE }, async () => {
    for (let next = await files.next(); !next.done; next = await files.next()) await work(next.value);
  });
}

async function copyOne({ source, target, moved }: Pass, { key, size }: Listed): Promise<void> {
  if ((await target.size(key)) === size) {
    moved.known++;
    return;
  }
  const opened = await source.open(key);
  // If it was deleted after it was listed, the next pass does not list it.
  if (!opened) {
    moved.missed.push(key);
    return;
  }
  const sent = createHash('sha256');
  await target.put(key, hashed(opened.stream, sent));
  const stored = createHash('sha256');
  const back = await target.open(key);
  if (back) for await (const _bytes of hashed(back.stream, stored));
  if (!back || sent.digest('hex') !== stored.digest('hex')) {
    await target.remove(key);
    throw new Refusal(`${key} came back different from the other place, and was taken away there`);
  }
  moved.copied++;
  moved.bytes += size;
}

async function* hashed(stream: AsyncIterable<Uint8Array>, hash: ReturnType<typeof createHash>) {
  for await (const bytes of stream) {
    hash.update(bytes);
    yield bytes;
  }
}
