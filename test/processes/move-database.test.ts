import { existsSync, readdirSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '#kernel/clock';
import { openStore, sql, tables } from '#kernel/store';
import { Load } from '../faults/support/load.ts';
import type { Body } from '../support/client.ts';
import { databases, makeDatabase, type TestDatabase } from '../support/databases.ts';
import {
  beginCommand,
  call,
  demoAccount,
  freePort,
  refusedCommand,
  runCommand,
  type ServerProcess,
  startProcess,
} from '../support/process.ts';
import { pause } from '../support/pause.ts';
import '../../src/features.ts';

type Place = Pick<TestDatabase, 'dataDir' | 'databaseUrl'>;
type Account = Awaited<ReturnType<typeof demoAccount>>;

/** Every row of every table, as text in an order that both databases share. */
async function rowsOf({ dataDir, databaseUrl: url }: Place, leftOut: readonly string[] = []) {
  const store = await openStore({ url, file: join(dataDir, 'roost.sqlite3'), clock: systemClock, poolSize: 1 });
  try {
    const found = new Map<string, readonly string[]>();
    for (const { name } of tables().filter((table) => !leftOut.includes(table.name))) {
      const { rows } = await store.query((tx) => sql<object>`select * from ${sql.table(name)}`.execute(tx.db));
      const texts = rows.map((row) => JSON.stringify(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1))));
      found.set(name, texts.toSorted());
    }
    return found;
  } finally {
    await store.close();
  }
}

