import { TestClock, type Timer } from '#kernel/clock';
import { openStore, sql, together } from '#kernel/store';
import { describe, expect, it } from 'vitest';
import { databases, makeDatabase } from '../../../test/support/databases.ts';

/** A clock on which waits of less than half a second end at once; it records them. */
class Impatient extends TestClock {
  readonly waited: number[] = [];

  override after(ms: number, task: () => void): Timer {
    if (ms >= 500) return super.after(ms, task);
    this.waited.push(ms);
    setImmediate(task);
    return { cancel: () => undefined };
  }
}

describe.runIf(databases.includes('postgres'))('work that loses its connection', () => {
  it('is run again soon each time, however often that happens', async () => {
    const { databaseUrl: url, remove } = await makeDatabase('postgres');
    const clock = new Impatient();
    const store = await openStore({ url, file: '', clock });
    let tries = 0;
    const done = await store.write(async (tx) => {
      if (++tries <= 5) await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx.db);
      return `after ${tries} tries`;
    });
    expect(done).toBe('after 6 tries');
    expect(clock.waited).toEqual([10, 20, 40, 50, 50]);
    await store.close();
    await remove();
  });

  it('fails with the error of its first failed statement, even if the error of a later one is seen first', async () => {
    const { databaseUrl: url, remove } = await makeDatabase('postgres');
    const store = await openStore({ url, file: '', clock: new TestClock() });
    const failing = store.write(async (tx) => {
      await sql`set local statement_timeout = 1`.execute(tx.db);
      const given = sql`select pg_sleep(1)`.execute(tx.db);
      const told = (async () => {
        await given.catch(() => new Promise(setImmediate));
        return given;
      })();
      await together([told, sql`select 1`.execute(tx.db)]);
    });
    await expect(failing).rejects.toMatchObject({ name: 'DatabaseAway', outcome: 'refused' });
    await store.close();
    await remove();
  });
});
