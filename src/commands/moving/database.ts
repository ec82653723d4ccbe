import { existsSync } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { insertIntoIndex } from '#features/messages';
import { systemClock } from '#kernel/clock';
import { type Config, dataPaths } from '#kernel/config';
import { copyDatabase, migrate, openStore, type Store } from '#kernel/store';
// Importing all slices declares their tables, all of which are moved.
import { features } from '../../features.ts';
import { migrations } from '../../migrations/index.ts';
import { boundGarbage } from '../../heap.ts';
import { Refusal } from '../refusal.ts';
import { COMMAND_GARBAGE } from '../run-server.ts';

/** The value of `--to` that means the embedded database in the data folder. */
const EMBEDDED = 'embedded';
/** Suffixes of an embedded database's files. */
const PARTS = ['', '-wal', '-shm'];

/**
 * Moves a stopped server's database to PostgreSQL, or back. It arrives completely or not at all: PostgreSQL gets it in
 * one transaction, and an embedded database is renamed when it is complete.
 */
export async function moveDatabase(config: Config, to: string): Promise<void> {
  if (features.length === 0) throw new Error('no slice is loaded');
  boundGarbage(COMMAND_GARBAGE);
  if (to === EMBEDDED) await moveHome(config);
  else await moveAway(config, to);
}

async function moveAway({ databaseUrl, dataDir }: Config, to: string): Promise<void> {
  if (!/^postgres(ql)?:\/\//.test(to)) throw new Refusal(`--to takes postgres://… or "${EMBEDDED}"`);
  if (databaseUrl !== undefined)
    throw new Refusal('ROOST_DATABASE_URL is set, so the database is on PostgreSQL already: move that with pg_dump');
  const { database: file } = dataPaths(dataDir);
  if (!existsSync(file)) throw new Refusal(`there is no database in ${dataDir}: nothing to move`);
  await withStores({ url: undefined, file }, { url: to, file: '' });
  const aside = `${file}.moved-${new Date(systemClock.nowMs()).toISOString().replaceAll(':', '')}`;
  for (const part of PARTS) if (existsSync(file + part)) await rename(file + part, aside + part);
  say('done', `the old database is ${aside}; set ROOST_DATABASE_URL and start the server`);
}

async function moveHome({ databaseUrl, dataDir }: Config): Promise<void> {
  if (databaseUrl === undefined) throw new Refusal('the database is embedded already: ROOST_DATABASE_URL is not set');
  const { database: file } = dataPaths(dataDir);
  if (existsSync(file)) throw new Refusal(`there is a database in ${dataDir} already: put ${file} elsewhere first`);
  const unfinished = `${file}.moving`;
  for (const part of PARTS) await rm(unfinished + part, { force: true });
  await withStores({ url: databaseUrl, file: '' }, { url: undefined, file: unfinished });
  const log = await stat(`${unfinished}-wal`).catch(() => undefined);
  if (log && log.size > 0) throw new Error('the new database is not closed');
  await rename(unfinished, file);
  for (const part of PARTS) await rm(unfinished + part, { force: true });
  say('done', `the database is ${file}; unset ROOST_DATABASE_URL and start the server`);
}

interface Address {
  readonly url: string | undefined;
  readonly file: string;
}

async function withStores(from: Address, to: Address): Promise<void> {
  const source = await openStore({ ...from, clock: systemClock, poolSize: 1 });
  try {
    await source.claim();
    await migrate(source, migrations);
    const target = await openStore({ ...to, clock: systemClock, poolSize: 1 });
    try {
      await migrate(target, migrations);
      await copy(source, target);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

async function copy(source: Store, target: Store): Promise<void> {
  let all = 0;
  await copyDatabase(source, target, {
    onTable: ({ table, rows, sum }) => {
      all += rows;
      if (rows > 0) say(table, `${rows} rows, checksum ${sum.slice(0, 16)}`);
    },
    derive: async (tx, { name, columns }, rows) => {
      if (name !== 'message') return;
      const [id = 0, content = 0, topic = 0] = ['id', 'content', 'topic'].map((one) =>
        Object.keys(columns).indexOf(one),
      );
      const messages = rows.map((row) => ({
        id: Number(row[id]),
        content: String(row[content]),
        topic: String(row[topic]),
      }));
      await insertIntoIndex(tx, messages);
    },
  });
  say('checked', `${all} rows are the same in both databases`);
}

function say(what: string, text: string): void {
  process.stdout.write(`${what.padEnd(24)} ${text}\n`);
}
