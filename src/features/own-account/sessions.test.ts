import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Visitor } from '../../../test/support/browser-client.ts';
import { databases } from '../../../test/support/databases.ts';
import { openWorld, untilParked, type World } from '../../../test/support/world.ts';

const PASSWORD = 'roost-demo-password';
const PAGE = '/accounts/sessions/';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const EDGE =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0';
const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile Safari/604.1';

describe.each(databases)('where one is logged in, on %s', (database) => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld(database, { rateLimits: 'on' });
  });
  afterEach(() => world.close());

  async function logIn(userAgent = FIREFOX, username = world.olive.email): Promise<Visitor> {
    const visitor = new Visitor(world.server, '127.0.0.1', userAgent);
    await visitor.get('/login/');
    expect((await visitor.post('/login/', { username, password: PASSWORD })).status).toBe(303);
    return visitor;
  }
  const isIn = async (visitor: Visitor) => (await visitor.get('/')).status === 200;
  const listed = (text: string) => [...text.matchAll(/<li><strong>([^<]+)<\/strong>/g)].map((match) => match[1]);
  const idsIn = (text: string) => [...text.matchAll(/name="end" value="(\d+)"/g)].map((match) => match[1] ?? '');

  it('lists browsers by name, this one first, then by last use (security#asvs, 7.5.2)', async () => {
    const own = await logIn();
    const edge = await logIn(EDGE);
    await logIn(PHONE);
    await logIn('"><script>x</script>');
    world.clock.advance(600_000);
    await edge.get('/');
    const { text } = await own.get(PAGE);
    expect(listed(text)).toEqual(['Firefox on Linux', 'Edge on Windows', 'Unknown browser', 'Safari on iPhone']);
    await world.olive.patch('/settings', { default_language: 'de' });
    const german = ['Firefox auf Linux', 'Edge auf Windows', 'Unbekannter Browser', 'Safari auf iPhone'];
    expect(listed((await own.get(PAGE)).text)).toEqual(german);
    expect(text).toContain('this browser');
    expect(text).not.toContain('<script>');
    const used = [...text.matchAll(/<time datetime="([^"]+)">Last used/g)].map((match) => match[1] ?? '');
    expect(used.map((time) => Date.parse(time) - Date.parse(used[2] ?? ''))).toEqual([600_000, 600_000, 0, 0]);
  });

  it('ends one, and no other, and the polls that may be its own', async () => {
    const { olive } = world;
    const [own, edge, phone] = [await logIn(), await logIn(EDGE), await logIn(PHONE)];
    const queue = await olive.register();
    const waiting = queue.wait();
    await untilParked(world, 1);
    const [first = ''] = idsIn((await own.get(PAGE)).text);
    expect(await own.post(PAGE, { end: first })).toMatchObject({ status: 303, location: `${PAGE}?ended` });
    expect(await waiting).toEqual([]);
    await expect(queue.events()).rejects.toThrow('BAD_EVENT_QUEUE_ID');
    expect([await isIn(own), await isIn(edge), await isIn(phone)]).toEqual([true, true, false]);
    expect((await own.get(`${PAGE}?ended`)).text).toContain('role="status">Logged out.');
  });

  it('asks who it is before it ends any, a quarter of an hour after the log-in (security#asvs, 7.5.2)', async () => {
    const [own, edge] = [await logIn(), await logIn(EDGE)];
    world.clock.advance(901_000);
    const [first = ''] = idsIn((await own.get(PAGE)).text);
    for (const end of [first, 'others', 'apps'])
      expect((await own.post(PAGE, { end })).location).toBe(`/accounts/confirm/?next=${encodeURIComponent(PAGE)}`);
    expect(await isIn(edge)).toBe(true);
    await own.get('/accounts/confirm/');
    await own.post('/accounts/confirm/', { password: PASSWORD, next: PAGE });
    await own.get(PAGE);
    expect((await own.post(PAGE, { end: 'others' })).location).toBe(`${PAGE}?ended`);
    expect(await isIn(edge)).toBe(false);
  });

  it('ends all others, or every app', async () => {
    const { olive } = world;
    const [own, edge, phone] = [await logIn(), await logIn(EDGE), await logIn(PHONE)];
    await own.get(PAGE);
    await own.post(PAGE, { end: 'others' });
    expect([await isIn(own), await isIn(edge), await isIn(phone)]).toEqual([true, false, false]);
    await olive.get('/users/me');
    await own.get(PAGE);
    await own.post(PAGE, { end: 'apps' });
    expect((await olive.request('GET', '/users/me')).status).toBe(401);
    expect(await isIn(own)).toBe(true);
  });

  it('ends nothing of anybody else, nothing twice, and not itself', async () => {
    const { max } = world;
    const [own, edge] = [await logIn(), await logIn(EDGE)];
    const [ofEdge = ''] = idsIn((await own.get(PAGE)).text);
    const stranger = await logIn(FIREFOX, max.email).catch(() => undefined);
    expect(stranger).toBeUndefined();
    const queue = await world.olive.register();
    for (const end of ['999999', '-1', 'x', '', '1e3', '9'.repeat(40)]) {
      await own.get(PAGE);
      expect((await own.post(PAGE, { end })).status).toBe(303);
    }
    expect([await isIn(own), await isIn(edge)]).toEqual([true, true]);
    await own.get(PAGE);
    await Promise.all([own.post(PAGE, { end: ofEdge }), own.post(PAGE, { end: ofEdge })]);
    expect([await isIn(own), await isIn(edge)]).toEqual([true, false]);
    await expect(queue.events()).rejects.toThrow('BAD_EVENT_QUEUE_ID');
  });

  it('is shown to nobody who is not logged in, nor changed by a form from elsewhere', async () => {
    const own = await logIn();
    const edge = await logIn(EDGE);
    expect((await new Visitor(world.server).get(PAGE)).location).toBe(`/login/?next=${encodeURIComponent(PAGE)}`);
    await own.get(PAGE);
    expect((await own.post(PAGE, { end: 'others', csrfmiddlewaretoken: 'x'.repeat(32) })).status).toBe(403);
    expect(await isIn(edge)).toBe(true);
  });

  it('is forgotten two weeks after logging in, however often it was used', async () => {
    const old = await logIn(EDGE);
    for (let days = 0; days < 13; days++) {
      world.clock.advance(86_400_000);
      expect(await isIn(old)).toBe(true);
    }
    const own = await logIn();
    world.clock.advance(86_400_000);
    expect([await isIn(own), await isIn(old)]).toEqual([true, false]);
    expect(listed((await own.get(PAGE)).text)).toEqual(['Firefox on Linux']);
  });

  it('is forgotten when nobody used it for five days (security#asvs, 7.3.1)', async () => {
    const [used, left] = [await logIn(), await logIn(EDGE)];
    for (let days = 0; days < 4; days++) {
      world.clock.advance(86_400_000);
      expect(await isIn(used)).toBe(true);
    }
    world.clock.advance(86_400_000);
    expect(listed((await used.get(PAGE)).text)).toEqual(['Firefox on Linux']);
    expect([await isIn(used), await isIn(left)]).toEqual([true, false]);
    expect((await left.get(PAGE)).location).toContain('/login/');
  });

  it('ends waiting polls with the key they came with', async () => {
    const { olive, max } = world;
    const bot = await max.post('/bots', { full_name: 'Botty', short_name: 'botty' });
    const helper = world.clientOf({ id: bot['user_id'], email: 'botty-bot@localhost', api_key_version: 1 });
    for (const [client, renew] of [
      [olive, () => olive.post('/users/me/api_key/regenerate')],
      [helper, () => max.post(`/bots/${helper.userId}/api_key/regenerate`)],
    ] as const) {
      const queue = await client.register();
      const waiting = queue.wait();
      await untilParked(world, 1);
      await renew();
      expect(await waiting).toEqual([]);
      const again = world.clientOf({ id: client.userId, email: client.email, api_key_version: 2 });
      await expect(queue.at(again).events()).rejects.toThrow('BAD_EVENT_QUEUE_ID');
    }
  });
});
