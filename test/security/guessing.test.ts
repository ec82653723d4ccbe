import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { networkOf } from '#kernel/limits';
import type { Server } from '../../src/server.ts';
import { Visitor } from '../support/browser-client.ts';
import { databases } from '../support/databases.ts';
import { writtenMails } from '../support/mails.ts';
import { leastStatements } from '../support/statements.ts';
import { openWorld, type World } from '../support/world.ts';

const OWNER = { username: 'owner@roost.test', password: 'roost-demo-password' };
const NEXT = 'a new password';
const RESET = '/accounts/password/reset/';
const REDIS = process.env['ROOST_TEST_REDIS_URL'];

/** What is left to a stranger who guesses, and to the owner beside them. */
describe.each(databases)('guessing, on %s', (database) => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld(database, { mode: 'production', rateLimits: 'on' });
    world.server.context.jobs.start(world.server.context);
  });
  afterEach(() => world.close());

  const fetchKey = async (fields: Record<string, string>, remoteAddress: string, server: Server = world.server) => {
    const { statusCode } = await server.listener.inject({
      method: 'POST',
      url: '/api/v1/fetch_api_key',
      remoteAddress,
      headers: { host: 'localhost:9991', 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(fields).toString(),
    });
    return statusCode;
  };
  const guess = (address: string, password = 'guessed') => fetchKey({ ...OWNER, password }, address);
  const logIn = async (visitor: Visitor, password: string) => {
    await visitor.get('/login/');
    return visitor.post('/login/', { ...OWNER, password });
  };
  async function resetLink(visitor: Visitor): Promise<string> {
    const before = new Set(writtenMails(world.dataDir));
    await visitor.get(RESET);
    expect((await visitor.post(RESET, { email: OWNER.username })).status).toBe(200);
    await world.server.context.jobs.idle();
    const mail = writtenMails(world.dataDir).find((text) => !before.has(text));
    return `/accounts/${/password\/reset\/[A-Za-z0-9]{40}/.exec(mail ?? '')?.[0]}`;
  }

  it('lets five of 600 guesses through that come at once, and not the right one after them', async () => {
    const answers = await Promise.all(Array.from({ length: 600 }, () => guess('203.0.113.5')));
    expect(answers.filter((status) => status === 401)).toHaveLength(5);
    expect(answers.filter((status) => status === 429)).toHaveLength(595);
    expect(await guess('203.0.113.5', OWNER.password)).toBe(429);
  });

  it('counts guesses for many accounts from one network together, a /64 of IPv6 as one', async () => {
    const answers: number[] = [];
    for (let n = 0; n < 40; n++)
      answers.push(await fetchKey({ username: `x${n}@roost.test`, password: 'x' }, `2001:db8:1:2::${n.toString(16)}`));
    expect(answers.filter((status) => status === 401)).toHaveLength(30);
    expect(await guess('2001:db8:1:2:ffff::1')).toBe(429);
    expect(await guess('2001:db8:1:3::1')).toBe(401);
  });

  it('keeps some hundreds of log-ins of nobody an hour, from whatever many networks they are tried', async () => {
    const { limits } = world.server.context;
    // Most are only counted: each that is really tried takes the time of a password.
    for (let n = 0; n < 270; n++) await limits.take('refused-entries', `${world.realm.id} unknown name`);
    const tries = Array.from({ length: 14 * 4 }, (_, n) =>
      fetchKey({ username: `x${n}@roost.test`, password: 'x' }, `2001:db8:1:${n % 14}::1`),
    );
    const entries = () =>
      world.server.context.store.query((tx) =>
        tx.db.selectFrom('audit_entry').select('action').where('action', '=', 'session.refused').execute(),
      );
    expect(new Set(await Promise.all(tries))).toEqual(new Set([401]));
    expect(await entries()).toHaveLength(30);
    // Who guesses for an account is kept.
    expect(await guess('2001:db8:2:1::1')).toBe(401);
    expect(await entries()).toHaveLength(31);
  });

  it('causes as many statements for an account that there is not (security#asvs, 6.3.8)', async () => {
    await world.server.context.jobs.stop();
    let network = 0;
    const refuse = (username: string, password: string) =>
      leastStatements(world, async () =>
        expect(await fetchKey({ username, password }, `2001:db8:9:${(network++).toString(16)}::1`)).toBe(401),
      );
    // The second has the form of an app password.
    for (const password of ['guessed', 'abcd-efgh-jkmn-pqrs-tuvw']) {
      const known = await refuse(OWNER.username, password);
      expect(known).toBeGreaterThan(0);
      expect(await refuse('nobody@roost.test', password)).toBe(known);
    }
  });

  it('writes something for an account that there is not also when that leaves no entry any more (security#asvs, 6.3.8)', async () => {
    const { limits, store } = world.server.context;
    const full = `${world.realm.id} unknown name`;
    for (let n = 0; n < 300; n++) await limits.take('refused-entries', full);
    for (let n = 0; n < 3; n++)
      expect(await fetchKey({ username: 'x@roost.test', password: 'x' }, `2001:db8:a:${n}::1`)).toBe(401);
    const written = await store.query((tx) => tx.db.selectFrom('spent_token').select('expires_at').execute());
    // It is over at once, and the next one deletes it.
    expect(written).toEqual([{ expires_at: world.clock.now() }]);
  });

  it('counts all networks together, and still lets the owner in from where the account is used', async () => {
    const home = '198.51.100.7';
    expect(await guess(home, OWNER.password)).toBe(200);
    for (let network = 0; network < 20; network++)
      await Promise.all(Array.from({ length: 5 }, () => guess(`203.0.113.${network}`)));
    expect(await guess('192.0.2.1')).toBe(429);
    expect(await guess('192.0.2.1', OWNER.password)).toBe(429);
    expect(await guess(home, OWNER.password)).toBe(200);
    // Elsewhere a new password opens it again.
    const visitor = new Visitor(world.server, '192.0.2.1');
    const shut = await logIn(visitor, OWNER.password);
    expect(shut.status).toBe(429);
    expect(shut.text).toMatch(/Wait \d+ hours, or choose a new password: with that you can log in at once\./);
    const link = await resetLink(visitor);
    await visitor.get(link);
    expect((await visitor.post(link, { password: NEXT })).status).toBe(303);
    expect((await logIn(visitor, NEXT)).status).toBe(303);
  });

  it('lets the owner in at once after a new password was set, from a network that was shut too', async () => {
    const visitor = new Visitor(world.server, '203.0.113.9');
    for (let n = 0; n < 30; n++) await fetchKey({ username: `y${n}@roost.test`, password: 'x' }, '203.0.113.9');
    expect((await logIn(visitor, OWNER.password)).status).toBe(429);
    const link = await resetLink(visitor);
    await visitor.get(link);
    await visitor.post(link, { password: NEXT });
    expect((await logIn(visitor, NEXT)).status).toBe(303);
  });

  it('a right password uses nothing up, however often', async () => {
    for (let n = 0; n < 40; n++) expect(await guess('203.0.113.30', OWNER.password)).toBe(200);
  });

  it('slows down who tries keys of links of any kind, and not who has one that works', async () => {
    const { max } = world;
    const { invite_link } = await world.adam.post('/invites/multiuse', {});
    await max.patch('/settings', { email: 'next@roost.test' });
    await world.server.context.jobs.idle();
    const mails = writtenMails(world.dataDir).join('\n');
    const works = [
      new URL(invite_link).pathname,
      /\/accounts\/confirm_new_email\/\w+/.exec(mails)?.[0] ?? '',
      /\/accounts\/keep_email\/\w+/.exec(mails)?.[0] ?? '',
      await resetLink(new Visitor(world.server, '203.0.113.40')),
    ];
    const patient = new Visitor(world.server, '203.0.113.41');
    for (let n = 0; n < 20; n++) for (const path of works) expect((await patient.get(path)).status, path).toBe(200);
    const key = 'a'.repeat(24);
    for (const [index, path] of [
      `/join/${key}`,
      `/accounts/do_confirm/${key}`,
      `${RESET}${'a'.repeat(40)}`,
      `/accounts/confirm_new_email/${'a'.repeat(40)}`,
      `/accounts/keep_email/${'a'.repeat(40)}`,
      `/new/${'a'.repeat(40)}`,
    ].entries()) {
      const stranger = new Visitor(world.server, `203.0.113.${50 + index}`);
      const statuses = await Promise.all(Array.from({ length: 70 }, () => stranger.get(path)));
      expect(
        statuses.filter(({ status }) => status === 404),
        path,
      ).toHaveLength(60);
      const limited = await stranger.get(path);
      expect(limited.status, path).toBe(429);
      expect(limited.text).toMatch(/Wait \d+ minutes and try again\./);
      expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
    }
  });

  it.runIf(REDIS !== undefined && database === 'postgres')('is counted over all processes', async () => {
    const shared = await openWorld(database, {
      mode: 'production',
      rateLimits: 'on',
      environment: { ROOST_REDIS_URL: REDIS ?? '' },
    });
    const other = await shared.anotherServer();
    // An address and a name of its own, because Redis is shared.
    const username = `nobody-${Date.now()}@roost.test`;
    const bytes = [...Buffer.from(String(Date.now() % 65_536)).subarray(0, 2)].map((byte) => byte.toString(16));
    const address = `2001:db8:${bytes.join('')}:${(Date.now() % 65_536).toString(16)}::1`;
    const servers = [shared.server, other];
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_none, n) => fetchKey({ username, password: 'x' }, address, servers[n % 2])),
    );
    await shared.close();
    expect(answers.filter((status) => status === 401)).toHaveLength(5);
  });
});

describe('the network of an address', () => {
  it.each([
    ['203.0.113.5', '203.0.113.5'],
    ['::ffff:203.0.113.5', '203.0.113.5'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:0DB8:0000:0000:1:2:3:4', '2001:db8:0:0::/64'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['1:2:3:4:5:6:192.0.2.1', '1:2:3:4::/64'],
    ['', ''],
  ])('%s is %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
