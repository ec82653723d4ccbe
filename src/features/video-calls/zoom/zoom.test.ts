import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TestClock } from '#kernel/clock';
import { asId, type UserId } from '#kernel/ids';
import { makeSignInLink } from '#features/sign-in';
import { findUser } from '#features/users';
import { type Shown, Visitor } from '../../../../test/support/browser-client.ts';
import { type Answering, json, LIES, Services } from '../../../../test/support/call-services.ts';
import type { Client } from '../../../../test/support/client.ts';
import { databases } from '../../../../test/support/databases.ts';
import { expectSync } from '../../../../test/support/sync.ts';
import { openWorld, type World } from '../../../../test/support/world.ts';

const HOUR_MS = 60 * 60 * 1000;
const MEETINGS = '/v2/users/me/meetings';
const REGISTER = '/calls/zoom/register';
const MET = json(201, { join_url: 'https://zoom.test/j/1?pwd=x' });
const granting = (access_token: string): Answering =>
  json(200, { access_token, refresh_token: `next after ${access_token}`, expires_in: 3600, token_type: 'bearer' });
const UNKNOWN = { status: 400, code: 'INVALID_VIDEO_CALL_PROVIDER_TOKEN', msg: 'Invalid Zoom access token' };

/** A browser in which somebody is logged in. */
async function loggedIn({ server, realm }: World, who: Client): Promise<Visitor> {
  const { context } = server;
  const userId = asId<UserId>(who.userId);
  const link = await context.store.in(realm).write(async (tx) => {
    const user = await findUser(tx, userId);
    return user && makeSignInLink(context, tx, user);
  });
  const visitor = new Visitor(server);
  const { pathname } = new URL(link ?? expect.fail('nobody'));
  await visitor.get(pathname);
  expect((await visitor.post(pathname, {})).status).toBe(303);
  return visitor;
}

