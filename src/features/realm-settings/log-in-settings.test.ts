import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Visitor } from '../../../test/support/browser-client.ts';
import { databases } from '../../../test/support/databases.ts';
import { signInFile } from '../../../test/support/identity-provider.ts';
import { expectSync } from '../../../test/support/sync.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

const WANTED = { event_types: ['realm'], fetch_event_types: ['realm'] };
const GOOD = 'three tall herons';

describe.each(databases)('how an organization lets people in, on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    const known = { client_id: 'x', client_secret: 'y' };
    world = await openWorld(database, {
      mode: 'production',
      environment: signInFile({
        providers: [
          { ...known, kind: 'openid', id: 'acme', name: 'Acme', issuer: 'https://acme.example' },
          { ...known, kind: 'github', id: 'hub', name: 'GitHub' },
          { ...known, kind: 'openid', id: 'far', name: 'Far', issuer: 'https://far.example', organizations: ['x'] },
        ],
        proxy: { header: 'X-Remote-User', name: 'Company' },
      }),
    });
  });
  afterAll(() => world.close());

  const names = async () =>
    (await world.spectator.get('/server_settings')).external_authentication_methods.map(
      ({ name }: { name: string }) => name,
    );
  /** The ways on the log-in page, from top to bottom. */
  const shown = async () => {
    const { text } = await new Visitor(world.server).get('/login/');
    const found = text.matchAll(/Continue with (\w+)|(Log in with a passkey)|name="(password)"|<p class="(or)">/g);
    return [...found].map(([, ...one]) => one.find((part) => part !== undefined));
  };

  it('offers the ways in the order that owners choose, on the page and to apps, and tells of a change', async () => {
    expect(await names()).toEqual(['oidc:acme', 'github:hub', 'remoteuser', 'browser']);
    expect(await shown()).toEqual(['Log in with a passkey', 'Acme', 'GitHub', 'Company', 'or', 'password']);
    const order = ['remoteuser', 'password', 'github:hub'];
    const [heard] = await expectSync([world.max], async () => {
      expect(await world.olive.patch('/realm', { login_method_order: order })).toMatchObject({
        login_method_order: order,
      });
    });
    expect(heard).toMatchObject([{ op: 'update', property: 'login_method_order', value: order }]);
    expect(await names()).toEqual(['remoteuser', 'github:hub', 'oidc:acme', 'browser']);
    expect(await shown()).toEqual(['Company', 'or', 'password', 'or', 'GitHub', 'Log in with a passkey', 'Acme']);
    await world.olive.patch('/realm', { login_method_order: ['password'] });
    expect(await shown()).toEqual(['password', 'or', 'Log in with a passkey', 'Acme', 'GitHub', 'Company']);
    // What is off is not there, wherever it stood.
    await world.olive.patch('/realm', {
      login_method_order: ['github:hub', 'oidc:acme'],
      authentication_methods: { Email: true, Passkey: true, GitHub: false, RemoteUser: false, 'OpenID Connect': false },
    });
    expect(await names()).toEqual(['browser']);
    expect(await shown()).toEqual(['Log in with a passkey', 'or', 'password']);
    await world.olive.patch('/realm', { login_method_order: ['password', 'passkey'] });
    expect(await shown()).toEqual(['password', 'or', 'Log in with a passkey']);
  });

  it.each([[['oidc:nobody']], [['oidc:far']], [['password', 'password']], [['Email']], [['__proto__']]])(
    'takes no order with %j',
    async (order) => {
      const { status, body } = await world.olive.request('PATCH', '/realm', { login_method_order: order });
      expect([status, body.msg]).toEqual([400, expect.stringContaining('Invalid authentication method')]);
    },
  );

  it('tells everybody of ways that were turned on and off, and of what follows from them', async () => {
    const methods = { Email: false, RemoteUser: true };
    await expectSync([world.max], () => world.olive.patch('/realm', { authentication_methods: methods }));
    const { state } = await world.max.register(WANTED);
    expect(state).toMatchObject({ realm_email_auth_enabled: false, realm_password_auth_enabled: false });
    const settings = await world.spectator.get('/server_settings');
    expect(settings).toMatchObject({ email_auth_enabled: false, authentication_methods: { remoteuser: true } });
    await world.olive.patch('/realm', { authentication_methods: { Email: true } });
  });

  it.each([
    { password_min_length: 7 },
    { password_min_length: 65 },
    { password_min_guesses: 9999 },
    { password_min_guesses: 2e15 },
  ])('takes no rules like %j, and none from administrators', async (rules) => {
    expect((await world.olive.request('PATCH', '/realm', rules)).status).toBe(400);
    const { body } = await world.adam.request('PATCH', '/realm', { password_min_length: 10 });
    expect(body.msg).toBe('Must be an organization owner');
  });

  it('asks of new passwords what owners choose, and says so to clients', async () => {
    const rules = { password_min_length: 12, password_min_guesses: 100_000_000 };
    await expectSync([world.max], () => world.olive.patch('/realm', rules));
    const { state } = await world.max.register(WANTED);
    expect(state).toMatchObject({ password_min_length: 12, password_min_guesses: 100_000_000 });
    const change = (new_password: string) =>
      world.olive.request('PATCH', '/settings', { old_password: 'roost-demo-password', new_password });
    for (const weak of ['qf7!xWm2', 'roosttest2026', 'dragonfly123'])
      expect((await change(weak)).body.msg).toBe('New password is too weak!');
    // What somebody has goes on, however short it is.
    await world.olive.patch('/realm', { password_min_length: 30 });
    const logIn = { username: world.olive.email, password: 'roost-demo-password' };
    expect((await world.spectator.request('POST', '/fetch_api_key', logIn)).status).toBe(200);
    expect((await change(GOOD)).body.msg).toBe('New password is too weak!');
    await world.olive.patch('/realm', { password_min_length: 12 });
    expect((await change(GOOD)).status).toBe(200);
  });
});
