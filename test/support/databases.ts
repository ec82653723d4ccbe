import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestClock } from '#kernel/clock';
import { migrate, openStore } from '#kernel/store';
import pg from 'pg';
import { migrations } from '../../src/migrations/index.ts';
import { type DatabaseName, POSTGRES_URL } from './chosen-databases.ts';

export { type DatabaseName, databases, databasesInTurn } from './chosen-databases.ts';

/** An empty, migrated database of its own, as configuration values; `remove` ends it. */
export interface TestDatabase {
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly remove: () => Promise<void>;
}

/** Makes a database by copying one that was migrated once. */
export async function makeDatabase(name: DatabaseName): Promise<TestDatabase> {
  const dataDir = mkdtempSync(join(tmpdir(), 'roost-test-'));
  if (name === 'sqlite') {
    copyFileSync(await sqliteTemplate(), join(dataDir, 'roost.sqlite3'));
    chmodSync(join(dataDir, 'roost.sqlite3'), 0o600);
    return { dataDir, databaseUrl: undefined, remove: async () => rmSync(dataDir, { recursive: true }) };
  }
  const template = await postgresTemplate();
  const database = `${template}_${++counter}`;
  await admin(`create database ${database} template ${template}`);
  return {
    dataDir,
    databaseUrl: urlOf(database),
    remove: async () => {
      await admin(`drop database if exists ${database} with (force)`);
      rmSync(dataDir, { recursive: true });
    },
  };
}

let counter = 0;
let sqlite: Promise<string> | undefined;
let postgres: Promise<string> | undefined;

function sqliteTemplate(): Promise<string> {
  sqlite ??= (async () => {
    const folder = mkdtempSync(join(tmpdir(), 'roost-template-'));
    const file = join(folder, 'made', 'roost.sqlite3');
    mkdirSync(join(folder, 'made'));
    const store = await openStore({ url: undefined, file, clock: new TestClock() });
    await migrate(store, migrations);
    const copy = join(folder, 'template.sqlite3');
    await store.backup(copy);
    await store.close();
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    return copy;
  })();
  return sqlite;
}

function postgresTemplate(): Promise<string> {
  postgres ??= (async () => {
    // Named after vitest's process and this one; remove-databases.ts goes by the former.
    const name = `roost_test_${process.ppid}_${process.pid}`;
    await admin(`drop database if exists ${name} with (force)`);
    await admin(`create database ${name} template template0 encoding 'UTF8'`);
    const store = await openStore({ url: urlOf(name), file: '', clock: new TestClock(), poolSize: 1 });
    await migrate(store, migrations);
    await store.close();
    return name;
  })();
  return postgres;
}

function urlOf(database: string): string {
  const url = new URL(POSTGRES_URL);
  url.pathname = `/${database}`;
  return url.href;
}

async function admin(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: POSTGRES_URL });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