// See protocol/organizations#zoom.
describe.each(databases)('calls by own accounts at Zoom, on %s', (database) => {
  const services = new Services();
  const clock = new TestClock();
  let world: World;
  let host: string;
  let browser: Visitor;
  const login = (who: Client) => loggedIn(world, who);
  beforeAll(async () => {
    host = await services.open();
    world = await openWorld(database, { clock, environment: { ROOST_ZOOM_URL: `http://client:sec%2Fret@${host}` } });
  });
  beforeEach(async () => {
    services.asked.splice(0);
    services.answers = { '/oauth/token': granting('first'), [MEETINGS]: MET };
    clock.advance(2 * HOUR_MS);
    browser = await login(world.max);
  });
  afterAll(async () => {
    await world.close();
    await services.close();
  });

  /** Goes to Zoom; where it would send somebody back to who says yes there. */
  async function begun(visitor = browser): Promise<string> {
    const { location = '' } = await visitor.get(REGISTER);
    const state = new URL(location).searchParams.get('state') ?? '';
    return `/calls/zoom/complete?${new URLSearchParams({ code: 'c0de', state }).toString()}`;
  }
  const connect = async (visitor = browser): Promise<Shown> => visitor.get(await begun(visitor));
  const call = (who = world.max) => who.post('/calls/zoom/create', { is_video_call: true });
  const refused = (who = world.max) => who.refused('POST', '/calls/zoom/create');
  const isConnected = async (who = world.max) => (await who.register()).state['has_zoom_token'];
  const asked = () => services.asked.map(({ url }) => url);

  it('are what an organization can choose (protocol/organizations#calls)', async () => {
    const { state } = await world.adam.register();
    expect(state['realm_available_video_chat_providers']).toEqual({
      disabled: { name: 'None', id: 0 },
      jitsi_meet: { name: 'Jitsi Meet', id: 1 },
      zoom: { name: 'Zoom', id: 3 },
    });
    await world.adam.patch('/realm', { video_chat_provider: 3 });
    const { msg } = await world.adam.refused('PATCH', '/realm', { video_chat_provider: 5 });
    expect(msg).toBe('Invalid video_chat_provider 5');
  });

  it('want an account to be connected first', async () => {
    expect(await isConnected(world.mia)).toBe(false);
    expect(await refused(world.mia)).toMatchObject(UNKNOWN);
    expect(services.asked).toEqual([]);
  });

  it('are held with the account that somebody connects, of which only their clients hear', async () => {
    const { location } = await browser.get(REGISTER);
    const { origin, pathname, searchParams } = new URL(location ?? '');
    expect([origin, pathname]).toEqual([`http://${host}`, '/oauth/authorize']);
    expect(Object.fromEntries(searchParams)).toEqual({
      response_type: 'code',
      client_id: 'client',
      redirect_uri: 'http://localhost:9991/calls/zoom/complete',
      state: expect.stringMatching(/^\w{43}\.$/),
    });
    const [own = [], others = []] = await expectSync([world.max, world.mia], async () => {
      const shown = await connect();
      expect([shown.status, shown.text]).toEqual([200, expect.stringContaining('Zoom is connected')]);
      await world.max.post('/messages', { type: 'direct', to: [world.mia.userId], content: 'call me' });
    });
    expect(own.filter(({ type }) => type === 'has_zoom_token')).toMatchObject([{ value: true }]);
    expect(others.map(({ type }) => type)).toContain('message');
    expect(others.map(({ type }) => type)).not.toContain('has_zoom_token');
    expect([await isConnected(), await isConnected(world.mia)]).toEqual([true, false]);
    expect(await call()).toMatchObject({ url: 'https://zoom.test/j/1?pwd=x' });
    const [token, meeting] = services.asked;
    expect(token).toMatchObject({
      method: 'POST',
      url: '/oauth/token',
      authorization: `Basic ${Buffer.from('client:sec/ret').toString('base64')}`,
    });
    expect(Object.fromEntries(new URLSearchParams(token?.body))).toEqual({
      grant_type: 'authorization_code',
      code: 'c0de',
      redirect_uri: 'http://localhost:9991/calls/zoom/complete',
    });
    expect(meeting).toMatchObject({ method: 'POST', url: MEETINGS, authorization: 'Bearer first' });
    expect(JSON.parse(meeting?.body ?? '')).toEqual({
      settings: { host_video: true, participant_video: true },
      default_password: true,
    });
    expect(await refused(world.mia)).toMatchObject(UNKNOWN);
    // Connecting again tells nobody anything new.
    const [again = []] = await expectSync([world.max], connect);
    expect(again).toEqual([]);
  });

  it('keep tokens where nobody reads them', async () => {
    await connect();
    const rows = await world.server.context.store.read((tx) =>
      tx.db.selectFrom('zoom_grant').select('sealed').where('user_id', '=', asId<UserId>(world.max.userId)).execute(),
    );
    expect(rows).toHaveLength(1);
    const sealed = Buffer.from(rows[0]?.sealed ?? '', 'base64url').toString('latin1');
    expect(sealed).not.toMatch(/first|access/);
  });

  it('renew what was granted before it ends, once for calls at the same time', async () => {
    await connect();
    clock.advance(HOUR_MS - 59_000);
    services.asked.splice(0);
    services.answers['/oauth/token'] = granting('second');
    await Promise.all([call(), call(), call()]);
    expect(asked().toSorted()).toEqual(['/oauth/token', MEETINGS, MEETINGS, MEETINGS]);
    expect(Object.fromEntries(new URLSearchParams(services.asked[0]?.body))).toEqual({
      grant_type: 'refresh_token',
      refresh_token: 'next after first',
    });
    expect(services.asked.slice(1).map(({ authorization }) => authorization)).toEqual(Array(3).fill('Bearer second'));
    // The next renewal goes on from there.
    clock.advance(HOUR_MS);
    services.asked.splice(0);
    await call();
    expect(services.asked[0]?.body).toContain('next+after+second');
  });

  it('forget what Zoom renews no more, and tell the clients', async () => {
    await connect();
    clock.advance(HOUR_MS);
    services.answers['/oauth/token'] = json(400, { reason: 'Invalid Token!', error: 'invalid_grant' });
    const [events = []] = await expectSync([world.max], async () => expect(await refused()).toMatchObject(UNKNOWN));
    expect(events).toMatchObject([{ type: 'has_zoom_token', value: false }]);
    services.asked.splice(0);
    expect(await refused()).toMatchObject(UNKNOWN);
    expect(services.asked).toEqual([]);
  });

  it.each([
    ['401', json(401, { code: 124, message: 'Invalid access token.' })],
    ['its own code', json(400, { code: 124, message: 'Access token is expired.' })],
  ])('forget what Zoom takes no more, said by %s, and tell the clients', async (_how, answer) => {
    await connect();
    services.answers[MEETINGS] = answer;
    const [events = []] = await expectSync([world.max], async () => expect(await refused()).toMatchObject(UNKNOWN));
    expect(events).toMatchObject([{ type: 'has_zoom_token', value: false }]);
  });

  it('go on when the account was connected again while a renewal was refused', async () => {
    await connect();
    clock.advance(HOUR_MS);
    let isAgain = false;
    services.answers['/oauth/token'] = (response, question) => {
      if (question.body.includes('authorization_code')) return granting('anew')(response, question);
      if (isAgain) return json(500, {})(response, question);
      isAgain = true;
      void connect().then(() => json(400, { error: 'invalid_grant' })(response, question));
    };
    services.asked.splice(0);
    await call();
    expect(services.asked.at(-1)).toMatchObject({ url: MEETINGS, authorization: 'Bearer anew' });
  });

  it.each(Object.entries(LIES))('stay connected and fail with one line when Zoom answers %s', async (_title, lie) => {
    await connect();
    services.answers[MEETINGS] = lie;
    expect((await refused()).msg).toBe('Failed to create Zoom call');
    clock.advance(HOUR_MS);
    services.answers['/oauth/token'] = lie;
    expect((await refused()).msg).toBe('Failed to create Zoom call');
    expect(await isConnected()).toBe(true);
  });

  it.each([
    ['what is no connection', json(400, { error: 'invalid_grant' }), 400, 'Invalid Zoom credentials'],
    ...Object.entries(LIES).map(([title, lie]) => [title, lie, 502, 'Zoom does not answer'] as const),
  ] as const)('are not connected by a code to which Zoom answers %s', async (_title, answer, status, text) => {
    services.answers['/oauth/token'] = answer;
    const visitor = await login(world.gus);
    const shown = await connect(visitor);
    expect([shown.status, shown.text]).toEqual([status, expect.stringContaining(text)]);
    expect(await isConnected(world.gus)).toBe(false);
  });

  describe('are connected by the person who began, in the same browser:', () => {
    const session = expect.stringContaining('Invalid Zoom session identifier');
    beforeEach(() => services.asked.splice(0));

    it('not by an address made elsewhere, nor by one changed or used before', async () => {
      const link = await begun(await login(world.max));
      for (const url of [
        link,
        link.replace('state=', 'state=x'),
        link.replace('state=', 'other='),
        '/calls/zoom/complete',
      ]) {
        const { status, text } = await browser.get(url);
        expect([url, status, text]).toEqual([url, 400, session]);
      }
      const own = await begun();
      expect((await browser.get(own.replace('code=', 'error='))).status).toBe(403);
      expect((await browser.get(own)).text).toEqual(session);
      expect(services.asked).toEqual([]);
    });

    it('not too late, and not with a code without bounds', async () => {
      const link = await begun();
      clock.advance(600_000);
      expect((await browser.get(link)).text).toEqual(session);
      const long = (await begun()).replace('c0de', 'c'.repeat(501));
      expect((await browser.get(long)).status).toBe(403);
      expect(services.asked).toEqual([]);
    });

    it('not by somebody else who logs in meanwhile, nor by a key', async () => {
      const link = await begun();
      const other = await login(world.mia);
      for (const [name, value] of browser.cookies) if (name.includes('zoom')) other.cookies.set(name, value);
      expect((await other.get(link)).text).toEqual(session);
      const stranger = await new Visitor(world.server).get(link);
      expect([stranger.status, stranger.location]).toEqual([303, `/login/?next=${encodeURIComponent(link)}`]);
      const keyed = await world.server.listener.inject({
        method: 'GET',
        url: REGISTER,
        headers: { host: 'localhost:9991', authorization: world.max.authorization },
      });
      expect([keyed.statusCode, keyed.headers['location']]).toEqual([
        303,
        `/login/?next=${encodeURIComponent(REGISTER)}`,
      ]);
      expect(services.asked).toEqual([]);
    });

    it('at the organization from which they went, whatever address Zoom knows', async () => {
      const link = await begun();
      const at = (url: string) =>
        world.server.listener.inject({ method: 'GET', url, headers: { host: 'elsewhere.localhost:9991' } });
      const sent = await at(link);
      expect([sent.statusCode, sent.headers['location']]).toEqual([303, `http://localhost:9991${link}`]);
      expect((await at(link.replace(/$/, 'nowhere'))).statusCode).toBe(404);
    });
  });

  it('are not ended by a notice, which anybody could send', async () => {
    await connect();
    const notice = { method: 'POST', url: '/calls/zoom/deauthorize', payload: { event: 'app_deauthorized' } } as const;
    const reply = await world.server.listener.inject(notice);
    expect([reply.statusCode, reply.json()]).toEqual([200, { result: 'success', msg: '' }]);
    expect(await isConnected()).toBe(true);
  });
});

describe.each(databases)('accounts at Zoom on %s', (database) => {
  it.each([
    ['Zoom is not configured', {}],
    ['one account pays for all', { ROOST_ZOOM_URL: 'https://client:secret@zoom.test/account' }],
  ])('are not connected where %s', async (_where, environment) => {
    const world = await openWorld(database, { environment });
    const visitor = await loggedIn(world, world.max);
    const shown = await visitor.get(REGISTER);
    expect([shown.status, shown.text]).toEqual([
      404,
      expect.stringContaining('Zoom credentials have not been configured.'),
    ]);
    await world.close();
  });
});
