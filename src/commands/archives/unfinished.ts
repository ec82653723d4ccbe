import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RealmId } from '#kernel/ids';
import { makeEmptyFolder } from '../backups/copy.ts';
import { Refusal } from '../refusal.ts';

/** Name and content of a file that exists while an organization's export is unfinished. */
const UNFINISHED = 'UNFINISHED';
const markOf = (realmId: RealmId): string => `This export of organization ${realmId} by Roost has not been finished.\n`;

/** Makes the folder, or takes an empty one or that of an unfinished export, and marks it as unfinished. */
export async function beginFolder(folder: string, realmId: RealmId): Promise<void> {
  const mark = markOf(realmId);
  const refusal = `${folder} is not empty: give each export a folder of its own`;
  await dropUnfinished(folder, mark);
  await makeEmptyFolder(folder, refusal);
  // Never over the mark of another organization, whose export may have begun in the same moment.
  await writeFile(join(folder, UNFINISHED), mark, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST' ? new Refusal(refusal) : error;
  });
}

/** Empties the folder of an unfinished export with this mark; does nothing to any other folder. */
async function dropUnfinished(folder: string, wanted: string): Promise<void> {
  const mark = await readFile(join(folder, UNFINISHED), 'utf8').catch(() => undefined);
  if (mark === undefined) return;
  const names = (await readdir(folder)).filter((name) => name !== UNFINISHED);
  // The mark is written first, so a partly written mark is the only file.
  if (mark !== wanted && !(names.length === 0 && wanted.startsWith(mark))) return;
  // The mark is removed last, so that an interruption here leaves it in place.
  for (const name of [...names, UNFINISHED]) await rm(join(folder, name), { recursive: true });
  process.stdout.write(`the export in ${folder} was not finished: starting over\n`);
}

/** Removes the mark: the export is whole. */
export function endFolder(folder: string): Promise<void> {
  return rm(join(folder, UNFINISHED));
}
