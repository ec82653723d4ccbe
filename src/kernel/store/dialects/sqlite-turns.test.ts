import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '#kernel/clock';
import type { ReadTx } from '../transactions.ts';
import { SqliteStore } from './sqlite-store.ts';

/** Statements of a transaction that competes with endless others. */
const STATEMENTS = 10;
/** People who read something short again and again. */
const PEOPLE = 4;

/** Runs a statement that takes some milliseconds. */
async function runSlowly(tx: Pick<ReadTx, 'db'>): Promise<void> {
  await sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 20000)
    select max(i) from n`.execute(tx.db);
}

describe('statements of SQLite (security#what-one-request-may-cost)', () => {
  let folder: string;
  let store: SqliteStore;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'roost-store-'));
    store = new SqliteStore(join(folder, 'store.sqlite3'), systemClock);
  });
  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });

  it('let other work run during a long transaction', async () => {
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
    // One turn for each 20 ms; without limits, there would be none.
    expect(turns).toBeGreaterThan(3);
  });

  /** Counts the short reads that end while work runs. */
  const readsDuring = async (work: () => Promise<void>): Promise<number> => {
    let isDone = false;
    let reads = 0;
    const others = Array.from({ length: PEOPLE }, async () => {
      while (!isDone) {
        await store.read(runSlowly);
        reads++;
      }
    });
    await new Promise(setImmediate);
    reads = 0;
    await work();
    isDone = true;
    const during = reads;
    await Promise.all(others);
    return during;
  };

  it('of a read are not overtaken by those of reads that begin later', async () => {
    const ended: number[] = [];
    let begun = 0;
    await Promise.all(
      Array.from({ length: PEOPLE }, async () => {
        while (begun < 10 * PEOPLE) {
          const place = begun++;
          await store.read(async (tx) => {
            for (let number = 0; number < STATEMENTS; number++) await runSlowly(tx);
          });
          ended.push(place);
        }
      }),
    );
    const overtaking = ended.map((place, index) => ended.slice(0, index).filter((earlier) => earlier > place).length);
    expect(Math.max(...overtaking)).toBeLessThan(PEOPLE);
  });

  it('of a write wait for a turn or two of reads, however many these are', async () => {
    const reads = await readsDuring(() =>
      store.write(async (tx) => {
        for (let number = 0; number < 3 * STATEMENTS; number++) await sql`select 1`.execute(tx.db);
      }),
    );
    expect(reads).toBeLessThanOrEqual(STATEMENTS);
  });
});
