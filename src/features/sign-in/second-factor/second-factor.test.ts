import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { codeOf } from '../../../../test/support/authenticator.ts';
import { Visitor } from '../../../../test/support/browser-client.ts';
import { databases } from '../../../../test/support/databases.ts';
import { writtenMails } from '../../../../test/support/mails.ts';
import { openWorld, type World } from '../../../../test/support/world.ts';

const OWNER = { username: 'owner@roost.test', password: 'roost-demo-password' };
const ASK = '/accounts/second-factor/';
const SETUP = '/accounts/second-factor/setup/';
const SESSION = 'roost-session';
const PAD = 'ab'.repeat(32);

it('is the algorithm of RFC 6238: its own example', () => {
  expect(codeOf('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ', 59_000)).toBe('287082');
});

describe.each(databases)('a second factor, on %s', (database) => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld(database, { mode: 'production', rateLimits: 'on' });
    world.server.context.jobs.start(world.server.context);
  });
  afterEach(() => world.close());

  async function begin(fields: Readonly<Record<string, string>> = {}, address?: string) {
    const visitor = new Visitor(world.server, address);
    await visitor.get('/login/');
    const answer = await visitor.post('/login/', { ...OWNER, ...fields });
    if (answer.location === ASK) await visitor.get(ASK);
    return { visitor, answer };
  }
  const code = (secret: string, steps = 0) => codeOf(secret, world.clock.nowMs(), steps);
  const told = (what: string) => writtenMails(world.dataDir).some((mail) => mail.includes(what));
  const isIn = async (visitor: Visitor) => (await visitor.get('/')).status === 200;

  /** Olive turns it on; what her app and her drawer keep from then on. */
  async function turnOn() {
    const { visitor } = await begin();
    const page = await visitor.get(SETUP);
    const secret = /class="address">([A-Z2-7]{32})</.exec(page.text)?.[1] ?? '';
    const setup = /name="setup" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
    const send = (fields: Record<string, string>) =>
      visitor.post(SETUP, { setup, password: OWNER.password, code: code(secret), ...fields });
    return { visitor, secret, setup, send };
  }
  async function turnedOn() {
    const { visitor, secret, send } = await turnOn();
    const { text } = await send({});
    const codes = [...text.matchAll(/<code>([\w-]+)<\/code>/g)].map(([, one]) => one ?? '');
    world.clock.advance(60_000);
    return { visitor, secret, codes };
  }

  it('is turned on with the password and a code of the app, and asked for from then on', async () => {
    const { visitor, secret, send } = await turnOn();
    expect((await send({ code: '000000' })).status).toBe(400);
    expect((await send({ password: 'wrong' })).status).toBe(400);
    expect((await begin()).answer.location).toBe('/');
    const shown = await send({});
    expect([...shown.text.matchAll(/<code>/g)]).toHaveLength(10);
    expect((await visitor.get(SETUP)).text).toContain('You have 10 recovery codes left.');
    await expect.poll(() => told('now requires a code from your authenticator app')).toBe(true);
    world.clock.advance(60_000);
    const { visitor: next, answer } = await begin();
    expect(answer.location).toBe(ASK);
    expect(next.cookies.has(SESSION)).toBe(false);
    expect(await isIn(next)).toBe(false);
    expect((await next.post(ASK, { code: '000000' })).status).toBe(401);
    expect(await isIn(next)).toBe(false);
    expect(await next.post(ASK, { code: code(secret) })).toMatchObject({ status: 303, location: '/' });
    expect(await isIn(next)).toBe(true);
  });

  it('takes a code half a minute early or late, once, and never an older one after it', async () => {
    const { secret } = await turnedOn();
    const attempt = async (steps: number) => {
      const { visitor } = await begin();
      return (await visitor.post(ASK, { code: code(secret, steps) })).status;
    };
    expect(await attempt(-2)).toBe(401);
    expect(await attempt(2)).toBe(401);
    expect(await attempt(-1)).toBe(303);
    expect(await attempt(-1)).toBe(401);
    expect(await attempt(1)).toBe(303);
    expect(await attempt(0)).toBe(401);
  });

  it('lets exactly one of many in who come with one code at once', async () => {
    const { secret } = await turnedOn();
    const all = await Promise.all(Array.from({ length: 4 }, () => begin()));
    const done = await Promise.all(all.map(({ visitor }) => visitor.post(ASK, { code: code(secret) })));
    expect(done.filter(({ status }) => status === 303)).toHaveLength(1);
  });

  it('is bound against guessing, wherever from, also for who has the right code then', async () => {
    const { secret } = await turnedOn();
    for (let attempts = 0; attempts < 5; attempts++) {
      const { visitor } = await begin({}, `203.0.113.${attempts}`);
      expect((await visitor.post(ASK, { code: '000000' })).status).toBe(401);
    }
    const { visitor } = await begin({}, '203.0.113.77');
    const refused = await visitor.post(ASK, { code: code(secret) });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(await isIn(visitor)).toBe(false);
  });

  it('has recovery codes, each of which works once and is told of', async () => {
    const { codes, visitor: signedIn, secret } = await turnedOn();
    const [first = ''] = codes;
    const { visitor } = await begin();
    expect((await visitor.post(ASK, { code: first })).status).toBe(303);
    const { visitor: again } = await begin();
    expect((await again.post(ASK, { code: first })).status).toBe(401);
    await expect.poll(() => told('A recovery code was used')).toBe(true);
    await signedIn.get(SETUP);
    const { text } = await signedIn.post(SETUP, { code: code(secret), do: 'renew' });
    expect(text).not.toContain(codes[1]);
    const { visitor: late } = await begin();
    expect((await late.post(ASK, { code: codes[1] ?? '' })).status).toBe(401);
  });

  it('is turned off with a code only', async () => {
    const { visitor, secret } = await turnedOn();
    await visitor.get(SETUP);
    expect((await visitor.post(SETUP, { code: '000000', do: 'off' })).status).toBe(400);
    expect((await begin()).answer.location).toBe(ASK);
    expect((await visitor.post(SETUP, { code: code(secret), do: 'off' })).status).toBe(303);
    expect((await begin()).answer.location).toBe('/');
  });

  it('keeps a password alone from an API key, and says so to who knows the password only', async () => {
    await turnedOn();
    const fetchKey = (password: string) =>
      world.spectator.request('POST', '/fetch_api_key', { username: OWNER.username, password });
    expect(await fetchKey(OWNER.password)).toMatchObject({ status: 401, body: { code: 'SECOND_FACTOR_REQUIRED' } });
    expect((await fetchKey(OWNER.password)).body['api_key']).toBeUndefined();
    expect(await fetchKey('wrong')).toMatchObject({ status: 401, body: { code: 'AUTHENTICATION_FAILED' } });
    expect((await world.olive.get('/users/me'))['email']).toBeDefined();
  });

  it('is asked of the phone app, which gets its key after that', async () => {
    const { secret } = await turnedOn();
    const { visitor, answer } = await begin({ mobile_flow_otp: PAD });
    expect(answer.location).toBe(ASK);
    expect((await visitor.get(ASK)).headers['content-security-policy']).toContain('zulip:');
    const { location } = await visitor.post(ASK, { code: code(secret) });
    const hidden = new URL(location ?? '').searchParams.get('otp_encrypted_api_key') ?? '';
    expect(String(Buffer.from(hidden, 'hex').map((byte) => byte ^ 0xab))).toBe(world.olive.apiKey);
  });

  it('asks nobody who has not shown the first: without, with a changed or old answer, or after a new password', async () => {
    const { secret } = await turnedOn();
    const stranger = new Visitor(world.server);
    expect((await stranger.get(ASK)).location).toBe('/login/');
    const { visitor } = await begin();
    const cookie = visitor.cookies.get('roost-first-factor') ?? '';
    visitor.cookies.set('roost-first-factor', `${cookie.slice(0, -4)}AAAA`);
    expect(await visitor.post(ASK, { code: code(secret) })).toMatchObject({ status: 303, location: '/login/' });
    const { visitor: slow } = await begin();
    world.clock.advance(601_000);
    expect(await slow.post(ASK, { code: code(secret) })).toMatchObject({ status: 303, location: '/login/' });
    const { visitor: robbed } = await begin();
    await world.olive.patch('/settings', { old_password: OWNER.password, new_password: 'another password of hers' });
    expect(await robbed.post(ASK, { code: code(secret) })).toMatchObject({ status: 303, location: '/login/' });
    expect(await isIn(robbed)).toBe(false);
  });

  it('is nothing that an API key can change, or a set-up of somebody else', async () => {
    const { setup, secret } = await turnOn();
    const { statusCode, headers } = await world.olive.fetch(SETUP);
    expect([statusCode, headers['location']]).toEqual([303, `/login/?next=${encodeURIComponent(SETUP)}`]);
    await world.max.fetch(SETUP);
    // The set-up is sealed for Olive; another one's is looked at like none.
    const { visitor } = await begin();
    await visitor.get(SETUP);
    const forged = `${setup.slice(0, -4)}AAAA`;
    const fields = { setup: forged, password: OWNER.password, code: code(secret) };
    expect((await visitor.post(SETUP, fields)).text).not.toContain('<code>');
  });

  describe('that the organization demands (protocol/authentication#second-factor)', () => {
    const demand = (fields: object) => world.olive.patch('/realm', { second_factor_required_role: 200, ...fields });

    it('is told of by mail, and asked for after the days of grace: nobody is in before it is set up', async () => {
      await demand({ second_factor_grace_days: 2 });
      await expect.poll(() => told('asks you for a second factor')).toBe(true);
      expect(writtenMails(world.dataDir).some((mail) => mail.includes('member@roost.test'))).toBe(false);
      expect((await begin()).answer.location).toBe('/');
      expect((await world.spectator.post('/fetch_api_key', OWNER))['api_key']).toBeDefined();
      world.clock.advance(2 * 86_400_000 + 1000);
      const { visitor, answer } = await begin({ next: '/accounts/sessions/' });
      expect(answer.location).toBe(SETUP);
      expect(await isIn(visitor)).toBe(false);
      expect(await world.spectator.request('POST', '/fetch_api_key', OWNER)).toMatchObject({
        status: 401,
        body: { code: 'SECOND_FACTOR_REQUIRED' },
      });
      const page = await visitor.get(SETUP);
      const secret = /class="address">([A-Z2-7]{32})</.exec(page.text)?.[1] ?? '';
      const setup = /name="setup" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
      const wrong = { setup, password: OWNER.password, code: '000000' };
      expect((await visitor.post(SETUP, wrong)).status).toBe(400);
      expect(await isIn(visitor)).toBe(false);
      const shown = await visitor.post(SETUP, { setup, password: OWNER.password, code: code(secret) });
      expect(shown.text).toContain('href="/accounts/sessions/"');
      expect(await isIn(visitor)).toBe(true);
      world.clock.advance(60_000);
      expect((await begin()).answer.location).toBe(ASK);
    });

    it('is not turned off by its owner, and changed by nobody who has only the first factor', async () => {
      const { visitor, secret } = await turnedOn();
      const { visitor: half } = await begin();
      await demand({});
      await visitor.get(SETUP);
      const off = await visitor.post(SETUP, { code: code(secret), do: 'off' });
      expect([off.status, off.text.includes('asks people of your role')]).toEqual([400, true]);
      expect((await half.get(SETUP)).location).toBe('/login/');
      expect((await half.post(SETUP, { code: code(secret, 1), do: 'off' })).location).toBe('/login/');
      expect((await begin()).answer.location).toBe(ASK);
    });

    it('is demanded by owners only, of the roles that are named, and anew when more are', async () => {
      expect((await world.adam.refused('PATCH', '/realm', { second_factor_required_role: 200 })).msg).toBe(
        'Must be an organization owner',
      );
      expect((await world.olive.refused('PATCH', '/realm', { second_factor_required_role: 150 })).code).toBe(
        'BAD_REQUEST',
      );
      const since = async () =>
        (await world.max.register({ fetch_event_types: ['realm'] })).state['realm_second_factor_required_since'];
      await demand({ second_factor_required_role: 100 });
      const first = await since();
      world.clock.advance(60_000);
      await demand({ second_factor_required_role: 600 });
      expect(await since()).toBe(Number(first) + 60);
      await demand({ second_factor_required_role: 100 });
      expect(await since()).toBe(Number(first) + 60);
      await demand({ second_factor_required_role: 0 });
      expect(await since()).toBe(0);
      world.clock.advance(90 * 86_400_000);
      expect((await begin()).answer.location).toBe('/');
    });
  });

  it('is turned off for somebody who lost it by who may, and all owners are told (protocol/users#second-factor)', async () => {
    await turnedOn();
    const other = await world.user({ role: 100, email: 'second-owner@roost.test' });
    const path = `/users/${world.olive.userId}/second_factor`;
    expect((await world.max.refused('DELETE', path)).msg).toBe('Must be an organization administrator');
    expect((await world.adam.refused('DELETE', path)).msg).toBe('Must be an organization owner');
    expect((await world.olive.refused('DELETE', path)).msg).toBe('Insufficient permission');
    expect((await other.refused('DELETE', '/users/9999/second_factor')).msg).toBe('No such user');
    expect((await begin()).answer.location).toBe(ASK);
    await other.delete(path);
    expect((await begin()).answer.location).toBe('/');
    const lost = () => writtenMails(world.dataDir).filter((mail) => mail.includes('turned off the second factor of'));
    await expect.poll(() => lost()).toHaveLength(1);
    expect(lost()[0]).toContain('second-owner@roost.test');
    await expect.poll(() => told('no longer requires a code')).toBe(true);
    expect((await other.refused('DELETE', path)).msg).toBe('This user has no second factor.');
  });
});
