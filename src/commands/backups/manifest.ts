import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { firstFault, int, lenientObject, list, oneOf, type SchemaOf, str } from '#kernel/schema';
import { parseJson } from '#kernel/text';
import { Refusal } from '../refusal.ts';
import { writeDurably } from './copy.ts';

/** Written last; without it, a backup is incomplete. */
const NAME = 'backup.json';
/** Most bytes of such a file. */
const MAX_BYTES = 2 ** 20;

const manifest = lenientObject({
  /** Version that made the backup. */
  roost: str(),
  /** Seconds since 1970 when the backup began; everything acknowledged until then is in it. */
  made_at: int(),
  /** Kind of database; only an embedded one is in the backup. */
  database: oneOf('sqlite', 'postgres'),
  /** Names of the applied migrations. */
  migrations: list(str()),
});
export type Manifest = SchemaOf<typeof manifest>;

export async function writeManifest(folder: string, contents: Manifest): Promise<void> {
  await writeDurably(join(folder, NAME), `${JSON.stringify(contents, undefined, 2)}\n`);
}

/** Reads a backup's manifest; throws if the backup is incomplete. */
export async function readManifest(folder: string): Promise<Manifest> {
  const read = await parseFile(join(folder, NAME));
  if (read === undefined) throw new Refusal(`${folder} holds no finished backup: there is no ${NAME} in it`);
  const found = firstFault(manifest, NAME, read);
  if ('fault' in found) throw new Refusal(`${join(folder, NAME)} is damaged: ${found.fault}`);
  return found.value;
}

/** Reads a small file. No symbolic link is followed, and a pipe or device is not waited for. */
async function textOf(path: string): Promise<string | undefined> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = await file.stat();
    return stats.isFile() && stats.size <= MAX_BYTES ? await file.readFile('utf8') : undefined;
  } finally {
    await file.close();
  }
}

/** Parses a JSON file of a backup: null if it is invalid, undefined if it does not exist. */
export async function parseFile(path: string): Promise<unknown> {
  const text = await textOf(path).catch(() => undefined);
  return text === undefined ? undefined : (parseJson(text) ?? null);
}
