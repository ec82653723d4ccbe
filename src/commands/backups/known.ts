import { readFile, rename, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { firstFault, list, str } from '#kernel/schema';
import { parseJson } from '#kernel/text';
import { writeDurably } from './copy.ts';

/** A file in the data folder with the places of backups, so that `roost doctor` can check who may read them. */
const NAME = 'backups.json';
/** Most places that are stored, the newest ones. */
const MAX_FOLDERS = 100;

/** Returns the folders of backups that still exist, the newest last. */
export async function knownBackups(dataDir: string): Promise<readonly string[]> {
  const text = await readFile(join(dataDir, NAME), 'utf8').catch(() => '[]');
  const found = firstFault(list(str()), NAME, parseJson(text));
  const folders = 'fault' in found ? [] : found.value;
  const isThere = await Promise.all(folders.map((folder) => stat(folder).then(Boolean, () => false)));
  return folders.filter((_folder, index) => isThere[index]);
}

/** Stores the place of a backup. */
export async function rememberBackup(dataDir: string, folder: string): Promise<void> {
  const folders = [...(await knownBackups(dataDir)), resolve(folder)];
  const draft = join(dataDir, `~${NAME}`);
  await rm(draft, { force: true });
  await writeDurably(draft, `${JSON.stringify([...new Set(folders)].slice(-MAX_FOLDERS), undefined, 2)}\n`);
  await rename(draft, join(dataDir, NAME));
}
