import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestClock } from '#kernel/clock';
import { migrate, openStore } from '#kernel/store';
import { migrations } from '../../src/migrations/index.ts';
import type { DatabaseName } from './chosen-databases.ts';
import { copyPostgres, giveBack, removePostgres, takePostgres, urlOf } from './postgres-databases.ts';

export { type DatabaseName, databases, databasesInTurn } from './chosen-databases.ts';

/** An empty, migrated database as configuration values; `remove` deletes it. */
export interface TestDatabase {
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly remove: () => Promise<void>;
}

/**
 * Copies a migrated template. With `isShared` a database may be one that an earlier test used and emptied, and the next
 * test may get it; not for tests that leave processes behind that know its address.
 */
export async function makeDatabase(name: DatabaseName, { isShared = false } = {}): Promise<TestDatabase> {
  const dataDir = mkdtempSync(join(tmpdir(), 'roost-test-'));
  if (name === 'sqlite') {
    copyFileSync(await sqliteTemplate(), join(dataDir, 'roost.sqlite3'));
    chmodSync(join(dataDir, 'roost.sqlite3'), 0o600);
    return { dataDir, databaseUrl: undefined, remove: async () => rmSync(dataDir, { recursive: true }) };
  }
  const database = await (isShared ? takePostgres() : copyPostgres());
  return {
    dataDir,
    databaseUrl: urlOf(database),
    remove: async () => {
      if (isShared) giveBack(database);
      else await removePostgres(database);
      rmSync(dataDir, { recursive: true });
    },
  };
}

let sqlite: Promise<string> | undefined;

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
