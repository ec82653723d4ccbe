import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { diskFault } from './away.ts';
import { orNothing } from './disk-read.ts';
import { hasCode, place, syncFile, writeDurably } from './durable.ts';
import type { ByteSource } from './files.ts';

/** The folder of all files, and the one beside them for those that are not whole yet. */
export interface Folders {
  readonly root: string;
  readonly incoming: string;
}

/** Stores a source at the path `to`, which it gets only when the disk has its bytes; gives their number. */
export async function storeAt({ root, incoming }: Folders, to: string, source: ByteSource): Promise<number> {
  const temporary = join(incoming, randomUUID());
  try {
    const size = await writeDurably(temporary, source);
    await place(root, temporary, to);
    return size;
  } catch (error) {
    await orNothing(unlink(temporary));
    throw diskFault(error);
  }
}

/** Moves a finished file to the path `to`; from another file system it can only be copied. Gives its size. */
export async function takeTo(folders: Folders, to: string, from: string): Promise<number> {
  try {
    const size = await syncFile(from);
    await place(folders.root, from, to);
    return size;
  } catch (error) {
    if (!hasCode(error, 'EXDEV')) throw diskFault(error);
    const size = await storeAt(folders, to, createReadStream(from));
    await unlink(from);
    return size;
  }
}

/** Writes a small file, reads it back and removes it. */
export async function tryRoundTrip({ incoming }: Folders): Promise<void> {
  const path = join(incoming, randomUUID());
  const sent = Buffer.from(randomUUID());
  try {
    await writeDurably(path, sent);
    if (!sent.equals(await readFile(path))) throw new Error('the disk gave back other bytes than it was given');
  } finally {
    await orNothing(unlink(path));
  }
}
