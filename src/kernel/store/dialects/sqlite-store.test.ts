import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { stayFor, systemClock } from '#kernel/clock';
import type { WriteTx } from '#kernel/store';
import { SqliteStore } from './sqlite-store.ts';

/**
 * Counts this process's connections to a database by their write-ahead logs: SQLite keeps the file's own handles open.
 */
function connections(file: string): number {
  const targets = readdirSync('/proc/self/fd').map((name) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`);
    } catch {
      return '';
    }
  });
  return targets.filter((target) => target === `${file}-wal`).length;
}

/** Collects garbage: SQLite closes a connection only after its last statement was collected. */
function collect(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}

it('keeps four connections open for the next reads, however many there were at once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'roost-store-'));
  const file = join(folder, 'store.sqlite3');
  const store = new SqliteStore(file, systemClock);
  await store.write((tx) => sql`create table kept (number integer)`.execute(tx.db));
  const before = connections(file);
  let end = () => {};
  const all = new Promise<void>((resolve) => (end = resolve));
  const reads = Array.from({ length: 20 }, () =>
    store.read(async (tx) => {
      await all;
      return sql<{ sum: number }>`select count(*) as sum from kept`.execute(tx.db).then(({ rows }) => rows[0]?.sum);
    }),
  );
  expect(connections(file)).toBe(before + 20);
  end();
  expect(await Promise.all(reads)).toEqual(reads.map(() => 0));
  const kept = () => {
    collect();
    return connections(file);
  };
  await expect.poll(kept).toBe(before + 4);
  expect(await store.read(async () => 'still')).toBe('still');
  expect(connections(file)).toBe(before + 4);
  await store.close();
  rmSync(folder, { recursive: true });
});

it('answers others while it waits for another process that writes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'roost-store-'));
  const file = join(folder, 'store.sqlite3');
  const [server, command] = [new SqliteStore(file, systemClock), new SqliteStore(file, systemClock)];
  await server.write((tx) => sql`create table kept (number integer)`.execute(tx.db));
  const add = (tx: WriteTx) => sql`insert into kept (number) values (1)`.execute(tx.db);
  let end = () => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  let begin = () => {};
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const long = command.write(async (tx) => {
    await add(tx);
    begin();
    await ended;
  });
  await begun;
  let isWritten = false;
  const waiting = server.write(add).then(() => (isWritten = true));
  const count = () =>
    server
      .query((tx) => sql<{ sum: number }>`select count(*) as sum from kept`.execute(tx.db))
      .then(({ rows }) => rows);
  for (let turn = 0; turn < 20; turn++) {
    await stayFor(1);
    expect([await count(), isWritten]).toEqual([[{ sum: 0 }], false]);
  }
  end();
  await Promise.all([long, waiting]);
  expect(await count()).toEqual([{ sum: 2 }]);
  await server.close();
  await command.close();
  rmSync(folder, { recursive: true });
});
