import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '#kernel/clock';
import { LOOPBACK_CERTIFICATE } from '../support/certificate.ts';
import type { Body } from '../support/client.ts';
import { databases, makeDatabase, type TestDatabase } from '../support/databases.ts';
import { ForgetfulMailServer } from '../support/mail-server.ts';
import { pause } from '../support/pause.ts';
import { APPLE, PhoneMakers } from '../support/phone-makers.ts';
import { Phone } from '../support/phone.ts';
import { call, demoAccount, freePort, runCommand, type ServerProcess, startProcess } from '../support/process.ts';
import { PushService, Subscriber } from '../support/push-service.ts';

/** Seconds for which mails wait for what else is said. */
const GATHERED_SECONDS = 4;
const ROADS = ['Web Push', 'UnifiedPush', 'APNs', 'FCM', 'FCM, an older app'] as const;
type RoadName = (typeof ROADS)[number];
const now = () => systemClock.now();

/** What a receiver was brought, decrypted: a message, or that some are to be taken away. */
interface Heard {
  readonly shown?: string;
  readonly removed: readonly number[];
}

// On both databases on each machine: it is with PostgreSQL that there are two processes.
describe.each(databases)('what somebody is told by each road, on %s', (name) => {
  const opened: { close(): Promise<void> }[] = [];
  const roads = new Map<RoadName, () => Promise<readonly Heard[]>>();
  let database: TestDatabase;
  let mails: ForgetfulMailServer;
  /** The process that the reader asks, and the one that the writer does: with SQLite the same. */
  let [first, last]: ServerProcess[] = [];
  let reader: { email: string; api_key: string; user_id: number };
  let writer: typeof reader;

  const start = async (on: TestDatabase, environment: Readonly<Record<string, string>>, command = 'demo') => {
    const server = await startProcess(on, await freePort(), environment, command);
    opened.push({ close: () => server.kill('SIGKILL') });
    return server;
  };
  const ask = async (
    server: ServerProcess | undefined,
    who: typeof reader,
    path: string,
    fields: object = {},
    method = 'POST',
  ) => {
    if (!server) throw new Error('no server was started');
    const reply = await call(server, who, method, path, { ...fields });
    expect(reply, path).toMatchObject({ result: 'success' });
    return reply;
  };
  const until = async (isSo: () => boolean | Promise<boolean>) => {
    for (let looks = 0; !(await isSo()); looks++) {
      if (looks > 400) throw new Error(`it did not come to that:\n${first?.output().slice(-2000)}`);
      await pause(50);
    }
  };
  const send = async (content: string): Promise<number> =>
    (await ask(last, writer, '/messages', { type: 'direct', to: [reader.user_id], content }))['id'];
  const markRead = (id: number) => ask(first, reader, '/messages/flags', { messages: [id], op: 'add', flag: 'read' });

  /** A gateway of one's own before fake makers of phones, as an operator sets it up. */
  const openGateway = async (makers: PhoneMakers) => {
    const own = await makeDatabase(name);
    const files = {
      key: join(own.dataDir, 'apple.p8'),
      account: join(own.dataDir, 'google.json'),
      senders: join(own.dataDir, 'senders.json'),
    };
    writeFileSync(files.key, makers.apple.privateKey.export({ type: 'pkcs8', format: 'pem' }));
    writeFileSync(files.account, makers.serviceAccount);
    const apns = { key_file: files.key, key_id: APPLE.keyId, team_id: APPLE.teamId, url: makers.url };
    const fcm = { service_account_file: files.account, url: makers.url };
    writeFileSync(files.senders, JSON.stringify({ open: true, apns, fcm }));
    const gateway = await start(own, { ROOST_PUSH_SENDERS_FILE: files.senders }, 'push-gateway serve');
    opened.push({ close: own.remove });
    const key = /^apps encrypt for (\S+)/m.exec(gateway.output())?.[1] ?? '';
    makers.publicKey = Buffer.from(key, 'base64');
    return gateway.url;
  };

  /** Opens an account at the gateway; the address with it. */
  const openAccount = async (url: string) => {
    const said = await runCommand(database, ['push-service', 'register', '--contact=it@roost.example'], {
      environment: { ROOST_PUSH_GATEWAY_URL: url },
    });
    return { ROOST_PUSH_GATEWAY_URL: /^ROOST_PUSH_GATEWAY_URL=(\S+)$/m.exec(said)?.[1] ?? '' };
  };

  beforeAll(async () => {
    database = await makeDatabase(name);
    const service = await PushService.open('loopback');
    const makers = await PhoneMakers.open();
    mails = await ForgetfulMailServer.open(Number.POSITIVE_INFINITY, /./);
    opened.push(service, makers, mails);
    const certificate = join(database.dataDir, 'receiver.pem');
    writeFileSync(certificate, LOOPBACK_CERTIFICATE);
    const account = await openAccount(await openGateway(makers));
    const environment = {
      ...account,
      ROOST_SMTP_URL: mails.url,
      ROOST_OUTBOUND_NETWORKS: '127.0.0.0/8',
      NODE_EXTRA_CA_CERTS: certificate,
    };
    first = await start(database, environment);
    last = name === 'postgres' ? await start(database, environment) : first;
    await runCommand(database, ['push-service', 'report'], { environment: account });
    reader = await demoAccount(first, 'member2@roost.test');
    writer = await demoAccount(last, 'member@roost.test');

    const user = {
      get: (path: string) => call(first ?? fail(), reader, 'GET', path),
      post: (path: string, fields: object = {}) => ask(first, reader, path, fields),
    };
    const browser = await new Subscriber(service, service.host).subscribe(user);
    const app = { kind: 'unifiedpush', name: 'An app' };
    const distributor = await new Subscriber(service, service.host).subscribe(user, app);
    const apple = await new Phone(makers, now).register(user.post);
    const google = await new Phone(makers, now, 'fcm').register(user.post);
    const token = `older:${randomBytes(8).toString('hex')}`;
    await user.post('/users/me/android_gcm_reg_id', { token });
    const payloads = (one: Subscriber) => Promise.resolve(one.read(now()).map(({ payload }) => payload));
    roads.set('Web Push', async () => (await payloads(browser)).map(heardOf));
    roads.set('UnifiedPush', async () => (await payloads(distributor)).map(heardOf));
    roads.set('APNs', async () => (await apple.read()).map(heardOf));
    roads.set('FCM', async () => (await google.read()).map(heardOf));
    roads.set('FCM, an older app', () => Promise.resolve(makers.takeInbox(token).map(heardOfOlder)));
    // The service takes phones a moment after the server does.
    await until(async () => {
      const { phones } = await user.get('/push_phones');
      return phones.length === 3;
    });
  });
  afterAll(async () => {
    for (const one of opened.toReversed()) await one.close();
    await database.remove();
  });

  it.each(ROADS)('comes by %s when another writes, and goes when it was read', async (road) => {
    const listen = roads.get(road) ?? fail();
    const heard: Heard[] = [];
    const hears = async (wanted: (one: Heard) => boolean) => {
      heard.push(...(await listen()));
      return heard.some(wanted);
    };
    const content = randomBytes(8).toString('hex');
    const id = await send(content);
    await until(() => hears(({ shown }) => shown === content));
    expect(heard.filter(({ removed }) => removed.includes(id))).toEqual([]);
    await markRead(id);
    await until(() => hears(({ removed }) => removed.includes(id)));
    expect(heard.filter(({ shown }) => shown === content)).toHaveLength(1);
  });

  it('comes by mail, without what was read before the mail was written', async () => {
    // Somebody new, of whom no earlier messages are gathered.
    const owner = await demoAccount(first ?? fail(), 'owner@roost.test');
    const settings = { email_notifications_batching_period_seconds: GATHERED_SECONDS };
    await ask(first, owner, '/realm/user_settings_defaults', settings, 'PATCH');
    await runCommand(database, ['account', 'permit', '--email=owner@roost.test']);
    const email = 'nina@roost.test';
    await ask(first, owner, '/users', { email, full_name: 'Nina New', password: 'three nests in the tower' });
    reader = await demoAccount(first ?? fail(), email);
    const [read, unread] = [randomBytes(8).toString('hex'), randomBytes(8).toString('hex')];
    await markRead(await send(read));
    await send(unread);
    const about = () => mails.about(new RegExp(`^To: .*nina@roost\\.test[^]*${unread}`, 'm'));
    await until(() => about().length > 0);
    expect(about()).toHaveLength(1);
    expect(about()[0]).not.toContain(read);
  });
});

function fail(): never {
  throw new Error('it was not opened');
}

function heardOf({ type, content, message_ids }: Body): Heard {
  return type === 'message' ? { shown: content, removed: [] } : { removed: message_ids ?? [] };
}

/** What the service can read. protocol/push#older-tokens */
function heardOfOlder({ event, content, zulip_message_ids }: Body): Heard {
  return event === 'message'
    ? { shown: content, removed: [] }
    : { removed: String(zulip_message_ids).split(',').map(Number) };
}
