import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Visitor } from '../../../test/support/browser-client.ts';
import type { Client } from '../../../test/support/client.ts';
import { databases } from '../../../test/support/databases.ts';
import { CLIENT, IdentityProvider, signInFile } from '../../../test/support/identity-provider.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

const BEGIN = '/accounts/login/social/acme/';
const PAGE = '/accounts/connections/';
const LOCKED = expect.stringContaining('No owner could log in any more');
const ONLY_ACME = { authentication_methods: { Email: false, 'OpenID Connect': true } };

describe.each(databases)('the last way in of owners, on %s (protocol/authentication#methods)', (database) => {
  let world: World;
  let idp: IdentityProvider;
  let second: Client;
  beforeEach(async () => {
    idp = await IdentityProvider.open();
    const acme = { kind: 'openid', id: 'acme', name: 'Acme', issuer: idp.url };
    world = await openWorld(database, {
      mode: 'production',
      environment: signInFile({ providers: [{ ...acme, client_id: CLIENT.id, client_secret: CLIENT.secret }] }),
    });
    second = await world.user({ role: 100 });
  });
  afterEach(async () => {
    await world.close();
    await idp.close();
  });

  /** A browser of an owner who is connected from then on. */
  async function connected({ email }: Client): Promise<Visitor> {
    const visitor = new Visitor(world.server);
    idp.person = { sub: email, email, email_verified: true };
    expect((await visitor.get(idp.authorize((await visitor.get(BEGIN)).location))).status).toBe(303);
    return visitor;
  }
  async function disconnect(visitor: Visitor) {
    const { text } = await visitor.get(PAGE);
    return visitor.post(PAGE, { disconnect: /name="disconnect" value="(\d+)"/.exec(text)?.[1] ?? '' });
  }
  const getsIn = async (client: Client) => (await connected(client)).get('/').then(({ status }) => status === 200);

  it('is kept where there is one owner who has it: connected, owner and active', async () => {
    const visitor = await connected(world.olive);
    expect((await world.olive.request('PATCH', '/realm', ONLY_ACME)).status).toBe(200);
    const page = await disconnect(visitor);
    expect([page.status, page.text]).toEqual([400, LOCKED]);
    const path = `/users/${world.olive.userId}`;
    const tries = [
      await second.request('PATCH', path, { role: 400 }),
      await world.olive.request('PATCH', path, { role: 200 }),
      await second.request('DELETE', path),
      await world.olive.request('DELETE', '/users/me'),
    ];
    expect(tries.map(({ status, body }) => [status, body['msg']])).toEqual(tries.map(() => [400, LOCKED]));
    expect((await world.olive.get('/users/me')).role).toBe(100);
    expect(await getsIn(world.olive)).toBe(true);
    // Who is no way in goes as ever, and so does whatever else is changed about the last.
    await world.olive.patch(path, { full_name: 'Olive the First' });
    await world.olive.patch(`/users/${second.userId}`, { role: 400 });
  });

  it('goes once another owner has one, or the password is back', async () => {
    const visitor = await connected(world.olive);
    await world.olive.patch('/realm', ONLY_ACME);
    await connected(second);
    expect((await disconnect(visitor)).status).toBe(303);
    expect((await second.request('PATCH', `/users/${second.userId}`, { role: 400 })).body['msg']).toEqual(LOCKED);
    await second.patch('/realm', { authentication_methods: { Email: true, 'OpenID Connect': true } });
    await second.patch(`/users/${second.userId}`, { role: 400 });
  });

  it('stays to one of two who give theirs up at once', async () => {
    const visitors = [await connected(world.olive), await connected(second)];
    await world.olive.patch('/realm', ONLY_ACME);
    for (const visitor of visitors) await visitor.get(PAGE);
    const done = await Promise.all(visitors.map((visitor) => disconnect(visitor)));
    expect(done.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 400]);
    const left = await world.user({ role: 100 });
    expect((await left.request('PATCH', '/realm', ONLY_ACME)).status).toBe(200);
  });

  it('is no matter of directories that lost it already: who is locked out changes what is left', async () => {
    await connected(world.olive);
    await world.olive.patch('/realm', ONLY_ACME);
    const [account] = await world.server.context.store.write((tx) =>
      tx.db.deleteFrom('external_identity').where('realm_id', '=', world.realm.id).returningAll().execute(),
    );
    expect(account).toMatchObject({ provider: 'acme' });
    await world.olive.patch(`/users/${second.userId}`, { role: 400 });
  });
});
