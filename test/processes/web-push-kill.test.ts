import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LOOPBACK_CERTIFICATE } from '../support/certificate.ts';
import type { Client } from '../support/client.ts';
import { databasesInTurn, makeDatabase, type TestDatabase } from '../support/databases.ts';
import { pause } from '../support/pause.ts';
import { call, demoAccount, freePort, type ServerProcess, startProcess } from '../support/process.ts';
import { PushService, Subscriber } from '../support/push-service.ts';
import { openSuccessor } from '../support/successor.ts';

const COUNT = 30;
/** Of these the last ones, which nobody was told of yet, are read or deleted before the crash. */
const [READ, DELETED] = [5, 5];
/** Requests that a process has under way at once, one for each worker. src/kernel/jobs/README.md */
const MAX_DOUBLED = 4;

describe.each(databasesInTurn(import.meta.url))('a server killed while it tells browsers, on %s', (name) => {
  let database: TestDatabase;
  let service: PushService;
  let server: ServerProcess;
  const environment = { ROOST_OUTBOUND_NETWORKS: '127.0.0.0/8' };
  beforeAll(async () => {
    database = await makeDatabase(name);
    service = await PushService.open('loopback');
    const certificate = join(database.dataDir, 'push-service.pem');
    writeFileSync(certificate, LOOPBACK_CERTIFICATE);
    server = await startProcess(database, await freePort(), { ...environment, NODE_EXTRA_CA_CERTS: certificate });
  });
  afterAll(async () => {
    await server.kill('SIGKILL');
    await service.close();
    await database.remove();
  });

  it('tells of each message once or twice when another takes over, and of none that was read or deleted meanwhile', async () => {
    const [max, mia] = [await demoAccount(server, 'owner@roost.test'), await demoAccount(server, 'member2@roost.test')];
    const ask = async (account: typeof max, method: string, path: string, fields: object = {}) => {
      const reply = await call(server, account, method, path, { ...fields });
      expect(reply).toMatchObject({ result: 'success' });
      return reply;
    };
    const asMia = {
      get: (path: string) => ask(mia, 'GET', path),
      post: (path: string, fields: object = {}) => ask(mia, 'POST', path, fields),
    } as unknown as Pick<Client, 'get' | 'post'>;
    const browser = await new Subscriber(service, service.host).subscribe(asMia);
    // What it is brought it takes, and never says so.
    service.answers.set(browser.path, 'mute');
    const ids: number[] = [];
    for (let index = 0; index < COUNT; index++) {
      const fields = { type: 'direct', to: [mia.user_id], content: `shown ${index}` };
      ids.push((await ask(max, 'POST', '/messages', fields))['id']);
    }
    for (let looks = 0; service.requests.length < MAX_DOUBLED; looks++) {
      if (looks > 200) throw new Error(`it did not come to that:\n${server.output().slice(-2000)}`);
      await pause(25);
    }
    const doomed = ids.slice(-READ - DELETED);
    await ask(mia, 'POST', '/messages/flags', { messages: doomed.slice(0, READ), op: 'add', flag: 'read' });
    for (const id of doomed.slice(READ)) await ask(max, 'DELETE', `/messages/${id}`);
    await server.kill('SIGKILL');
    const before = service.requests.length;
    service.answers.clear();
    const successor = await openSuccessor(database, environment, [LOOPBACK_CERTIFICATE]);
    await successor.stop();
    const shown = browser
      .read(Math.floor(Date.now() / 1000) + 150)
      .map(({ payload }) => payload)
      .filter(({ type, message_id }) => type === 'message' && ids.includes(message_id));
    const counts = ids.map((id) => shown.filter(({ message_id }) => message_id === id).length);
    expect(before).toBeGreaterThanOrEqual(MAX_DOUBLED);
    expect(counts.slice(0, -READ - DELETED).filter((count) => count < 1 || count > 2)).toEqual([]);
    expect(counts.slice(-READ - DELETED)).toEqual(Array.from({ length: READ + DELETED }, () => 0));
    expect(counts.filter((count) => count === 2).length).toBeLessThanOrEqual(before);
  });
});