// Both are needed: one to move from and one to move to.
describe.runIf(databases.length === 2)('a database that moves', () => {
  let embedded: TestDatabase;
  let postgres: TestDatabase;
  let server: ServerProcess | undefined;
  beforeEach(async () => {
    embedded = await makeDatabase('sqlite');
    postgres = await makeDatabase('postgres');
  });
  afterEach(async () => {
    await server?.kill('SIGKILL');
    await embedded.remove();
    await postgres.remove();
  });
  const moved = (): Place => ({ dataDir: embedded.dataDir, databaseUrl: postgres.databaseUrl });
  const away = () => ['migrate', '--to', postgres.databaseUrl ?? ''];

  const start = async (place: Place) => {
    server = await startProcess({ ...place, remove: () => Promise.resolve() }, 0);
    return server;
  };
  const send = async (from: Account, content: string): Promise<number> => {
    const reply = await call(server ?? { url: '' }, from, 'POST', '/messages', {
      type: 'direct',
      to: [from.user_id],
      content,
    });
    expect(reply).toMatchObject({ result: 'success' });
    return Number(reply['id']);
  };

  it('is the same row by row on PostgreSQL and back, and queues, searches and IDs go on', async () => {
    const first = await start(embedded);
    const max = await demoAccount(first, 'member@roost.test');
    const queue = await call(first, max, 'POST', '/register', { event_types: ['message'] });
    await send(max, 'a heron „Größe“ stood \\ "here" 🐦');
    const last = await send(max, 'the last word is deleted');
    await call(first, max, 'DELETE', `/messages/${last}`);
    await first.kill('SIGTERM');

    const before = await rowsOf(embedded);
    expect(before.get('message')?.length).toBeGreaterThan(10);
    expect(await runCommand(embedded, away())).toMatch(/^checked {18}\d+ rows are the same in both databases$/m);
    expect(existsSync(join(embedded.dataDir, 'roost.sqlite3'))).toBe(false);
    expect(await rowsOf(moved())).toEqual(before);

    const second = await start(moved());
    const { messages } = await call(second, max, 'GET', '/messages', {
      anchor: 'newest',
      num_before: 5,
      num_after: 0,
      narrow: [{ operator: 'search', operand: 'herons größe' }],
    });
    expect(messages).toHaveLength(1);
    // The number of the deleted message is not used again.
    const next = await send(max, 'a heron after the move');
    expect(next).toBeGreaterThan(last);
    const poll = { queue_id: queue['queue_id'], last_event_id: queue['last_event_id'], dont_block: true };
    const { events } = await call(second, max, 'GET', '/events', poll);
    const contents: string[] = events.flatMap((event: Body) =>
      event['type'] === 'message' ? [event['message']['content']] : [],
    );
    expect(contents.at(-1)).toContain('a heron after the move');
    await second.kill('SIGTERM');

    const onPostgres = await rowsOf(moved());
    expect(await runCommand(moved(), ['migrate', '--to', 'embedded'])).toContain('rows are the same in both databases');
    expect(await rowsOf(embedded)).toEqual(onPostgres);
    const third = await start(embedded);
    expect(await send(max, 'home again')).toBeGreaterThan(next);
    const found = await call(third, max, 'GET', '/messages', {
      anchor: 'newest',
      num_before: 5,
      num_after: 0,
      narrow: [{ operator: 'search', operand: 'heron' }],
    });
    expect(found['messages']).toHaveLength(2);
  });

  it('is refused while it is served, where something else is, and for places that are none', async () => {
    const serving = await start(embedded);
    expect(await refusedCommand(embedded, away())).toMatchObject({
      said: expect.stringMatching(/is served by another process/),
    });
    await serving.kill('SIGTERM');
    const refused = async (place: Place, to: string) => (await refusedCommand(place, ['migrate', '--to', to])).said;
    expect(await refused(embedded, 'mysql://db')).toBe('--to takes postgres://… or "embedded"\n');
    expect(await refused(embedded, 'embedded')).toMatch(/is embedded already/);
    expect(await refused(moved(), 'postgres://elsewhere/db')).toMatch(/is on PostgreSQL already/);
    expect(await refused(moved(), 'embedded')).toMatch(/there is a database in .* already/);
    const other = await start(moved());
    expect(await refused(embedded, postgres.databaseUrl ?? '')).toMatch(/^the other database is in use/);
    await other.kill('SIGTERM');
    expect(await refused(embedded, postgres.databaseUrl ?? '')).toMatch(/is not empty, and is no copy of this one/);
    expect(existsSync(join(embedded.dataDir, 'roost.sqlite3'))).toBe(true);
  });

  /** Kills a command when it has copied the first tables. */
  const cutOff = async (place: Place, command: readonly string[]) => {
    const child = beginCommand(place, command);
    const gone = once(child, 'exit');
    if (child.stdout) await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await gone;
    expect(child.signalCode).toBe('SIGKILL');
  };

  it('stays where it was when the command is killed in the middle, both ways, and is moved by the next one', async () => {
    const serving = await start(embedded);
    const max = await demoAccount(serving, 'member@roost.test');
    await send(max, 'before the move');
    await serving.kill('SIGTERM');
    const before = await rowsOf(embedded);
    await cutOff(embedded, away());
    expect(existsSync(join(embedded.dataDir, 'roost.sqlite3'))).toBe(true);
    expect(await rowsOf(embedded)).toEqual(before);
    expect([...(await rowsOf(moved())).values()].flat()).toEqual([]);
    expect(await runCommand(embedded, away())).toContain('rows are the same in both databases');
    expect(await rowsOf(moved())).toEqual(before);

    await cutOff(moved(), ['migrate', '--to', 'embedded']);
    expect(existsSync(join(embedded.dataDir, 'roost.sqlite3'))).toBe(false);
    expect(await runCommand(moved(), ['migrate', '--to', 'embedded'])).toContain('rows are the same in both databases');
    expect(await rowsOf(embedded)).toEqual(before);
    await start(embedded);
    expect(await send(max, 'after the move')).toBeGreaterThan(0);
  });

  it('loses and doubles nothing of clients that go on all the time, and lets them notice a pause only', async () => {
    const port = await freePort();
    const serve = async (place: Place) => {
      server = await startProcess({ ...place, remove: () => Promise.resolve() }, port);
      return server;
    };
    const first = await serve(embedded);
    const people = ['member@roost.test', 'member2@roost.test', 'admin@roost.test'];
    const accounts = await Promise.all(people.map((email) => demoAccount(first, email)));
    const load = new Load('move', () => [`http://127.0.0.1:${port}`], accounts, 20);
    await load.begin(2, 2);
    for (const [from, command, to] of [
      [embedded, away(), moved()],
      [moved(), ['migrate', '--to', 'embedded'], embedded],
    ] as const) {
      const before = load.acknowledged;
      while (load.acknowledged < before + 10) await pause(20);
      await server?.kill('SIGTERM');
      expect(await runCommand(from, command)).toContain('rows are the same in both databases');
      await serve(to);
    }
    const moves = load.acknowledged;
    while (load.acknowledged < moves + 10) await pause(20);
    await load.end();
    expect(await load.faults()).toEqual([]);
    expect(Object.keys(load.seen().answers)).toEqual(expect.arrayContaining(['200', 'no answer']));
    for (const answer of Object.keys(load.seen().answers))
      expect(['200', 'no answer', '503 SERVER_NOT_READY']).toContain(answer);
  });

  it('takes a copy whose end was not seen for what it is', async () => {
    const serving = await start(embedded);
    await serving.kill('SIGTERM');
    await runCommand(embedded, away());
    const { renameSync } = await import('node:fs');
    const aside = readdirSync(embedded.dataDir).find((name) => /moved-[^-]+-\d+-[^-]+Z$/.test(name)) ?? '';
    renameSync(join(embedded.dataDir, aside), join(embedded.dataDir, 'roost.sqlite3'));
    expect(await runCommand(embedded, away())).toContain('rows are the same in both databases');
    expect(existsSync(join(embedded.dataDir, 'roost.sqlite3'))).toBe(false);
  });
});
