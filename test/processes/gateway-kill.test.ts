import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { registerServer } from '#features/push-devices';
import { TestClock } from '#kernel/clock';
import { databasesInTurn, makeDatabase, type TestDatabase } from '../support/databases.ts';
import { pause } from '../support/pause.ts';
import { APPLE, PhoneMakers } from '../support/phone-makers.ts';
import { Phone } from '../support/phone.ts';
import { freePort, type ServerProcess, startProcess } from '../support/process.ts';
import { openWorld, type World } from '../support/world.ts';

describe.each(databasesInTurn(import.meta.url))('a push gateway killed while it tells phones, on %s', (name) => {
  const clock = new TestClock(Date.now());
  const account = { id: randomUUID(), key: 'k'.repeat(64) };
  let database: TestDatabase;
  let makers: PhoneMakers;
  let gateway: ServerProcess;
  let world: World;
  let port: number;
  let environment: Readonly<Record<string, string>>;

  const start = () => startProcess(database, port, environment, 'push-gateway serve');
  const jobs = async () => {
    const { context } = world.server;
    context.jobs.start(context);
    context.jobs.wake();
    await context.jobs.idle();
  };

  beforeAll(async () => {
    database = await makeDatabase(name);
    makers = await PhoneMakers.open();
    port = await freePort();
    const keyFile = join(database.dataDir, 'apple.p8');
    writeFileSync(keyFile, makers.apple.privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const senders = {
      open: true,
      apns: { key_file: keyFile, key_id: APPLE.keyId, team_id: APPLE.teamId, url: makers.url },
    };
    const file = join(database.dataDir, 'senders.json');
    writeFileSync(file, JSON.stringify(senders));
    environment = { ROOST_PUSH_SENDERS_FILE: file, ROOST_RATE_LIMITS: 'off', ROOST_MODE: 'development' };
    gateway = await start();
    const key = /^apps encrypt for (\S+)/m.exec(gateway.output())?.[1] ?? '';
    makers.publicKey = Buffer.from(key, 'base64');
    const url = `http://${account.id}:${account.key}@127.0.0.1:${port}`;
    world = await openWorld(name, { clock, environment: { ROOST_PUSH_GATEWAY_URL: url } });
    const about = { hostname: 'localhost:9991', email: 'it@roost.example' };
    expect(await registerServer(world.server.context, account, about)).toEqual({ value: { created: true } });
  });
  afterAll(async () => {
    await world.close();
    await gateway.kill('SIGKILL');
    await makers.close();
    await database.remove();
  });

  it('has each phone told at least once, and at most twice, when it is back', async () => {
    const phones: Phone[] = [];
    for (let number = 0; number < 12; number++)
      phones.push(await new Phone(makers, () => clock.now()).register(world.max));
    // The first registration misses the organization, which the gateway is told of then.
    for (let tries = 0; tries < 3; tries++) {
      await jobs();
      clock.advance(4_000);
    }
    await jobs();
    makers.taken.splice(0);
    const silent = phones.slice(6);
    for (const { token } of silent) makers.answers.set(token, 'silence');
    await world.mia.post('/messages', { type: 'direct', to: [world.max.userId], content: 'told' });
    const done = jobs();
    for (let looks = 0; makers.taken.length < phones.length - silent.length; looks++) {
      if (looks > 400) throw new Error(`no phone was told:\n${gateway.output().slice(-2000)}`);
      await pause(20);
    }
    await gateway.kill('SIGKILL');
    await done;
    makers.answers.clear();
    gateway = await start();
    clock.advance(60_000);
    await jobs();
    for (const phone of phones) {
      const told = (await phone.read()).filter(({ content }) => content === 'told');
      expect(told.length).toBe(silent.includes(phone) ? 1 : 2);
    }
    clock.advance(3_600_000);
    await jobs();
    expect(makers.taken).toEqual([]);
  });
});
