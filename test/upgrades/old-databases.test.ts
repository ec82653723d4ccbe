import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { apiKeyFor } from '#kernel/auth';
import { TestClock } from '#kernel/clock';
import { readConfig } from '#kernel/config';
import { openLog } from '#kernel/log';
import { ofRealm, openStore, readSchema } from '#kernel/store';
import { findUserByEmail } from '#features/users';
import { listRealms } from '#features/realms';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { migrations } from '../../src/migrations/index.ts';
import { openServer, type Server } from '../../src/server.ts';
import { Client } from '../support/client.ts';
import { databases } from '../support/databases.ts';
import { copyPostgres, removePostgres, urlOf } from '../support/postgres-databases.ts';
import { emptyPostgres, runSql } from './old-postgres.ts';

/** Databases of the demo organization as earlier states of the program left them, named by their day. */
const FOLDER = new URL('fixtures/', import.meta.url);
const FIXTURES = readdirSync(FOLDER).filter((name) => name.endsWith('.gz'));
const ON = { sqlite: '.sqlite3.gz', postgres: '.sql.gz' } as const;
const PASSWORD = 'roost-demo-password';

const places = databases.flatMap((database) =>
  FIXTURES.filter((fixture) => fixture.endsWith(ON[database])).map((fixture) => ({ database, fixture })),
);

describe.each(places)('the database $fixture on $database', ({ database, fixture }) => {
  let dataDir: string;
  let remove = async (): Promise<void> => undefined;
  let server: Server;
  let applied: number;
  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'roost-upgrade-'));
    const file = join(dataDir, 'roost.sqlite3');
    const content = gunzipSync(readFileSync(new URL(fixture, FOLDER)));
    let url: string | undefined;
    if (database === 'sqlite') writeFileSync(file, content, { mode: 0o600 });
    else {
      const name = await copyPostgres();
      remove = () => removePostgres(name);
      url = urlOf(name);
      await emptyPostgres(url);
      await runSql(url, content.toString());
    }
    const clock = new TestClock();
    const old = await openStore({ url, file, clock, readOnly: true, poolSize: 1 });
    applied = (await readSchema(old, migrations)).applied.length;
    await old.close();
    const config = readConfig({
      ROOST_DATA_DIR: dataDir,
      ROOST_MODE: 'development',
      ...(url !== undefined && { ROOST_DATABASE_URL: url }),
    });
    server = await openServer({ config, clock, log: openLog('error', process.stderr), strict: true });
    await server.listener.ready();
    await server.context.events.start();
  });
  afterEach(async () => {
    await server.stop();
    await remove();
    rmSync(dataDir, { recursive: true });
  });

  it('is opened by this release, and people read and write in it as before', async () => {
    const { store, server: facts } = server.context;
    const schema = await readSchema(store, migrations);
    expect(schema).toMatchObject({ missing: [], unknown: [] });
    expect(applied).toBeGreaterThan(0);
    expect(applied).toBeLessThanOrEqual(schema.applied.length);
    if (database === 'sqlite') expect((await store.query((tx) => tx.dialect.faults.execute(tx.db))).rows).toEqual([]);
    const max = await store.read(async (tx) => {
      const [realm] = await listRealms(tx);
      const row = realm && (await findUserByEmail(ofRealm(tx, realm.id), 'member@roost.test'));
      if (!row) throw new Error('nobody is there');
      return row;
    });
    const api_key = apiKeyFor(facts.secret, max.id, max.api_key_version);
    const client = new Client(server, { email: max.email, user_id: max.id, api_key });
    const login = await new Client(server).post('/fetch_api_key', { username: max.email, password: PASSWORD });
    expect(login['api_key']).toBe(api_key);
    const page = { anchor: 'newest', num_before: 50, num_after: 0 };
    const before: readonly { content: string }[] = (await client.get('/messages', page))['messages'];
    expect(before.length).toBeGreaterThan(5);
    expect(before.every(({ content }) => content.startsWith('<'))).toBe(true);
    const { state } = await client.register();
    expect(state['subscriptions'].map(({ name }: { name: string }) => name)).toContain('general');
    const sent = await client.post('/messages', {
      type: 'channel',
      to: 'general',
      topic: 'after',
      content: 'upgraded',
    });
    const after: readonly { id: number; content: string }[] = (await client.get('/messages', page))['messages'];
    expect(after.at(-1)).toMatchObject({ id: sent['id'], content: '<p>upgraded</p>' });
    const narrow = [{ operator: 'search', operand: 'upgraded' }];
    expect((await client.get('/messages', { ...page, narrow }))['messages']).toHaveLength(1);
  });
});

it('are there to be tried', () => {
  for (const ending of Object.values(ON))
    expect(FIXTURES.filter((name) => name.endsWith(ending)).length).toBeGreaterThanOrEqual(3);
});
