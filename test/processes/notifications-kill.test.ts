import { once } from 'node:events';
import { type AddressInfo, createServer, type Server as TcpServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databasesInTurn, makeDatabase, type TestDatabase } from '../support/databases.ts';
import { writtenMails } from '../support/mails.ts';
import { pause } from '../support/pause.ts';
import { Phone } from '../support/phone.ts';
import { call, demoAccount, freePort, type ServerProcess, startProcess } from '../support/process.ts';
import { PushGateway } from '../support/push-gateway.ts';
import { openSuccessor } from '../support/successor.ts';

const COUNT = 40;
/** Requests that a process has under way at once: that many may come twice after a crash. src/kernel/jobs/README.md */
const MAX_DOUBLED = 8;
const now = () => Math.floor(Date.now() / 1000);

describe.each(databasesInTurn(import.meta.url))('a server killed while it tells people of messages, on %s', (name) => {
  let database: TestDatabase;
  let gateway: PushGateway;
  let server: ServerProcess;
  /** A mail server that takes connections and says nothing. */
  let silent: TcpServer;
  const connections: Socket[] = [];
  beforeAll(async () => {
    database = await makeDatabase(name);
    gateway = await PushGateway.open(now);
    silent = createServer((socket) => connections.push(socket.on('error', () => undefined))).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    server = await startProcess(database, await freePort(), {
      ROOST_PUSH_GATEWAY_URL: gateway.url,
      ROOST_SMTP_URL: `smtp://127.0.0.1:${port}`,
    });
  });
  afterAll(async () => {
    await server.kill('SIGKILL');
    for (const socket of connections) socket.destroy();
    silent.close();
    await gateway.close();
    await database.remove();
  });

  const until = async (isSo: () => boolean | Promise<boolean>) => {
    for (let looks = 0; !(await isSo()); looks++) {
      if (looks > 400) throw new Error(`it did not come to that:\n${server.output().slice(-2000)}`);
      await pause(50);
    }
  };

  it('has lost nothing when another server has taken over, and told little twice', async () => {
    const max = await demoAccount(server, 'member@roost.test');
    const mia = await demoAccount(server, 'member2@roost.test');
    const readers = await Promise.all(
      ['owner', 'admin', 'moderator'].map((reader) => demoAccount(server, `${reader}@roost.test`)),
    );
    const ask = async (account: typeof max, path: string, fields: object, method = 'POST') => {
      const reply = await call(server, account, method, path, { ...fields });
      expect(reply).toMatchObject({ result: 'success' });
      return reply;
    };
    const phone = await new Phone(gateway, now).register((path, fields = {}) => ask(mia, path, fields));
    const trial = () => call(server, mia, 'POST', '/mobile_push/e2ee/test_notification');
    await until(async () => (await trial())['result'] === 'success');
    await phone.read();
    for (const reader of readers)
      await ask(reader, '/settings', { email_notifications_batching_period_seconds: 1 }, 'PATCH');
    gateway.seen.splice(0);
    for (let requests = 0; requests < 3; requests++) gateway.confuseNext('/e2ee/notify', 'silence');
    const contents = Array.from({ length: COUNT }, (_, number) => `shown ${number}`);
    await Promise.all(
      readers.map(({ user_id }) => ask(max, '/messages', { type: 'direct', to: [user_id], content: 'mailed' })),
    );
    await Promise.all(contents.map((content) => ask(max, '/messages', { type: 'direct', to: [mia.user_id], content })));
    // Some have been shown; three requests and the mails are under way, and will be for as long as the process lives.
    await until(() => gateway.seen.length > 3 && connections.length > 0);
    await server.kill('SIGKILL');
    const successor = await openSuccessor(database, { ROOST_PUSH_GATEWAY_URL: gateway.url });
    await successor.stop();
    // The demo's own messages are not counted.
    const shown = (await phone.read()).map(({ content }) => content).filter((text) => text?.startsWith('shown '));
    expect(new Set(shown)).toEqual(new Set(contents));
    expect(shown.length - COUNT).toBeLessThanOrEqual(MAX_DOUBLED);
    const mails = writtenMails(database.dataDir).filter((mail) => mail.includes('mailed'));
    const receivers = mails.map((mail) => /^To: .*?(\w+)@roost\.test/m.exec(mail)?.[1]);
    expect(receivers).toHaveLength(readers.length);
    expect(new Set(receivers)).toEqual(new Set(['admin', 'moderator', 'owner']));
  });
});
