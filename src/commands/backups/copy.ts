import { constants } from 'node:fs';
import { chmod, copyFile, mkdir, open, readdir, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Refusal } from '../refusal.ts';

/** A backup holds the server's secret: for its owner only. */
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

/** What was copied. */
export interface Copied {
  readonly files: number;
  readonly bytes: number;
}

const NOTHING: Copied = { files: 0, bytes: 0 };

/** Makes a folder where there is none; refuses one with something in it. */
export async function makeEmptyFolder(folder: string, refusal: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
  if ((await readdir(folder)).length > 0) throw new Refusal(refusal);
  // One that was there may be open to others.
  await chmod(folder, FOLDER_MODE);
}

/**
 * Copies a file or all below a folder; what is not there is nothing. Names that begin with a tilde are files on their way
 * and stay behind. Files that are removed meanwhile are left out.
 */
export async function copyTree(from: string, to: string): Promise<Copied> {
  const stats = await orGone(stat(from));
  if (!stats) return NOTHING;
  if (!stats.isDirectory()) return copyOne(from, to);
  await mkdir(to, { recursive: true, mode: FOLDER_MODE });
  let { files, bytes } = NOTHING;
  for (const name of (await orGone(readdir(from))) ?? []) {
    if (name.startsWith('~')) continue;
    const copied = await copyTree(join(from, name), join(to, name));
    files += copied.files;
    bytes += copied.bytes;
  }
  await sync(to);
  return { files, bytes };
}

/** Copies one file with its time, which says when an upload was stored. */
async function copyOne(from: string, to: string): Promise<Copied> {
  const stats = await orGone(stat(from));
  if (!stats || (await orGone(copyFile(from, to, constants.COPYFILE_FICLONE).then(() => true))) === undefined)
    return NOTHING;
  await utimes(to, stats.atime, stats.mtime);
  await sync(to, FILE_MODE);
  return { files: 1, bytes: stats.size };
}

export async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', FILE_MODE);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await sync(dirname(path));
}

/** Waits until the disk has a file or the names in a folder. */
export async function sync(path: string, mode?: number): Promise<void> {
  const file = await open(path, 'r');
  try {
    if (mode !== undefined) await file.chmod(mode);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** What a look at a file gives; undefined when the file is gone. */
async function orGone<T>(look: Promise<T>): Promise<T | undefined> {
  try {
    return await look;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** A number of files and their size, for people. */
export function inWords({ files, bytes }: Copied): string {
  return `${files} ${files === 1 ? 'file' : 'files'}, ${(bytes / 2 ** 20).toFixed(1)} MiB`;
}
