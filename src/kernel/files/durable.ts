import { mkdir, open, rename, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';

const FILE_MODE = 0o600;
/** The server's user may look in, nobody else. */
export const FOLDER_MODE = 0o700;
/** A rename is tried again when a removal has just taken the empty folder away. More than a handful is not chance. */
const PLACE_ATTEMPTS = 5;

/** Writes a new file and returns its size when the disk has it. A file of that name must not exist. */
export async function writeDurably(path: string, source: Uint8Array | AsyncIterable<Uint8Array>): Promise<number> {
  const handle = await open(path, 'wx', FILE_MODE);
  try {
    await writeFile(handle, source);
    await handle.sync();
    return (await handle.stat()).size;
  } finally {
    await handle.close();
  }
}

/**
 * Makes the bytes of a finished file survive a power cut, and dates it now: the sweep of old files without an owner must
 * not take one that is just being given to it.
 */
export async function syncFile(path: string): Promise<number> {
  const handle = await open(path, 'r+');
  try {
    const now = new Date();
    await handle.utimes(now, now);
    await handle.sync();
    return (await handle.stat()).size;
  } finally {
    await handle.close();
  }
}

/** Makes what happened to the names in a folder (one added, moved, gone) survive a power cut. */
export async function syncFolder(path: string): Promise<void> {
  try {
    const handle = await open(path, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    // Some systems cannot open a folder; there the rename alone has to do.
    if (!hasCode(error, 'EISDIR', 'EPERM')) throw error;
  }
}

/** Makes the folders from `root` down to `folder`, each durable before the next. */
async function makeFolders(root: string, folder: string): Promise<void> {
  let path = root;
  for (const part of relative(root, folder).split(sep)) {
    if (part === '') continue;
    path = join(path, part);
    if (await makeFolder(path)) await syncFolder(dirname(path));
  }
}

/** Moves a durable file to its place under `root` in one step, and makes the move durable. */
export async function place(root: string, from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await makeFolders(root, dirname(to));
      await rename(from, to);
      return await syncFolder(dirname(to));
    } catch (error) {
      if (attempt === PLACE_ATTEMPTS || !hasCode(error, 'ENOENT')) throw error;
    }
  }
}

/** Whether a system call failed with one of `codes`. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code);
}

async function makeFolder(path: string): Promise<boolean> {
  try {
    await mkdir(path, { mode: FOLDER_MODE });
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}
