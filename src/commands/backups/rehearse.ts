import { lstat, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { listStored } from '#features/uploads';
import { systemClock } from '#kernel/clock';
import { type Config, dataPaths } from '#kernel/config';
import { firstFault, int, lenientObject, type SchemaOf, str } from '#kernel/schema';
import { migrate, openStore, readSchema, type Store } from '#kernel/store';
import { migrations } from '../../migrations/index.ts';
import { reasonOf, Refusal } from '../refusal.ts';
import { copyTree, countPlain, writeDurably } from './copy.ts';
import { parseFile, readManifest } from './manifest.ts';

/** File in a backup with the result of its rehearsal. */
const NAME = 'rehearsal.json';
/** Files that are checked at once. */
const BATCH = 500;

const rehearsal = lenientObject({
  /** Seconds since 1970. */
  at: int(),
  /** Empty if the backup can be restored. */
  fault: str(),
  says: str(),
});
export type Rehearsal = SchemaOf<typeof rehearsal>;

/**
 * Rehearses the restoring of a backup: copies its database, migrates and checks it, and checks that each file it refers
 * to is there. Stores the result in the backup; throws if it cannot be restored.
 */
export async function rehearse(config: Config, folder: string): Promise<Rehearsal> {
  const manifest = await readManifest(folder);
  const at = systemClock.now();
  try {
    const says =
      manifest.database === 'sqlite' ? await tryOut(config, folder) : 'the database is not in it: rehearse pg_restore';
    return await note(folder, { at, fault: '', says });
  } catch (error) {
    const fault = reasonOf(error);
    await note(folder, { at, fault, says: 'it cannot be restored' });
    throw new Refusal(`the backup in ${folder} cannot be restored: ${fault}`);
  }
}

/** Returns the result of a backup's rehearsal; undefined if there was none. */
export async function readRehearsal(folder: string): Promise<Rehearsal | undefined> {
  const found = firstFault(rehearsal, NAME, await parseFile(join(folder, NAME)));
  return 'fault' in found ? undefined : found.value;
}

async function note(folder: string, came: Rehearsal): Promise<Rehearsal> {
  const draft = join(folder, `~${NAME}`);
  await rm(draft, { force: true });
  await writeDurably(draft, `${JSON.stringify(came, undefined, 2)}\n`);
  await rename(draft, join(folder, NAME));
  return came;
}

async function tryOut(config: Config, folder: string): Promise<string> {
  const trial = await mkdtemp(join(dirname(folder), '~rehearsal-'));
  try {
    const { database: file } = dataPaths(trial);
    // Refuses a link or a pipe in the place of the database.
    await countPlain(dataPaths(folder).database);
    const { files } = await copyTree(dataPaths(folder).database, file);
    if (files === 0) throw new Refusal('there is no database in it');
    const store = await openStore({ url: undefined, file, clock: systemClock, poolSize: 1 });
    try {
      return await lookOver(store, config, folder);
    } finally {
      await store.close();
    }
  } finally {
    await rm(trial, { recursive: true, force: true });
  }
}

async function lookOver(store: Store, config: Config, folder: string): Promise<string> {
  const { rows } = await store.query((tx) => tx.dialect.faults.execute(tx.db));
  if (rows.length > 0) throw new Refusal(`its database is damaged: ${rows[0]?.fault}`);
  await migrate(store, migrations);
  const { applied } = await readSchema(store, migrations);
  const files = config.uploadsUrl === undefined ? await countFiles(store, config, folder) : 0;
  return `its database is whole (${applied.length} migrations), and so are its ${files} uploads`;
}

/** Counts the uploads; throws if one is missing from the backup but not from the server, or has the wrong size. */
async function countFiles(store: Store, config: Config, folder: string): Promise<number> {
  let count = 0;
  let after = '';
  for (let isMore = true; isMore; ) {
    const last = after;
    const batch = await store.query((tx) => listStored(tx, last, BATCH));
    for (const { path_id, size } of batch) {
      const stored = await sizeOf(dataPaths(folder).files, path_id);
      // A file that was deleted while the backup was made is missing from both.
      const isGone = stored === undefined && (await sizeOf(dataPaths(config.dataDir).files, path_id)) === undefined;
      if (stored !== size && !isGone)
        throw new Refusal(`the file ${path_id} is ${stored === undefined ? 'missing' : 'damaged'}`);
    }
    count += batch.length;
    after = batch.at(-1)?.path_id ?? '';
    isMore = batch.length === BATCH;
  }
  return count;
}

async function sizeOf(files: string, pathId: string): Promise<number | undefined> {
  const stats = await lstat(join(files, 'uploads', pathId)).catch(() => undefined);
  return stats?.isFile() ? stats.size : undefined;
}
