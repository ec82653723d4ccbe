import { rename, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { defineCommand } from 'citty';
import { deleteAllQueues } from '#kernel/events';
import { systemClock } from '#kernel/clock';
import { type Config, dataPaths } from '#kernel/config';
import { openStore, readSchema, type Store } from '#kernel/store';
import { migrations } from '../migrations/index.ts';
import { type Copied, copyTree, countPlain, inWords, makeEmptyFolder, say } from './backups/copy.ts';
import { type Manifest, readManifest } from './backups/manifest.ts';
import { orRefuse, Refusal } from './refusal.ts';
import { configOrExit } from './run-server.ts';

export const restore = defineCommand({
  meta: { name: 'restore', description: 'Restore a backup into an empty data folder' },
  args: { folder: { type: 'positional', required: true, description: 'Where the backup is' } },
  run: ({ args: { folder } }) =>
    orRefuse(async () => {
      const config = configOrExit();
      const manifest = await readManifest(folder);
      assertFits(manifest, config);
      if (config.databaseUrl !== undefined) await withStore(config, assertSchema);
      const { bytes } = await countBackup(folder);
      await makeEmptyFolder(config.dataDir, `${config.dataDir} is not empty: a backup goes into an empty data folder`);
      await assertRoom(config.dataDir, bytes);
      await copyBack(folder, config);
      await withStore(config, settle);
      say('done', `${config.dataDir} is as of ${new Date(manifest.made_at * 1000).toISOString()}; clients start anew`);
    }),
});

/** Refuses a backup that does not fit this release or configuration. */
function assertFits({ roost, migrations: applied, database }: Manifest, { databaseUrl }: Config): void {
  const known = new Set(migrations.map(({ name }) => name));
  const unknown = applied.filter((name) => !known.has(name));
  if (unknown.length > 0)
    throw new Refusal(
      `the backup was made by a newer release of Roost (${roost}: ${unknown.join(', ')}); restore it with that one`,
    );
  if (database === 'sqlite' && databaseUrl !== undefined)
    throw new Refusal('the backup holds an embedded database, but ROOST_DATABASE_URL names another one');
  if (database === 'postgres' && databaseUrl === undefined)
    throw new Refusal('the backup is of a server on PostgreSQL: ROOST_DATABASE_URL must name its restored database');
}

/** Counts what is copied, before anything is; refuses what is no file or folder. */
async function countBackup(folder: string): Promise<Copied> {
  const { secret, files, mails, database } = dataPaths(folder);
  const counts = [];
  for (const part of [secret, files, mails, database]) counts.push(await countPlain(part));
  return counts.reduce((sum, one) => ({ files: sum.files + one.files, bytes: sum.bytes + one.bytes }));
}

/** Refuses a backup that would fill the disk: also one with files that consist mostly of holes. */
async function assertRoom(dataDir: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(dataDir);
  const free = bavail * bsize;
  if (bytes > free)
    throw new Refusal(`the backup needs ${inMebibytes(bytes)}, and there are ${inMebibytes(free)} free at ${dataDir}`);
}

const inMebibytes = (bytes: number): string => `${Math.ceil(bytes / 2 ** 20)} MiB`;

/** The database is copied last, and renamed when it is complete, so that no server starts on half a backup. */
async function copyBack(folder: string, { dataDir, databaseUrl }: Config): Promise<void> {
  const [from, to] = [dataPaths(folder), dataPaths(dataDir)];
  await copyTree(from.secret, to.secret);
  say('uploads', inWords(await copyTree(from.files, to.files)));
  say('mails', inWords(await copyTree(from.mails, to.mails)));
  if (databaseUrl !== undefined) return;
  const unfinished = join(dataDir, 'restoring');
  const { files } = await copyTree(from.database, unfinished);
  if (files === 0) throw new Refusal(`${folder} is damaged: there is no database in it`);
  await rename(unfinished, to.database);
}

async function withStore(config: Config, use: (store: Store) => Promise<void>): Promise<void> {
  const { database: file } = dataPaths(config.dataDir);
  const store = await openStore({ url: config.databaseUrl, file, clock: systemClock, poolSize: 1 });
  try {
    await use(store);
  } finally {
    await store.close();
  }
}

async function assertSchema(store: Store): Promise<void> {
  const { applied, unknown } = await readSchema(store, migrations);
  if (applied.length === 0) throw new Refusal('the database is empty: restore it first, with pg_restore');
  if (unknown.length > 0) throw new Refusal('the database was changed by a newer release of Roost');
}

/**
 * Checks the restored database and deletes its event queues: their clients may have seen events that are not in the
 * backup, and would ignore new ones with the same IDs.
 */
async function settle(store: Store): Promise<void> {
  const { rows } = await store.query((tx) => tx.dialect.faults.execute(tx.db));
  if (rows.length > 0) throw new Refusal(`the database of the backup is damaged: ${rows[0]?.fault}`);
  const { missing } = await readSchema(store, migrations);
  await store.write((tx) => deleteAllQueues(tx));
  const state = missing.length === 0 ? 'of this release' : `gets its ${missing.length} migrations at the next start`;
  say('database', `is whole and ${state}`);
}
