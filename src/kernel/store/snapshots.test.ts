import { TestClock } from '#kernel/clock';
import { openStore, type ReadTx, sql, type Store } from '#kernel/store';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databases, makeDatabase } from '../../../test/support/databases.ts';
import { Proxy } from '../../../test/faults/support/proxy.ts';

describe.runIf(databases.includes('postgres'))('a snapshot on PostgreSQL', () => {
  let store: Store;
  let network: Proxy;
  let remove: () => Promise<void>;
  beforeEach(async () => {
    const made = await makeDatabase('postgres');
    const url = new URL(made.databaseUrl ?? '');
    network = new Proxy(Number(url.port || 5432));
    await network.listen();
    url.port = String(network.port);
    remove = made.remove;
    store = await openStore({ url: url.href, file: '', clock: new TestClock() });
  });
  afterEach(async () => {
    network.set('pass');
    network.cut();
    await store.close();
    await network.close();
    await remove();
  });

  const connectionOf = async (tx: ReadTx) => {
    const { rows } = await sql<{ id: number }>`select pg_backend_pid() as id`.execute(tx.db);
    return rows[0]?.id;
  };

  it('answers as soon as everything is read, and keeps its connection until its end is answered', async () => {
    const own = await store.read(async (tx) => {
      const id = await connectionOf(tx);
      network.set('drop');
      return id;
    });
    expect(own).toBeGreaterThan(0);
    network.set('pass');
    expect(await store.read(connectionOf)).not.toBe(own);
  });

  it('gives its connection back once its end is answered', async () => {
    const used = new Set<unknown>();
    for (let time = 0; time < 30; time++) {
      used.add(await store.read(connectionOf));
      await expect(store.read(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    }
    // Some snapshots begin before the end of the one before is answered.
    expect(used.size).toBeLessThan(6);
  });
});
