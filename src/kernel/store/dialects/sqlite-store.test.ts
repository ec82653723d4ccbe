import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

it('reads through 24 connections at most, which stay open; reads beyond them wait for their turn', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'roost-store-'));
  const file = join(folder, 'store.sqlite3');
  const store = new SqliteStore(file, systemClock);
  await store.write((tx) => sql`create table kept (number integer)`.execute(tx.db));
  const before = connections(file);
  let end = () => {};
  const all = new Promise<void>((resolve) => (end = resolve));
  const begun: number[] = [];
  const read = (n: number) =>
    store.read(async (tx) => {
      begun.push(n);
      await all;
      if (n % 10 === 3) throw new Error('it failed');
      return sql<{ sum: number }>`select count(*) as sum from kept`.execute(tx.db).then(({ rows }) => rows[0]?.sum);
    });
  const first = Array.from({ length: 60 }, (_, n) => read(n));
  await stayFor(10);
  expect(begun).toHaveLength(24);
  expect(connections(file)).toBe(before + 24);
  end();
  const results = await Promise.allSettled(first);
  expect(results.map((one) => (one.status === 'rejected' ? 'failed' : one.value))).toEqual(
    first.map((_, n) => (n % 10 === 3 ? 'failed' : 0)),
  );
  expect(begun).toEqual(first.map((_, n) => n));
  await Promise.allSettled(Array.from({ length: 100 }, (_, n) => read(n)));
  expect(connections(file)).toBe(before + 24);
  await store.close();
  expect(begun).toHaveLength(160);
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
