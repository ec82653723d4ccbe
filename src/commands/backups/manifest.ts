import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { firstFault, int, lenientObject, list, oneOf, type SchemaOf, str } from '#kernel/schema';
import { Refusal } from '../refusal.ts';
import { writeDurably } from './copy.ts';

/** Written last; without it, a backup is incomplete. */
const NAME = 'backup.json';

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
  const read = await parseJson(join(folder, NAME));
  if (read === undefined) throw new Refusal(`${folder} holds no finished backup: there is no ${NAME} in it`);
  const found = firstFault(manifest, NAME, read);
  if ('fault' in found) throw new Refusal(`${join(folder, NAME)} is damaged: ${found.fault}`);
  return found.value;
}

/** Parses a JSON file: null if it is invalid, undefined if it does not exist. */
export async function parseJson(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return null;
  }
}
