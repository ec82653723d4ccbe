import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { csrfTokenFor } from '#kernel/auth';
import { codeOf } from '../../../../test/support/authenticator.ts';
import { Visitor } from '../../../../test/support/browser-client.ts';
import { databases } from '../../../../test/support/databases.ts';
import { openWorld, type World } from '../../../../test/support/world.ts';

const PASSWORD = 'roost-demo-password';
const SETUP = '/accounts/second-factor/setup/';
const CONFIRM = '/accounts/confirm/';
const CONFIRMATION = '/users/me/confirmation';
/** A little more than a session counts as confirmed. */
const LATER_MS = 901_000;

describe.each(databases)('showing again who one is, on %s', (database) => {
  let world: World;
  let visitor: Visitor;
  beforeEach(async () => {
    world = await openWorld(database, { mode: 'production', rateLimits: 'on' });
    visitor = new Visitor(world.server);
    await visitor.get('/login/');
    await visitor.post('/login/', { username: world.olive.email, password: PASSWORD });
  });
  afterEach(() => world.close());

  /** A call by the browser's session. */
  async function call(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, fields: Record<string, string> = {}) {
    const token = visitor.cookies.get('roost-session') ?? '';
    const response = await world.server.listener.inject({
      method,
      url: `/api/v1${path}`,
      headers: {
        cookie: `roost-session=${token}`,
        'x-csrftoken': csrfTokenFor(world.server.context.server.secret, token),
        'content-type': 'application/x-www-form-urlencoded',
      },
      payload: new URLSearchParams(fields).toString(),
    });
    return { status: response.statusCode, body: response.json() };
  }
  const code = async (...asked: Parameters<typeof call>) => (await call(...asked)).body.code;

  it('is asked for before dangerous acts, a quarter of an hour after the log-in, and not before', async () => {
    const acts: readonly Parameters<typeof call>[] = [
      ['POST', '/users/me/api_key'],
      ['POST', '/users/me/api_keys', { name: 'phone' }],
      ['PATCH', '/settings', { email: 'elsewhere@roost.test' }],
      ['PATCH', `/users/${world.max.userId}`, { role: '100' }],
      ['PATCH', `/users/${world.max.email}`, { role: '100' }],
      ['PATCH', '/realm', { authentication_methods: '{"Email": true}' }],
      ['PATCH', '/realm', { second_factor_required_role: '100' }],
      ['POST', '/invites', { invite_as: '100', invitee_emails: 'x@roost.test', stream_ids: '[]' }],
      ['POST', '/invites/multiuse', { invite_as: '100' }],
      ['POST', '/export/realm'],
      ['DELETE', `/users/${world.max.userId}/second_factor`],
      ['POST', '/users/me/api_key/regenerate'],
      ['POST', '/realm/deactivate'],
    ];
    expect((await call('POST', '/users/me/api_key')).body.api_key).toBe(world.olive.apiKey);
    expect((await call('GET', CONFIRMATION)).body).toMatchObject({ is_confirmed: true });
    world.clock.advance(LATER_MS);
    for (const act of acts) expect([act[1], await code(...act)]).toEqual([act[1], 'CONFIRMATION_REQUIRED']);
    // What nobody could take over by goes on.
    expect((await call('PATCH', `/users/${world.max.userId}`, { role: '300' })).status).toBe(200);
    expect((await call('PATCH', '/settings', { enter_sends: 'true' })).status).toBe(200);
    // The key of the account goes on too, as clients know it.
    expect((await world.olive.post('/invites/multiuse', { invite_as: 100 })).invite_link).toContain('/join/');
    expect((await visitor.get('/personal_data')).location).toContain(CONFIRM);
    expect((await visitor.post('/accounts/connections/', { connect: 'x' })).location).toContain(CONFIRM);
  });

  it('is done by the password, with the limit of log-ins, and counts for this session alone', async () => {
    world.clock.advance(LATER_MS);
    expect((await call('GET', CONFIRMATION)).body).toMatchObject({
      is_confirmed: false,
      asks_password: true,
      asks_code: false,
      providers: [],
    });
    expect((await call('POST', CONFIRMATION, { password: 'wrong' })).status).toBe(403);
    expect((await call('POST', CONFIRMATION)).status).toBe(403);
    expect(await code('POST', '/users/me/api_key')).toBe('CONFIRMATION_REQUIRED');
    expect((await call('POST', CONFIRMATION, { password: PASSWORD })).status).toBe(200);
    expect((await call('POST', '/users/me/api_key')).status).toBe(200);
    world.clock.advance(LATER_MS);
    expect(await code('POST', '/users/me/api_key')).toBe('CONFIRMATION_REQUIRED');
    for (let turn = 0; turn < 5; turn++) await call('POST', CONFIRMATION, { password: 'wrong' });
    expect(await code('POST', CONFIRMATION, { password: PASSWORD })).toBe('RATE_LIMIT_HIT');
  });

  it('is done by a session only, and needs its token', async () => {
    const refused = await world.olive.request('POST', CONFIRMATION, { password: PASSWORD });
    expect(refused.status).toBe(403);
    const { cookies } = visitor;
    const bare = await world.server.listener.inject({
      method: 'POST',
      url: `/api/v1${CONFIRMATION}`,
      headers: { cookie: `roost-session=${cookies.get('roost-session')}` },
      payload: '',
    });
    expect(bare.json().code).toBe('CSRF_FAILED');
  });

  it('asks for the code, too, where the account has a second factor', async () => {
    const page = (await visitor.get(SETUP)).text;
    const secret = /class="address">([A-Z2-7]{32})</.exec(page)?.[1] ?? '';
    const setup = /name="setup" value="([^"]+)"/.exec(page)?.[1] ?? '';
    await visitor.post(SETUP, { setup, password: PASSWORD, code: codeOf(secret, world.clock.nowMs()) });
    world.clock.advance(LATER_MS);
    expect((await call('GET', CONFIRMATION)).body).toMatchObject({ asks_password: true, asks_code: true });
    const now = codeOf(secret, world.clock.nowMs());
    expect((await call('POST', CONFIRMATION, { password: PASSWORD })).status).toBe(403);
    expect((await call('POST', CONFIRMATION, { password: 'wrong', code: now })).status).toBe(403);
    expect((await call('POST', CONFIRMATION, { password: PASSWORD, code: now })).status).toBe(200);
    expect((await call('POST', '/users/me/api_key')).status).toBe(200);
  });

  it('has a page, which leads on to where somebody wanted to go, and nowhere else', async () => {
    world.clock.advance(LATER_MS);
    const page = await visitor.get(`${CONFIRM}?next=/personal_data`);
    expect(page.text).toContain('Confirm that it is you');
    expect((await visitor.post(CONFIRM, { password: 'wrong', next: '/personal_data' })).status).toBe(403);
    const answer = await visitor.post(CONFIRM, { password: PASSWORD, next: '//evil.example/' });
    expect(answer).toMatchObject({ status: 303, location: '/' });
    expect((await visitor.get('/personal_data')).status).toBe(200);
    const stranger = await new Visitor(world.server).get(CONFIRM);
    expect(stranger.location).toContain('/login/');
  });
});
