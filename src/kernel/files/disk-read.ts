import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import { hasCode } from './durable.ts';
import { assertRange, type ByteRange, type OpenedFile, RangeUnsatisfiable } from './files.ts';

/** What the system says of a path that leads to no file. */
const NO_FILE = ['ENOENT', 'ENOTDIR', 'EISDIR', 'ELOOP', 'ENAMETOOLONG'] as const;

/** Opens a file or a range of it; undefined for a folder, a link or nothing. */
export async function openAt(path: string, range: ByteRange | undefined): Promise<OpenedFile | undefined> {
  if (range) assertRange(range);
  // Without O_NOFOLLOW a link planted in the folder would lead out of it.
  const handle = await orNothing(open(path, constants.O_RDONLY | constants.O_NOFOLLOW));
  if (!handle) return undefined;
  try {
    const stats = await handle.stat();
    if (stats.isFile()) return read(handle, stats.size, range);
  } catch (error) {
    await handle.close();
    throw error;
  }
  await handle.close();
  return undefined;
}

/** What the system knows of a file; undefined for a folder, a link or nothing. */
export async function statsAt(path: string): Promise<Stats | undefined> {
  const stats = await orNothing(lstat(path));
  return stats?.isFile() ? stats : undefined;
}

/** Returns the result of `work` on a path; undefined when the path leads to no file. */
export async function orNothing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (hasCode(error, ...NO_FILE)) return undefined;
    throw error;
  }
}

function read(handle: FileHandle, size: number, range: ByteRange | undefined): OpenedFile {
  if (!range) return { size, start: 0, length: size, stream: handle.createReadStream() };
  if (range.start >= size) throw new RangeUnsatisfiable('the file ends before the range');
  const end = Math.min(range.end ?? size - 1, size - 1);
  const { start } = range;
  return { size, start, length: end - start + 1, stream: handle.createReadStream({ start, end }) };
}
