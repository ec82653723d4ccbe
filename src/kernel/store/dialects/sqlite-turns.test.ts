import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { systemClock } from '#kernel/clock';
import { SqliteStore } from './sqlite-store.ts';

it('lets other work run during a long transaction (security#what-one-request-may-cost)', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'roost-store-'));
  const store = new SqliteStore(join(folder, 'store.sqlite3'), systemClock);
  let turns = 0;
  let isDone = false;
  const others = () => {
    if (isDone) return;
    turns++;
    setImmediate(others);
  };
  await store.write(async (tx) => {
    const end = performance.now() + 200;
    setImmediate(others);
    while (performance.now() < end) await sql`select 1`.execute(tx.db);
  });
  isDone = true;
  // One turn for each 20 ms; without yielding, there would be none.
  expect(turns).toBeGreaterThan(3);
  await store.close();
  rmSync(folder, { recursive: true });
});
