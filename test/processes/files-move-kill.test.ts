import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '#kernel/clock';
import { openFiles } from '#kernel/files';
import { databasesInTurn, makeDatabase, type TestDatabase } from '../support/databases.ts';
import { FaultyStore } from '../support/faulty-store.ts';
import { pause } from '../support/pause.ts';
import { beginCommand, demoAccount, runCommand, type ServerProcess, startProcess } from '../support/process.ts';

const FILES = 60;

describe.each(databasesInTurn(import.meta.url))('files that move while the command is killed, on %s', (name) => {
  const store = new FaultyStore();
  let database: TestDatabase;
  let server: ServerProcess;
  let to: readonly string[];
  let address: string;
  beforeAll(async () => {
    database = await makeDatabase(name);
    server = await startProcess(database, 0);
    address = await store.open();
    to = ['files', 'move', '--to', address];
  });
  afterAll(async () => {
    await server.kill('SIGKILL');
    await database.remove();
    await store.close();
  });

  it('are all there when it is run again, beside the running server, with what came meanwhile', async () => {
    const here = await openFiles(join(database.dataDir, 'files'), { clock: systemClock });
    const contentOf = (index: number) => Buffer.from(`nest ${index} ${'twig '.repeat(index)}`);
    for (let index = 0; index < FILES; index++) await here.put(`uploads/9/${index}/nest.txt`, contentOf(index));

    const child = beginCommand(database, to);
    const gone = once(child, 'exit');
    while (store.objects.size < 10) await pause(2);
    store.fault = 'hangs';
    child.kill('SIGKILL');
    await gone;
    expect(child.signalCode).toBe('SIGKILL');
    const came = store.objects.size;
    expect(came).toBeLessThan(FILES);
    store.fault = 'none';

    const max = await demoAccount(server, 'member@roost.test');
    const authorization = `Basic ${Buffer.from(`${max.email}:${max.api_key}`).toString('base64')}`;
    const form = new FormData();
    form.set('file', new Blob(['late']), 'late.txt');
    const sent = await fetch(`${server.url}/api/v1/user_uploads`, {
      method: 'POST',
      headers: { authorization },
      body: form,
    });
    const { url } = (await sent.json()) as { url: string };

    const said = await runCommand(database, to);
    const [, copied, known] = /^pass 1: (\d+) files copied and compared \(.*\), (\d+) were there$/m.exec(said) ?? [];
    expect(Number(known)).toBe(came);
    expect(Number(copied)).toBeGreaterThan(FILES - came);
    for (let index = 0; index < FILES; index++)
      expect(store.objects.get(`/files/uploads/9/${index}/nest.txt`)?.equals(contentOf(index))).toBe(true);

    await server.kill('SIGTERM');
    server = await startProcess(database, 0, { ROOST_UPLOADS_URL: address });
    const late = await fetch(server.url + url, { headers: { authorization } });
    expect([late.status, await late.text()]).toEqual([200, 'late']);
  });
});
