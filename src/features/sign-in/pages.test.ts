import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { asId, type UserId } from '#kernel/ids';
import { Visitor } from '../../../test/support/browser-client.ts';
import { databases } from '../../../test/support/databases.ts';
import { writtenMails } from '../../../test/support/mails.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { setUser } from '#features/users';

const OWNER = { username: 'owner@roost.test', password: 'roost-demo-password' };
const SESSION = 'roost-session';

describe.each(databases)('pages to sign in on %s', (database) => {
  let world: World;
  let visitor: Visitor;
  beforeEach(async () => {
    world = await openWorld(database, { mode: 'production', rateLimits: 'on' });
    world.server.context.jobs.start(world.server.context);
    visitor = new Visitor(world.server);
  });
  afterEach(() => world.close());

  async function logIn(who = visitor, fields: Record<string, string> = {}) {
    await who.get('/login/');
    return who.post('/login/', { ...OWNER, ...fields });
  }

  it('begins a session under a new token, and ends it', async () => {
    expect((await visitor.get('/')).location).toBe('/login/');
    expect(await logIn()).toMatchObject({ status: 303, location: '/' });
    const first = visitor.cookies.get(SESSION);
    expect((await visitor.get('/')).text).toContain('owner@roost.test');
    await visitor.get('/logout/');
    await visitor.post('/login/', OWNER);
    expect(visitor.cookies.get(SESSION)).not.toBe(first);
    const old = new Visitor(world.server);
    old.cookies.set(SESSION, first ?? '');
    expect((await old.get('/')).location).toBe('/login/');
    await visitor.get('/logout/');
    const last = visitor.cookies.get(SESSION);
    expect(await visitor.post('/logout/', {})).toMatchObject({ status: 303, location: '/login/' });
    old.cookies.set(SESSION, last ?? '');
    expect((await old.get('/')).location).toBe('/login/');
  });

  it('sets cookies that scripts and other sites do not get, and a strict policy (security#asvs, 3.3, 3.4)', async () => {
    const page = await visitor.get('/login/');
    expect(String(page.headers['set-cookie'])).toMatch(/HttpOnly; SameSite=Strict/);
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(page.headers['cache-control']).toBe('no-store');
    expect(String((await visitor.post('/login/', OWNER)).headers['set-cookie'])).toMatch(/HttpOnly; SameSite=Lax/);
  });

  it('refuses forms that another site made (security#asvs, 3.5.1)', async () => {
    await visitor.get('/login/');
    expect((await visitor.post('/login/', { ...OWNER, csrfmiddlewaretoken: 'x'.repeat(32) })).status).toBe(403);
    const stranger = new Visitor(world.server);
    expect((await stranger.post('/login/', OWNER)).status).toBe(403);
    expect(stranger.cookies.has(SESSION)).toBe(false);
    await logIn();
    const token = visitor.cookies.get(SESSION);
    expect((await visitor.post('/logout/', { csrfmiddlewaretoken: '' })).status).toBe(403);
    expect(visitor.cookies.get(SESSION)).toBe(token);
    expect((await visitor.get('/')).status).toBe(200);
  });

  it.each([
    '//evil.test',
    '/\\evil.test',
    'https:evil.test',
    'https://evil.test',
    'javascript:alert(1)',
    '/\0evil',
    '/\u007fevil',
  ])('stays at home when the link says %s (security#holes, row 22)', async (next) => {
    expect((await logIn(visitor, { next })).location).toBe('/');
    const page = await new Visitor(world.server).get(`/login/?next=${encodeURIComponent(next)}`);
    expect(page.text).not.toContain('evil');
  });

  it('goes where a link of its own says', async () => {
    expect((await logIn(visitor, { next: '/api/?x=1' })).location).toBe('/api/?x=1');
    expect((await logIn(visitor, { next: '/中/é?x=👍%20' })).location).toBe('/%E4%B8%AD/%C3%A9?x=%F0%9F%91%8D%20');
    const there = await visitor.get(`/login/?next=${encodeURIComponent('/中')}`);
    expect([there.status, there.location]).toEqual([303, '/%E4%B8%AD']);
  });

  it('shows what was typed as text (security#holes, row 21)', async () => {
    const { text, status } = await logIn(visitor, { username: '"><script>x</script>@roost.test' });
    expect(status).toBe(400);
    expect(text).toContain('&lt;script&gt;');
    expect(text).not.toContain('<script>');
  });

  it('slows guesses down, account by account and address by address (operations protocol/wire#rate-limits)', async () => {
    const wrong = () => logIn(visitor, { password: 'wrong' });
    for (let attempts = 0; attempts < 5; attempts++) expect((await wrong()).status).toBe(401);
    const limited = await wrong();
    expect(limited.status).toBe(429);
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
    expect((await logIn()).status).toBe(429);
    expect((await logIn(visitor, { username: 'x0@roost.test' })).status).toBe(401);
  });

  it('answers unknown addresses, wrong passwords and passwords of the deactivated without a difference', async () => {
    const { server, realm, olive } = world;
    const shown = async (username: string, password: string) => {
      const { status, text } = await logIn(new Visitor(server), { username, password });
      return { status, text: text.replace(username, '').replaceAll(/value="\w{32}"/g, '') };
    };
    const wrong = await shown(OWNER.username, 'wrong');
    expect(wrong.status).toBe(401);
    expect(await shown('nobody@roost.test', 'wrong')).toEqual(wrong);
    await server.context.store.in(realm).write((tx) => setUser(tx, asId<UserId>(olive.userId), { is_active: false }));
    expect(await shown(OWNER.username, 'wrong')).toEqual(wrong);
    expect((await shown(OWNER.username, OWNER.password)).text).toContain('Account is deactivated');
  });

  it('hands the API key to the app that opened the browser (protocol/authentication#sign-in)', async () => {
    const pad = 'ab'.repeat(32);
    const page = await visitor.get(`/login/?mobile_flow_otp=${pad}`);
    expect(page.headers['content-security-policy']).toContain("form-action 'self' zulip:");
    const { location } = await visitor.post('/login/', { ...OWNER, mobile_flow_otp: pad });
    const url = new URL(location ?? '');
    expect(`${url.protocol}//${url.host}`).toBe('zulip://login');
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      realm: 'http://localhost:9991',
      email: OWNER.username,
      user_id: String(world.olive.userId),
    });
    const bytes = Buffer.from(url.searchParams.get('otp_encrypted_api_key') ?? '', 'hex').map((byte) => byte ^ 0xab);
    const { body } = await world.spectator.request('POST', '/fetch_api_key', OWNER);
    expect(Buffer.from(bytes).toString('ascii')).toBe(body['api_key']);
    expect((await visitor.get('/login/?mobile_flow_otp=123')).status).toBe(400);
  });

  describe('a new password', () => {
    const NEXT = 'a new password';
    async function ask(email: string): Promise<string> {
      await visitor.get('/accounts/password/reset/');
      const { status } = await visitor.post('/accounts/password/reset/', { email });
      expect(status).toBe(200);
      await world.server.context.jobs.idle();
      const mails = writtenMails(world.dataDir).join('\n');
      return /password\/reset\/[A-Za-z0-9]{40}/.exec(mails)?.[0] ?? '';
    }

    it('is set by a link that works once, and ends all sessions (security#asvs, 7.4.3)', async () => {
      await logIn();
      const session = visitor.cookies.get(SESSION) ?? '';
      const link = `/accounts/${await ask(OWNER.username)}`;
      expect((await visitor.get(link)).status).toBe(200);
      expect((await visitor.post(link, { password: 'short' })).text).toContain('at least 8 characters');
      const another = new Visitor(world.server);
      await another.get(link);
      const both = await Promise.all([visitor.post(link, { password: NEXT }), another.post(link, { password: NEXT })]);
      expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 404]);
      expect((await new Visitor(world.server).get(link)).status).toBe(404);
      expect((await world.olive.refused('GET', '/users/me')).code).toBe('INVALID_API_KEY');
      const old = new Visitor(world.server);
      old.cookies.set(SESSION, session);
      expect((await old.get('/')).location).toBe('/login/');
      expect((await logIn(old)).status).toBe(401);
      expect((await logIn(old, { password: NEXT })).status).toBe(303);
    });

    it('is set once by a form that its browser sends twice, which is told so', async () => {
      const link = `/accounts/${await ask(OWNER.username)}`;
      await visitor.get(link);
      const both = await Promise.all([visitor.post(link, { password: NEXT }), visitor.post(link, { password: NEXT })]);
      expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 404]);
      const CHANGED = '<h1>Your password has been changed</h1>';
      const again = await visitor.post(link, { password: 'still another password' });
      for (const { status, text } of [again, await visitor.get(link)])
        expect([status, text.includes(CHANGED)]).toEqual([404, true]);
      const stranger = new Visitor(world.server);
      expect((await stranger.get(link)).text).toContain('<h1>This link is no longer valid</h1>');
      await stranger.get('/login/');
      expect((await stranger.post(link, { password: NEXT })).status).toBe(404);
      expect((await logIn(new Visitor(world.server), { password: 'still another password' })).status).toBe(401);
      expect((await logIn(new Visitor(world.server), { password: NEXT })).status).toBe(303);
    });

    it('is not set a second after a day (security#holes, row 10)', async () => {
      const link = `/accounts/${await ask(OWNER.username)}`;
      world.clock.advance(86_399_000);
      expect((await visitor.get(link)).status).toBe(200);
      world.clock.advance(1_000);
      expect((await visitor.get(link)).status).toBe(404);
      expect((await visitor.post(link, { password: NEXT })).status).toBe(404);
    });

    it('is promised to everybody alike, and mailed to accounts only (security#asvs, 6.3.8)', async () => {
      const shown = async (email: string) => {
        await visitor.get('/accounts/password/reset/');
        return (await visitor.post('/accounts/password/reset/', { email })).text.replace(email, '');
      };
      expect(await shown('nobody@roost.test')).toBe(await shown('member@roost.test'));
      await world.server.context.jobs.idle();
      expect(writtenMails(world.dataDir)).toHaveLength(1);
    });

    it('is not asked for without end', async () => {
      for (let times = 0; times < 5; times++) await ask(OWNER.username);
      await visitor.get('/accounts/password/reset/');
      expect((await visitor.post('/accounts/password/reset/', { email: OWNER.username })).status).toBe(429);
    });
  });
});
