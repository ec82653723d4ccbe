import { constants } from 'node:fs';
import { chmod, copyFile, lstat, mkdir, open, readdir, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Refusal } from '../refusal.ts';

/** Readable by their owner only: a backup contains the server's secret. */
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

/** What was copied. */
export interface Copied {
  readonly files: number;
  readonly bytes: number;
}

const NOTHING: Copied = { files: 0, bytes: 0 };

/** Creates a folder, or checks that it is empty. */
export async function makeEmptyFolder(folder: string, refusal: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
  if ((await readdir(folder)).length > 0) throw new Refusal(refusal);
  // An existing folder may be readable by others.
  await chmod(folder, FOLDER_MODE);
}

/**
 * Copies a file or a folder. A missing source counts as empty, files whose name begins with a tilde are unfinished and
 * skipped, and files that are deleted meanwhile are skipped, too.
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

/**
 * Counts the files in a part of a backup, and refuses symbolic links, pipes, sockets and devices: a backup has none, and
 * links would bring files from outside of it. A missing part is empty.
 */
export async function countPlain(path: string): Promise<Copied> {
  const stats = await orGone(lstat(path));
  if (!stats) return NOTHING;
  if (stats.isFile()) return { files: 1, bytes: stats.size };
  if (!stats.isDirectory()) throw new Refusal(`${path} is neither a file nor a folder: a backup holds nothing else`);
  let { files, bytes } = NOTHING;
  for (const name of await readdir(path)) {
    const counted = await countPlain(join(path, name));
    files += counted.files;
    bytes += counted.bytes;
  }
  return { files, bytes };
}

/** Copies one file with its modification time, which is when an upload was stored. */
async function copyOne(from: string, to: string): Promise<Copied> {
  const stats = await orGone(stat(from));
  // Reading from a pipe would wait for ever, and from a device it would never end.
  if (stats && !stats.isFile()) throw new Refusal(`${from} is neither a file nor a folder`);
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

/** Flushes a file, or the names in a folder, to the disk. */
export async function sync(path: string, mode?: number): Promise<void> {
  const file = await open(path, 'r');
  try {
    if (mode !== undefined) await file.chmod(mode);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Awaits a file operation; undefined if the file does not exist. */
async function orGone<T>(look: Promise<T>): Promise<T | undefined> {
  try {
    return await look;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Formats a number of files and their size. */
export function inWords({ files, bytes }: Copied): string {
  return `${files} ${files === 1 ? 'file' : 'files'}, ${(bytes / 2 ** 20).toFixed(1)} MiB`;
}

/** Prints one line about a part of a backup. */
export function say(what: string, text: string): void {
  process.stdout.write(`${what.padEnd(9)} ${text}\n`);
}
