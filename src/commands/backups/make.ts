import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOST_VERSION } from '#features/server-version';
import { systemClock } from '#kernel/clock';
import { type Config, dataPaths } from '#kernel/config';
import { openStore, readSchema } from '#kernel/store';
import { migrations } from '../../migrations/index.ts';
import { Refusal } from '../refusal.ts';
import { copyTree, inWords, makeEmptyFolder, say, sync } from './copy.ts';
import { rememberBackup } from './known.ts';
import { writeManifest } from './manifest.ts';

/** Makes a backup in an empty folder; the server may be running. */
export async function makeBackup(config: Config, folder: string): Promise<void> {
  const made_at = systemClock.now();
  await assertDatabase(config);
  await makeEmptyFolder(folder, `${folder} is not empty: give each backup a folder of its own`);
  // The database is copied first: each file that it refers to was stored before, so the copy of the files has it.
  const applied = await copyDatabase(config, dataPaths(folder).database);
  await copyFiles(config, folder);
  const database = config.databaseUrl === undefined ? 'sqlite' : 'postgres';
  await writeManifest(folder, { roost: ROOST_VERSION, made_at, database, migrations: applied });
  await rememberBackup(config.dataDir, folder);
}

async function assertDatabase({ databaseUrl, dataDir }: Config): Promise<void> {
  if (databaseUrl === undefined && !existsSync(dataPaths(dataDir).database))
    throw new Refusal(`there is no database in ${dataDir}: nothing to back up`);
}

/** Copies an embedded database; returns the names of its migrations. */
async function copyDatabase({ databaseUrl, dataDir }: Config, to: string): Promise<string[]> {
  const { database: file } = dataPaths(dataDir);
  const store = await openStore({ url: databaseUrl, file, clock: systemClock, poolSize: 1, readOnly: true });
  try {
    const { applied } = await readSchema(store, migrations);
    if (applied.length === 0) throw new Refusal('the database is empty: nothing to back up');
    if (databaseUrl === undefined) {
      await store.backup(to);
      await sync(to, 0o600);
      say('database', `copied as of one moment (${applied.length} migrations)`);
    } else {
      say('database', 'NOT in this backup: it is on PostgreSQL. Run pg_dump, and then this command');
    }
    return [...applied];
  } finally {
    await store.close();
  }
}

async function copyFiles({ dataDir, secret, uploadsUrl, smtpUrl }: Config, folder: string): Promise<void> {
  const [from, to] = [dataPaths(dataDir), dataPaths(folder)];
  const copied = await copyTree(from.secret, to.secret);
  if (secret !== undefined) say('secret', 'NOT in this backup: it is in ROOST_SECRET, without which no API key works');
  else say('secret', copied.files > 0 ? 'copied' : 'there is none yet');
  const uploads = inWords(await copyTree(from.files, to.files));
  say('uploads', uploadsUrl === undefined ? uploads : 'NOT in this backup: they are in the object store');
  const mails = await copyTree(from.mails, to.mails);
  if (smtpUrl === undefined || mails.files > 0) say('mails', inWords(mails));
  await sync(join(folder));
}
