import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { csrfTokenFor } from '#kernel/auth';
import { TestClock } from '#kernel/clock';
import { CertifiedProvider } from '../../../test/support/certified-provider.ts';
import type { Body } from '../../../test/support/client.ts';
import { databases } from '../../../test/support/databases.ts';
import { HttpBrowser } from '../../../test/support/http-browser.ts';
import { signInFile } from '../../../test/support/identity-provider.ts';
import { freePort } from '../../../test/support/process.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

const BEGIN = '/accounts/login/social/acme/';
const PASSWORD = 'roost-demo-password';
const SECRET = 'a secret with signs: +/=&% and blanks';

describe.each(databases)('signing in at a certified OpenID provider, over the network, on %s', (database) => {
  let world: World;
  let idp: CertifiedProvider;
  let roost: string;
  beforeAll(async () => {
    // It says on its console what one should set for more than a test.
    for (const way of ['warn', 'info'] as const) vi.spyOn(console, way).mockReturnValue();
    idp = await CertifiedProvider.open();
    const port = await freePort();
    roost = `http://localhost:${port}`;
    const known = { kind: 'openid', issuer: idp.url, scopes: ['email', 'profile', 'groups'] };
    world = await openWorld(database, {
      mode: 'production',
      // The provider's time is the machine's.
      clock: new TestClock(Date.now()),
      environment: {
        ROOST_EXTERNAL_URL: roost,
        ...signInFile({
          providers: [
            {
              ...known,
              id: 'acme',
              name: 'Acme',
              client_id: 'roost',
              client_secret: SECRET,
              roles: { moderator: ['keepers'] },
              groups: { gardeners: ['garden'] },
            },
            {
              ...known,
              id: 'form',
              name: 'Form',
              client_id: 'roost-form',
              client_secret: SECRET,
              client_authentication: 'post',
            },
            { ...known, id: 'public', name: 'Public', client_id: 'roost-public' },
          ],
        }),
      },
    });
    await world.server.listener.listen(port, '127.0.0.1');
    const addresses = (id: string) => ({
      redirect_uris: [`${roost}/complete/${id}/`],
      post_logout_redirect_uris: [`${roost}/login/`],
      backchannel_logout_uri: `${roost}/accounts/logout/backchannel/${id}`,
      backchannel_logout_session_required: true,
    });
    const confidential = { client_secret: SECRET, ...addresses('form') };
    idp.register(
      // As it is registered where nothing is said: the secret comes in the header.
      { client_id: 'roost', ...confidential, ...addresses('acme') },
      { client_id: 'roost-form', ...confidential, token_endpoint_auth_method: 'client_secret_post' },
      {
        client_id: 'roost-public',
        ...addresses('public'),
        token_endpoint_auth_method: 'none',
        id_token_signed_response_alg: 'ES256',
      },
    );
    idp.people.set('max', { name: 'Maximilian', email: world.max.email, email_verified: true });
    idp.people.set('mia', { name: 'Mia', email: world.mia.email, email_verified: true });
    idp.people.set('liar', { name: 'Liar', email: world.olive.email, email_verified: false });
    await world.olive.patch('/realm', { invite_required: false });
    await world.olive.post('/user_groups/create', { name: 'gardeners', description: '', members: [] });
  });
  afterAll(async () => {
    vi.useRealTimers();
    vi.restoreAllMocks();
    await world.close();
    await idp.close();
  });
  /** The provider's own two pages: who somebody is, and what we may know. */
  async function agree(browser: HttpBrowser, login: string, stopAt?: (url: string) => boolean): Promise<void> {
    expect(browser.url).toContain(`${idp.url}/interaction/`);
    await browser.submit({ login, password: 'whatever' }, stopAt);
    if (browser.url.startsWith(`${idp.url}/interaction/`)) await browser.submit({}, stopAt);
  }
  async function logIn(login: string, begin = BEGIN): Promise<HttpBrowser> {
    const browser = new HttpBrowser();
    await browser.open(`${roost}${begin}`);
    await agree(browser, login);
    return browser;
  }
  async function whoIs(browser: HttpBrowser): Promise<string | undefined> {
    await browser.open(`${roost}/`);
    return /[\w.-]+@[\w.]+\.(?:test|example)/.exec(browser.status === 200 ? browser.text : '')?.[0];
  }
  /** From here on time stands still for the provider, too. */
  const later = (seconds: number) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 });
    world.clock.advance(seconds * 1000);
  };

  it('lets somebody in by its log-in form, with the name, role and groups that it says', async () => {
    idp.people.set('nora', {
      name: 'Nora Newcomer',
      email: 'nora@acme.example',
      email_verified: true,
      groups: ['keepers', 'garden'],
    });
    const browser = await logIn('nora', `${BEGIN}?next=/api/`);
    expect([browser.url, browser.status]).toEqual([`${roost}/api/`, 200]);
    expect(await whoIs(browser)).toBe('nora@acme.example');
    const { members } = await world.olive.get('/users');
    const nora = members.find(({ full_name }: { full_name: string }) => full_name === 'Nora Newcomer');
    expect(nora).toMatchObject({ delivery_email: 'nora@acme.example', role: 300 });
    const { user_groups } = await world.olive.get('/user_groups');
    const group = user_groups.find(({ name }: { name: string }) => name === 'gardeners');
    expect(group.members).toEqual([nora.user_id]);
  });

  it.each(['form', 'public'])('is asked as it registered us: %s', async (id) => {
    const browser = await logIn('max', `/accounts/login/social/${id}/`);
    expect(await whoIs(browser)).toBe(world.max.email);
  });

  it('lets nobody in whose address it has not verified, or who goes back', async () => {
    const liar = await logIn('liar');
    expect([liar.status, await whoIs(liar)]).toEqual([403, undefined]);
    const shy = new HttpBrowser();
    await shy.open(`${roost}${BEGIN}`);
    await shy.follow('Cancel');
    expect([shy.status, shy.text.includes('Acme did not let you in.')]).toEqual([403, true]);
    expect(await whoIs(shy)).toBeUndefined();
  });

  it('gives nothing for a code that is not its own, was used, or is another browser’s', async () => {
    const isBack = (url: string) => url.startsWith(`${roost}/complete/`);
    const answerOf = async (login: string) => {
      const browser = new HttpBrowser();
      await browser.open(`${roost}${BEGIN}`);
      await agree(browser, login, isBack);
      return browser;
    };
    const [max, mia] = [await answerOf('max'), await answerOf('mia')];
    const stolen = new URL(max.url);
    const code = new URL(mia.url).searchParams.get('code') ?? '';
    stolen.searchParams.set('code', code);
    await max.open(stolen.href);
    expect([max.status, await whoIs(max)]).toEqual([403, undefined]);
    const answer = new URL(mia.url);
    await mia.open(mia.url);
    expect(await whoIs(mia)).toBe(world.mia.email);
    await mia.open(answer.href);
    expect(mia.status).toBe(400);
    // Another browser with an attempt of its own, which asked the same provider.
    const thief = await answerOf('max');
    const used = new URL(thief.url);
    used.searchParams.set('code', code);
    await thief.open(used.href);
    expect([thief.status, await whoIs(thief)]).toEqual([403, undefined]);
    const mixed = await answerOf('mia');
    const from = new URL(mixed.url);
    expect(from.searchParams.get('iss')).toBe(idp.url);
    from.searchParams.set('iss', 'https://elsewhere.example');
    await mixed.open(from.href);
    expect([mixed.status, await whoIs(mixed)]).toEqual([403, undefined]);
  });

  it.each(['oidc:acme', 'oidc:public', 'browser'])(
    'hands the phone app a key that works, as the app goes about it: %s (protocol/authentication#web-sign-in)',
    async (name) => {
      const settings = (await (await fetch(`${roost}/api/v1/server_settings`)).json()) as Body;
      const methods: readonly { name: string; login_url: string }[] = settings['external_authentication_methods'];
      const otp = randomBytes(32).toString('hex');
      const address = new URL(methods.find((one) => one.name === name)?.login_url ?? '', settings['realm_url']);
      // The app puts its word in place of whatever query there is.
      address.search = new URLSearchParams({ mobile_flow_otp: otp }).toString();
      const browser = new HttpBrowser();
      const isApp = (url: string) => url.startsWith('zulip:');
      await browser.open(address.href);
      if (name === 'browser') await browser.submit({ username: world.olive.email, password: PASSWORD }, isApp);
      else await agree(browser, 'max', isApp);
      const back = new URL(browser.url);
      expect([back.protocol, back.host]).toEqual(['zulip:', 'login']);
      const said = Object.fromEntries(back.searchParams);
      expect(new URL(said['realm'] ?? '').origin).toBe(new URL(settings['realm_url']).origin);
      const [hidden, pad] = [Buffer.from(said['otp_encrypted_api_key'] ?? '', 'hex'), Buffer.from(otp, 'hex')];
      expect(hidden).toHaveLength(32);
      const key = Buffer.from(hidden.map((byte, at) => byte ^ (pad[at] ?? 0))).toString('ascii');
      const authorization = `Basic ${Buffer.from(`${said['email']}:${key}`).toString('base64')}`;
      const me = (await (await fetch(`${roost}/api/v1/users/me`, { headers: { authorization } })).json()) as Body;
      expect([me['result'], String(me['user_id'])]).toEqual(['success', said['user_id']]);
      // The browser that the app opened is not logged in.
      expect(await whoIs(browser)).toBeUndefined();
    },
  );

  it('logs people in anew to confirm who they are, and only then', async () => {
    const browser = await logIn('max');
    later(901);
    const mayAct = async () => {
      const token = browser.cookie('roost-session') ?? '';
      const reply = await fetch(`${roost}/api/v1/users/me/api_key`, {
        method: 'POST',
        headers: {
          cookie: `roost-session=${token}`,
          'x-csrftoken': csrfTokenFor(world.server.context.server.secret, token),
          'content-type': 'application/x-www-form-urlencoded',
        },
      });
      return ((await reply.json()) as { result: string }).result === 'success';
    };
    expect(await mayAct()).toBe(false);
    await browser.open(`${roost}${BEGIN}?confirm&next=/api/`);
    // The provider knows this browser, and asks all the same.
    await agree(browser, 'max');
    expect([browser.url, await mayAct()]).toEqual([`${roost}/api/`, true]);
  });

  it('logs people out there after they have logged out here, and leads them back', async () => {
    const browser = await logIn('max');
    await browser.open(`${roost}/logout/`);
    await browser.submit();
    expect(await whoIs(browser)).toBeUndefined();
    // Without that the provider lets the browser in again.
    await browser.open(`${roost}${BEGIN}`);
    expect(await whoIs(browser)).toBe(world.max.email);
    await browser.open(`${roost}/logout/`);
    await browser.submit();
    await browser.follow('Log out at Acme, too');
    expect(browser.url).toContain(`${idp.url}/session/end`);
    await browser.submit({ logout: 'yes' });
    expect(browser.url).toBe(`${roost}/login/`);
    await browser.open(`${roost}${BEGIN}`);
    expect(browser.url).toContain(`${idp.url}/interaction/`);
  });

  it('ends the sessions of who logs out there, by the back channel, and nobody else’s', async () => {
    const [here, elsewhere, mia] = [await logIn('max'), await logIn('max'), await logIn('mia')];
    const queue = await world.max.register();
    await here.open(`${idp.url}/session/end`);
    await here.submit({ logout: 'yes' });
    expect(await whoIs(here)).toBeUndefined();
    expect([await whoIs(elsewhere), await whoIs(mia)]).toEqual([world.max.email, world.mia.email]);
    await expect(queue.events()).rejects.toThrow('BAD_EVENT_QUEUE_ID');
  });

  it('changes its keys, for log-ins and for the back channel', async () => {
    await logIn('max');
    idp.rotate();
    later(61);
    const browser = await logIn('max');
    expect(await whoIs(browser)).toBe(world.max.email);
    await browser.open(`${idp.url}/session/end`);
    await browser.submit({ logout: 'yes' });
    expect(await whoIs(browser)).toBeUndefined();
  });
});
