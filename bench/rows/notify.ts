import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '#kernel/clock';
import { readConfig } from '#kernel/config';
import { asId, type UserId } from '#kernel/ids';
import { openLog } from '#kernel/log';
import { openServer } from '../../src/server.ts';
import { LOOPBACK_CERTIFICATE } from '../../test/support/certificate.ts';
import { type Child, cpuSeconds, residentMib } from '../support/child.ts';
import { type Account, Connection, request } from '../support/connection.ts';
import { openPhoneService, openPushService, type Receiver, subscriptionKeys } from '../support/push-receivers.ts';
import { type Prepared, prepare, startRoost } from '../support/roost.ts';
import { report } from '../support/statistics.ts';

const DEVICES = Number(process.env['BENCH_DEVICES'] ?? 10_000);
/** Milliseconds that a receiver takes to answer. */
const DELAY_MS = 50;
/** Milliseconds after which the measurement is given up. */
const LIMIT_MS = 120_000;
const SUBSCRIBERS_AT_ONCE = 16;

/**
 * A mention of everybody, each with one device, until the last device is notified: by Web Push and by the phones'
 * service.
 */
export async function benchNotify(): Promise<void> {
  const prepared = await prepare({ users: DEVICES + 1, channels: 1, subscribers: DEVICES + 1 });
  const [sender, ...people] = prepared.accounts;
  const web = await openPushService(DELAY_MS);
  const phones = await openPhoneService(DELAY_MS);
  const certificate = join(prepared.folder, 'receiver.pem');
  writeFileSync(certificate, LOOPBACK_CERTIFICATE);
  const environment = {
    NODE_EXTRA_CA_CERTS: certificate,
    ROOST_OUTBOUND_NETWORKS: '127.0.0.0/8',
    ROOST_PUSH_GATEWAY_URL: `http://5c0a2f8e-6d0b-4f4e-9d6f-0f5d3a1c2b7e:${'k'.repeat(64)}@127.0.0.1:${phones.port}`,
  };
  const server = await startRoost(prepared.folder, environment);
  await subscribeAll(server.port, people, web.port);
  await measure('Web Push', server, sender, web);
  await server.stop();
  await giveEverybodyAPhone(prepared, environment);
  const again = await startRoost(prepared.folder, environment);
  await measure("the phones' service, and Web Push beside it", again, sender, phones, web);
  await again.stop();
  await web.close();
  await phones.close();
  prepared.remove();
}

/** Mentions everybody, and waits until every device has been notified. */
async function measure(
  road: string,
  server: Child,
  sender: Account | undefined,
  ...receivers: readonly Receiver[]
): Promise<void> {
  for (const { reached } of receivers) reached.clear();
  const before = receivers.reduce((sum, receiver) => sum + receiver.count(), 0);
  const connection = await Connection.open(server.port);
  const cpu = cpuSeconds(server.pid);
  const own = process.cpuUsage();
  const started = performance.now();
  const fields = { type: 'channel', to: 'channel 0', topic: 'fire', content: '@**all** the roof is on fire' };
  const sent = JSON.parse(String(await connection.send(request(sender, 'POST', '/messages', fields))));
  if (sent.result !== 'success') throw new Error(sent.msg);
  const times: (number | undefined)[] = receivers.map(() => undefined);
  while (times.includes(undefined) && performance.now() - started < LIMIT_MS) {
    await sleep(5);
    for (const [index, { reached }] of receivers.entries())
      if (reached.size >= DEVICES) times[index] ??= performance.now() - started;
  }
  connection.close();
  const count = receivers.reduce((sum, receiver) => sum + receiver.count(), -before);
  const shown = receivers.map(({ reached }, index) => timeOr(times[index], `${reached.size} of them`)).join(' and ');
  const seconds = cpuSeconds(server.pid) - cpu;
  const each = ((seconds * 1000) / receivers.reduce((sum, { reached }) => sum + reached.size, 0)).toFixed(2);
  const memory = `${residentMib(server.pid).toFixed(0)} MiB`;
  const { user, system } = process.cpuUsage(own);
  const receiving = `${((user + system) / 1_000_000).toFixed(1)} s by the receivers`;
  const spent = `${seconds.toFixed(1)} s of processor, ${each} ms for each device, ${memory}; ${receiving}`;
  const more = count > DEVICES * receivers.length ? `; ${count - DEVICES * receivers.length} twice` : '';
  report('notify', `${DEVICES} devices by ${road} (bar 10 s)`, `${shown}; ${spent}${more}`);
}

function timeOr(ms: number | undefined, other: string): string {
  return ms === undefined ? other : `${(ms / 1000).toFixed(1)} s`;
}

/** Subscribes a browser for each person. */
async function subscribeAll(port: number, people: readonly Account[], receiver: number): Promise<void> {
  const left = people.entries();
  const work = async () => {
    const connection = await Connection.open(port);
    for (const [index, account] of left) {
      const fields = { endpoint: `https://127.0.0.1:${receiver}/${index}`, ...subscriptionKeys(), name: 'Bench' };
      const reply = JSON.parse(String(await connection.send(request(account, 'POST', '/push_subscriptions', fields))));
      if (reply.result !== 'success') throw new Error(reply.msg);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: SUBSCRIBERS_AT_ONCE }, work));
}

/** Registers a phone for each person at the service. */
async function giveEverybodyAPhone(
  { folder, accounts }: Prepared,
  environment: Readonly<Record<string, string>>,
): Promise<void> {
  const config = readConfig({ ROOST_DATA_DIR: folder, ...environment });
  const server = await openServer({ config, clock: systemClock, log: openLog('silent'), strict: false });
  await server.context.store.write(async (tx) => {
    const { id: realm_id } = await tx.db.selectFrom('realm').select('id').executeTakeFirstOrThrow();
    for (const [index, { id }] of accounts.slice(1).entries()) {
      await tx.db
        .insertInto('push_device')
        .values({
          realm_id,
          user_id: asId<UserId>(id),
          device_key_id: null,
          push_key: Buffer.concat([Buffer.of(0x31), randomBytes(32)]).toString('base64'),
          push_key_id: index,
          push_token_id: String(index),
          pending_push_token_id: null,
          push_token_kind: index % 2 === 0 ? 'fcm' : 'apns',
          push_token_last_updated_timestamp: tx.now,
          push_registration_error_code: null,
          delivered_at: null,
          failing_since: null,
          failure: null,
        })
        .execute();
    }
  });
  await server.stop();
}
