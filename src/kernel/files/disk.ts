import type { Dirent } from 'node:fs';
import { access, mkdir, opendir, rmdir, unlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { assertOutsideTransaction } from '#kernel/scope';
import { openAt, orNothing, statsAt } from './disk-read.ts';
import { storeAt, takeTo, tryRoundTrip } from './disk-write.ts';
import { FOLDER_MODE, hasCode, syncFolder } from './durable.ts';
import type { Files, ListedFile } from './files.ts';
import { assertFileKey, assertKeyPrefix, isFileKey } from './keys.ts';
import { orDestroy } from './sources.ts';

/** Files that are not whole yet. The tilde keeps the name out of the alphabet of keys. */
const INCOMING = '~incoming';

/** Files in a local folder, which is made when it is missing. Each file gets its name only when the disk has its bytes. */
export async function openDisk(folder: string): Promise<Files> {
  const root = resolve(folder);
  const folders = { root, incoming: join(root, INCOMING) };
  await mkdir(folders.incoming, { recursive: true, mode: FOLDER_MODE });
  await syncFolder(root);
  const pathOf = (key: string): string => {
    assertOutsideTransaction('files');
    assertFileKey(key);
    return join(root, ...key.split('/'));
  };
  /**
   * A file counts as missing only while the folder of unfinished files exists: a disk that went away has lost nothing.
   */
  const orMissing = async <T>(found: Promise<T | undefined>): Promise<T | undefined> => {
    const result = await found;
    if (result === undefined) await access(folders.incoming);
    return result;
  };
  return {
    put: (key, source) => orDestroy(source, async () => storeAt(folders, pathOf(key), source)),
    putFile: async (key, path) => takeTo(folders, pathOf(key), path),
    open: async (key, range) => orMissing(openAt(pathOf(key), range)),
    size: async (key) => (await orMissing(statsAt(pathOf(key))))?.size,
    remove: async (key) => removeAt(root, pathOf(key)),
    list: (prefix) => listFiles(root, prefix),
    sweepUnfinished: (beforeMs) => sweep(folders.incoming, beforeMs),
    checkHealth: () => tryRoundTrip(folders),
  };
}

async function removeAt(root: string, path: string): Promise<void> {
  if (!(await statsAt(path))) return;
  await orNothing(unlink(path));
  let folder = dirname(path);
  await orNothing(syncFolder(folder));
  // The folder of a file's token holds that file only: empty folders go with it, up to the root.
  while (folder !== root && (await removeEmpty(folder))) folder = dirname(folder);
}

async function removeEmpty(folder: string): Promise<boolean> {
  try {
    await rmdir(folder);
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOTEMPTY', 'EEXIST', 'ENOENT')) return false;
    throw error;
  }
}

async function* listFiles(root: string, prefix: string): AsyncGenerator<ListedFile> {
  assertOutsideTransaction('files');
  assertKeyPrefix(prefix);
  const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1);
  for await (const key of walk(root, folder)) {
    if (!key.startsWith(prefix) || !isFileKey(key)) continue;
    const stats = await statsAt(join(root, key));
    if (stats) yield { key, size: stats.size, storedAtMs: stats.mtimeMs };
  }
}

async function sweep(incoming: string, beforeMs: number): Promise<number> {
  let swept = 0;
  for await (const entry of await opendir(incoming)) {
    const path = join(incoming, entry.name);
    const stats = await statsAt(path);
    if (!stats || stats.mtimeMs >= beforeMs) continue;
    await orNothing(unlink(path));
    swept++;
  }
  return swept;
}

/**
 * The paths of all files below `root/folder`, relative to `root`, with `/` between their parts; `folder` is empty or ends in
 * `/`. Links are not followed. A folder that goes away meanwhile counts as empty.
 */
async function* walk(root: string, folder: string): AsyncGenerator<string> {
  for await (const entry of entriesOf(join(root, folder))) {
    const path = `${folder}${entry.name}`;
    if (entry.isDirectory()) yield* walk(root, `${path}/`);
    else if (entry.isFile()) yield path;
  }
}

async function* entriesOf(path: string): AsyncGenerator<Dirent> {
  try {
    yield* await opendir(path);
  } catch (error) {
    if (!hasCode(error, 'ENOENT', 'ENOTDIR')) throw error;
  }
}
