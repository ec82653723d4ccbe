import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Body, Client } from '../support/client.ts';
import { databasesInTurn, makeDatabase, type TestDatabase } from '../support/databases.ts';
import { call, demoAccount, type ServerProcess, startProcess } from '../support/process.ts';
import { openSuccessor } from '../support/successor.ts';

/** MiB of a file that an export has to pack: a second, and more. */
const FILE_MIB = 40;

describe.each(databasesInTurn(import.meta.url))('a server killed while it makes an export, on %s', (name) => {
  let database: TestDatabase;
  let server: ServerProcess;
  beforeAll(async () => {
    database = await makeDatabase(name);
    server = await startProcess(database, 0);
  });
  afterAll(async () => {
    await server.kill('SIGKILL');
    await database.remove();
  });

  const written = () => (existsSync(database.dataDir) ? readdirSync(database.dataDir, { recursive: true }) : []);
  /** Parts of exports in the spool, and what becomes an archive. */
  const begun = () =>
    written()
      .map(String)
      .filter((path) => /^(spool|uploads|files)\b.*exports\b.*\.tar\.gz/.test(path));

  it('makes it anew, whole, and tells who asked for it once', async () => {
    const owner = await demoAccount(server, 'owner@roost.test');
    const form = new FormData();
    const bytes = randomBytes(FILE_MIB * 2 ** 20);
    form.set('filename', new Blob([bytes]), 'noise.bin');
    const authorization = `Basic ${btoa(`${owner.email}:${owner.api_key}`)}`;
    const options = { method: 'POST', headers: { authorization }, body: form };
    const { url } = (await (await fetch(`${server.url}/api/v1/user_uploads`, options)).json()) as { url: string };
    const content = `the last word [noise](${url})`;
    const said = { type: 'channel', to: 'general', topic: 'export', content };
    expect(await call(server, owner, 'POST', '/messages', said)).toMatchObject({ result: 'success' });
    const { id } = await call(server, owner, 'POST', '/export/realm', { export_type: 'public' });
    while (begun().length === 0) await new Promise(setImmediate);
    await server.kill('SIGKILL');

    const successor = await openSuccessor(database);
    const client = new Client(successor, owner);
    const { exports } = await client.get('/export/realm');
    expect(exports).toMatchObject([{ id, pending: false, failed_timestamp: null }]);
    const { rawPayload, statusCode } = await client.fetch(new URL(exports[0].export_url).pathname);
    expect(statusCode).toBe(200);
    const archive = gunzipSync(rawPayload);
    expect(archive.includes('the last word')).toBe(true);
    expect(archive.includes(bytes.subarray(-1000))).toBe(true);
    const asked = { anchor: 'newest', num_before: 100, num_after: 0, apply_markdown: false };
    const { messages } = await client.get('/messages', asked);
    const told = messages.filter(({ content: text }: Body) => text.includes('The export of the data'));
    expect(told).toHaveLength(1);
    await successor.stop();
  });
});
