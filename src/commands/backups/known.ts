import { readFile, rename, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { firstFault, list, str } from '#kernel/schema';
import { writeDurably } from './copy.ts';

/** In the data folder: where backups were put, so that `roost doctor` can look whether others read them. */
const NAME = 'backups.json';
/** Most folders that are remembered, the newest ones. */
const MAX_FOLDERS = 100;

/** The folders of backups that are still there, the newest last. */
export async function knownBackups(dataDir: string): Promise<readonly string[]> {
  const text = await readFile(join(dataDir, NAME), 'utf8').catch(() => '[]');
  const found = firstFault(list(str()), NAME, parse(text));
  const folders = 'fault' in found ? [] : found.value;
  const isThere = await Promise.all(folders.map((folder) => stat(folder).then(Boolean, () => false)));
  return folders.filter((_folder, index) => isThere[index]);
}

/** Remembers where a backup is. */
export async function rememberBackup(dataDir: string, folder: string): Promise<void> {
  const folders = [...(await knownBackups(dataDir)), resolve(folder)];
  const draft = join(dataDir, `~${NAME}`);
  await rm(draft, { force: true });
  await writeDurably(draft, `${JSON.stringify([...new Set(folders)].slice(-MAX_FOLDERS), undefined, 2)}\n`);
  await rename(draft, join(dataDir, NAME));
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}
