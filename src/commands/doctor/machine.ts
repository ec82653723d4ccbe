import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Config } from '#kernel/config';
import { findReadableByOthers } from '#kernel/files';
import { knownBackups } from '../backups/known.ts';
import { type Finding, failed, note, ok } from './finding.ts';

/** Free space in bytes that is a fault, and that is worth a remark. */
const TOO_LITTLE_BYTES = 256 * 2 ** 20;
const LITTLE_BYTES = 2 ** 30;

/** Checks that the data folder is writable and not readable by others, and the latter for known backups, too. */
export async function checkDataDir({ dataDir }: Config): Promise<Finding[]> {
  const about = 'data folder';
  const folder = await nearest(resolve(dataDir));
  const own = await stat(dataDir).catch(() => undefined);
  if (own && !own.isDirectory()) return [failed(about, `ROOST_DATA_DIR: ${resolve(dataDir)} is a file`)];
  try {
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return [failed(about, `${folder} cannot be written by this user`)];
  }
  if (folder !== resolve(dataDir)) return [note(about, `${dataDir} is not there yet: the first start makes it`)];
  const places = [resolve(dataDir), ...(await knownBackups(dataDir))];
  const open = (await Promise.all(places.map((place) => findReadableByOthers(place)))).flat();
  if (open.length > 0)
    return [failed(about, `others have rights to ${open.join(', ')}: chmod -R go= ${places.join(' ')}`)];
  return [ok(about, `${resolve(dataDir)} can be written, and only this user reads it and its backups`)];
}

export async function checkDiskSpace({ dataDir }: Config): Promise<Finding[]> {
  const { bavail, bsize } = await statfs(await nearest(resolve(dataDir)));
  const free = bavail * bsize;
  const says = `${(free / 2 ** 30).toFixed(1)} GiB free for the data folder`;
  if (free < TOO_LITTLE_BYTES) return [failed('disk space', `${says}: too little`)];
  return [free < LITTLE_BYTES ? note('disk space', `${says}: little`) : ok('disk space', says)];
}

/** Returns the folder, or its first parent that exists. */
async function nearest(folder: string): Promise<string> {
  const isThere = (await stat(folder).catch(() => undefined))?.isDirectory();
  return isThere || dirname(folder) === folder ? folder : nearest(dirname(folder));
}
