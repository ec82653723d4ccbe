import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '#kernel/clock';
import { readConfig } from '#kernel/config';
import type { Context } from '#kernel/context';
import { enqueue } from '#kernel/jobs';
import { openLog } from '#kernel/log';
import { ofRealm, type WriteTx } from '#kernel/store';
import { digestJob } from '#features/notifications';
import { openServer } from '../../src/server.ts';
import { LOOPBACK_CERTIFICATE } from '../support/certificate.ts';
import { databasesInTurn, makeDatabase, type TestDatabase } from '../support/databases.ts';
import { ForgetfulMailServer } from '../support/mail-server.ts';
import { writtenMails } from '../support/mails.ts';
import { pause } from '../support/pause.ts';
import { call, demoAccount, freePort, type ServerProcess, startProcess } from '../support/process.ts';
import { PushService, Subscriber } from '../support/push-service.ts';
import { openSuccessor } from '../support/successor.ts';

const DAY_SECONDS = 86_400;
/** Mails that are answered for; the others are under way when the server is killed. */
const ANSWERED = 2;
/** The subjects of the mails that may not be lost. */
const ABOUT = /^Subject: (Direct messages with|Last week in)/m;
const PEOPLE = ['owner', 'admin', 'moderator', 'member', 'member2'];

describe.each(databasesInTurn(import.meta.url))('a server killed while mails and browsers are told, on %s', (name) => {
  let database: TestDatabase;
  let mailServer: ForgetfulMailServer;
  let server: ServerProcess | undefined;
  beforeEach(async () => {
    database = await makeDatabase(name);
    mailServer = await ForgetfulMailServer.open(ANSWERED, ABOUT);
  });
  afterEach(async () => {
    await server?.kill('SIGKILL');
    await mailServer.close();
    await database.remove();
  });

  const start = async (environment: Readonly<Record<string, string>> = {}) =>
    (server = await startProcess(database, await freePort(), { ROOST_SMTP_URL: mailServer.url, ...environment }));
  const until = async (isSo: () => boolean) => {
    for (let looks = 0; !isSo(); looks++) {
      if (looks > 600) throw new Error(`it did not come to that:\n${server?.output().slice(-2000)}`);
      await pause(50);
    }
  };
  /** How often what a pattern finds was told of, before the server was killed and after. */
  const counts = (pattern: RegExp) => {
    const found = [...mailServer.taken, ...writtenMails(database.dataDir)].flatMap(
      (mail) => pattern.exec(mail)?.[1] ?? [],
    );
    return new Map([...new Set(found)].map((one) => [one, found.filter((other) => other === one).length]));
  };

  it('sends each mail of a conversation at least once, and at most twice', async () => {
    const first = await startProcess(database, await freePort());
    const accounts = await Promise.all(PEOPLE.map((person) => demoAccount(first, `${person}@roost.test`)));
    const [reader, ...writers] = accounts;
    if (!reader) throw new Error('nobody reads');
    await call(first, reader, 'PATCH', '/settings', { email_notifications_batching_period_seconds: 1 });
    await first.kill('SIGTERM');
    await change(database, forgetGathered);
    const { kill, url } = await start();
    for (const writer of writers)
      expect(
        await call({ url }, writer, 'POST', '/messages', { type: 'direct', to: [reader.user_id], content: 'mailed' }),
      ).toMatchObject({ result: 'success' });
    await until(() => mailServer.about(ABOUT).length > ANSWERED);
    await kill('SIGKILL');
    await (await openSuccessor(database)).stop();
    const told = counts(/^Subject: Direct messages with (.+?)\r?$[\s\S]*mailed/m);
    expect(told.size).toBe(writers.length);
    for (const [conversation, times] of told) expect(times, conversation).toBeLessThanOrEqual(2);
  });

  it('sends each weekly mail at least once, and at most twice', async () => {
    const { kill, url } = await startProcess(database, await freePort());
    const owner = await demoAccount({ url }, 'owner@roost.test');
    await call({ url }, owner, 'PATCH', '/realm', { digest_emails_enabled: true });
    await kill('SIGTERM');
    await change(database, makeDigestDue);
    const second = await start();
    await until(() => mailServer.about(ABOUT).length > ANSWERED);
    await second.kill('SIGKILL');
    await (await openSuccessor(database)).stop();
    const told = counts(/^To: .*?(\w+)@roost\.test[\s\S]*^Subject: Last week in/m);
    for (const person of PEOPLE) expect(told.get(person), person).toBeGreaterThanOrEqual(1);
    for (const [person, times] of told) expect(times, person).toBeLessThanOrEqual(2);
  });

  it('shows each browser, and each app of UnifiedPush, a message at least once, and at most twice', async () => {
    const service = await PushService.open('loopback');
    const certificate = join(database.dataDir, 'receiver.pem');
    writeFileSync(certificate, LOOPBACK_CERTIFICATE);
    const environment = { ROOST_OUTBOUND_NETWORKS: '127.0.0.0/8' };
    const { kill, url } = await start({ ...environment, NODE_EXTRA_CA_CERTS: certificate });
    const [reader, writer] = [
      await demoAccount({ url }, 'member2@roost.test'),
      await demoAccount({ url }, 'owner@roost.test'),
    ];
    const client = {
      get: (path: string) => call({ url }, reader, 'GET', path),
      post: (path: string, fields: object = {}) => call({ url }, reader, 'POST', path, { ...fields }),
    };
    const browsers: Subscriber[] = [];
    for (let number = 0; number < 20; number++) {
      const kind = number % 2 === 0 ? 'web' : 'unifiedpush';
      browsers.push(await new Subscriber(service, service.host).subscribe(client, { kind }));
    }
    // Half of the answers never come.
    for (const { path } of browsers.slice(10)) service.answers.set(path, 'mute');
    const content = randomUUID();
    await call({ url }, writer, 'POST', '/messages', { type: 'direct', to: [reader.user_id], content });
    await until(() => service.requests.length >= browsers.length);
    await kill('SIGKILL');
    service.answers.clear();
    await (await openSuccessor(database, environment, [LOOPBACK_CERTIFICATE])).stop();
    await service.close();
    for (const browser of browsers) {
      const shown = browser.read(systemClock.now()).filter(({ payload }) => payload['content'] === content);
      expect(shown.length).toBeGreaterThanOrEqual(1);
      expect(shown.length).toBeLessThanOrEqual(2);
    }
  });
});

