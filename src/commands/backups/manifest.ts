import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { firstFault, int, lenientObject, list, oneOf, type SchemaOf, str } from '#kernel/schema';
import { Refusal } from '../refusal.ts';
import { writeDurably } from './copy.ts';

/** Written last: a folder without it is no backup. */
const NAME = 'backup.json';

const manifest = lenientObject({
  /** Release that made the backup. */
  roost: str(),
  /** Seconds since 1970 when it was begun: all that was acknowledged by then is in it. */
  made_at: int(),
  /** Where the server's database is; only an embedded one is in the backup. */
  database: oneOf('sqlite', 'postgres'),
  /** Names of the migrations that made the schema. */
  migrations: list(str()),
});
export type Manifest = SchemaOf<typeof manifest>;

export async function writeManifest(folder: string, contents: Manifest): Promise<void> {
  await writeDurably(join(folder, NAME), `${JSON.stringify(contents, undefined, 2)}\n`);
}

/** Reads what a folder says about the backup in it; refuses one that is not whole. */
export async function readManifest(folder: string): Promise<Manifest> {
  const read = await parseJson(join(folder, NAME));
  if (read === undefined) throw new Refusal(`${folder} holds no finished backup: there is no ${NAME} in it`);
  const found = firstFault(manifest, NAME, read);
  if ('fault' in found) throw new Refusal(`${join(folder, NAME)} is damaged: ${found.fault}`);
  return found.value;
}

/** What a file of JSON holds: null when it is damaged, undefined when it is not there. */
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
