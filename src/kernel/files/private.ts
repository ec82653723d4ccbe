import { constants, type Stats } from 'node:fs';
import { lstat, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { FOLDER_MODE, hasCode } from './durable.ts';

/** Permission bits of the group and of everybody else. */
const OTHERS = 0o077;
/** Most paths that are named as readable by others. */
const MAX_NAMED = 3;

/** Removes the permissions of others from a path and from its direct entries, or from everything below it. */
export async function makePrivate(path: string, depth: 'directly' | 'wholly'): Promise<void> {
  const names = await takeRights(path);
  for (const name of names) {
    if (depth === 'wholly') await makePrivate(join(path, name), depth);
    else await takeRights(join(path, name));
  }
}

/** Finds the first few paths at or below one that others have permissions for. Links are not followed. */
export async function findReadableByOthers(path: string, found: string[] = []): Promise<readonly string[]> {
  const stats = await orGone(lstat(path));
  if (!stats || stats.isSymbolicLink()) return found;
  if ((stats.mode & OTHERS) !== 0) found.push(path);
  if (!stats.isDirectory()) return found;
  for (const name of (await orGone(readdir(path))) ?? []) {
    if (found.length >= MAX_NAMED) break;
    await findReadableByOthers(join(path, name), found);
  }
  return found;
}

/** Removes the permissions of others from one path; returns the names in it where it is a folder. */
async function takeRights(path: string): Promise<readonly string[]> {
  const stats = await orGone(lstat(path));
  if (!stats || !(stats.isDirectory() || stats.isFile())) return [];
  if ((stats.mode & OTHERS) !== 0) await orGone(setRights(path, stats));
  return stats.isDirectory() ? ((await orGone(readdir(path))) ?? []) : [];
}

/** Changes the mode of the opened file, so that a link that replaces the path in between is not followed. */
async function setRights(path: string, stats: Stats): Promise<void> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    await handle.chmod(stats.mode & FOLDER_MODE);
  } finally {
    await handle.close();
  }
}

/** Returns the result of a file-system call; undefined when the path has gone or has become a link. */
async function orGone<T>(look: Promise<T>): Promise<T | undefined> {
  try {
    return await look;
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ELOOP')) return undefined;
    throw error;
  }
}