/** Changes a database whose server is not there. */
async function change({ dataDir, databaseUrl }: TestDatabase, how: (context: Context, tx: WriteTx) => Promise<void>) {
  const config = readConfig({
    ROOST_DATA_DIR: dataDir,
    ...(databaseUrl !== undefined && { ROOST_DATABASE_URL: databaseUrl }),
  });
  const server = await openServer({ config, clock: systemClock, log: openLog('silent'), strict: true });
  await server.context.store.write((tx) => how(server.context, tx));
  await server.stop();
}

/** Forgets what the demo gathered for mails that are not due yet. */
async function forgetGathered(_context: Context, tx: WriteTx): Promise<void> {
  await tx.db.deleteFrom('missed_message').execute();
}

/** Lets everybody have been away for a month, and the organization's weekly mails be due now. */
async function makeDigestDue(context: Context, tx: WriteTx): Promise<void> {
  await tx.db
    .updateTable('user')
    .set({ date_joined: tx.now - 30 * DAY_SECONDS })
    .execute();
  await tx.db.deleteFrom('presence').execute();
  await tx.db.deleteFrom('session').execute();
  const { id } = await tx.db.selectFrom('realm').select('id').executeTakeFirstOrThrow();
  await enqueue(ofRealm(tx, id), digestJob, { since: tx.now - 7 * DAY_SECONDS }, { key: 'digest' });
}
