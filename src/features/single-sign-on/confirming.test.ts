import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { csrfTokenFor } from '#kernel/auth';
import { Visitor } from '../../../test/support/browser-client.ts';
import { databases } from '../../../test/support/databases.ts';
import { CLIENT, IdentityProvider, signInFile } from '../../../test/support/identity-provider.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

const BEGIN = '/accounts/login/social/acme/';
const NEXT = '/personal_data';
const CONFIRM = `${BEGIN}?confirm&next=${encodeURIComponent(NEXT)}`;
/** A little more than a session counts as confirmed. */
const LATER_MS = 901_000;

describe.each(databases)('confirming by a provider, on %s (protocol/authentication#confirmation)', (database) => {
  let world: World;
  let idp: IdentityProvider;
  /** When the person has logged in there, in seconds from now. */
  let signedIn: unknown;
  beforeAll(async () => {
    idp = await IdentityProvider.open();
    const known = { kind: 'openid', issuer: idp.url, client_id: CLIENT.id, client_secret: CLIENT.secret };
    world = await openWorld(database, {
      mode: 'production',
      environment: signInFile({
        providers: [
          { ...known, id: 'acme', name: 'Acme' },
          { ...known, id: 'other', name: 'Other' },
        ],
      }),
    });
    idp.lies.claims = (claims) => {
      const at = typeof signedIn === 'number' ? world.clock.now() + signedIn : signedIn;
      return { ...claims, ...(at !== undefined && { auth_time: at }) };
    };
  });
  afterAll(async () => {
    await world.close();
    await idp.close();
  });
  beforeEach(() => {
    signedIn = 0;
    idp.person = { sub: 'max-at-acme', email: world.max.email, email_verified: true };
  });

  /** A browser that logged in by the provider, a quarter of an hour ago. */
  async function someone(): Promise<Visitor> {
    const visitor = new Visitor(world.server);
    const begun = await visitor.get(BEGIN);
    expect((await visitor.get(idp.authorize(begun.location))).status).toBe(303);
    expect(await mayAct(visitor)).toBe(true);
    world.clock.advance(LATER_MS);
    expect(await mayAct(visitor)).toBe(false);
    return visitor;
  }

  async function call(visitor: Visitor, method: 'GET' | 'POST', path: string) {
    const token = visitor.cookies.get('roost-session') ?? '';
    const headers = {
      cookie: `roost-session=${token}`,
      'x-csrftoken': csrfTokenFor(world.server.context.server.secret, token),
      'content-type': 'application/x-www-form-urlencoded',
    };
    const response = await world.server.listener.inject({ method, url: `/api/v1${path}`, headers, payload: '' });
    return response.json();
  }
  /** Whether this browser may do what could take the account over. */
  const mayAct = async (visitor: Visitor) => {
    const { code, result } = await call(visitor, 'POST', '/users/me/api_key');
    expect([result, code]).toEqual(result === 'success' ? ['success', undefined] : ['error', 'CONFIRMATION_REQUIRED']);
    return result === 'success';
  };
  const confirm = async (visitor: Visitor, begin = CONFIRM) =>
    visitor.get(idp.authorize((await visitor.get(begin)).location));

  it('asks the provider to log in anew, and counts for a quarter of an hour, for this session', async () => {
    const visitor = await someone();
    const elsewhere = await someone();
    const { providers } = await call(visitor, 'GET', '/users/me/confirmation');
    expect(providers).toEqual([{ name: 'Acme', url: `${BEGIN}?confirm` }]);
    const { location } = await visitor.get(CONFIRM);
    const asked = new URL(location ?? '').searchParams;
    expect([asked.get('prompt'), asked.get('max_age')]).toEqual(['login', '0']);
    expect(await visitor.get(idp.authorize(location))).toMatchObject({ status: 303, location: NEXT });
    expect([await mayAct(visitor), await mayAct(elsewhere)]).toEqual([true, false]);
    world.clock.advance(LATER_MS);
    expect(await mayAct(visitor)).toBe(false);
    expect((await confirm(visitor, `${BEGIN}?confirm&next=//evil.example/`)).location).toBe('/accounts/confirm/?done');
  });

  it.each<[string, unknown, number]>([
    ['was logged in there all the time', -901, 403],
    ['does not hear when it was', undefined, 403],
    ['hears it as a text', 'now', 403],
    ['hears that it was never', -1_000_000_000, 403],
  ])('does not count where one %s', async (_what, at, status) => {
    const visitor = await someone();
    signedIn = at;
    expect((await confirm(visitor)).status).toBe(status);
    expect(await mayAct(visitor)).toBe(false);
  });

  it('counts only for the person connected to the account, known here or not', async () => {
    const visitor = await someone();
    for (const sub of ['nobody-here', 'mia-at-acme']) {
      idp.person = { sub, email: world.mia.email, email_verified: true };
      if (sub === 'mia-at-acme') {
        const other = new Visitor(world.server);
        await other.get(idp.authorize((await other.get(BEGIN)).location));
        expect((await other.get('/')).text).toContain(world.mia.email);
      }
      const { status, text } = await confirm(visitor);
      expect([status, text.includes('not the account that you are logged in to')]).toEqual([403, true]);
    }
    expect(await mayAct(visitor)).toBe(false);
    const refused = await world.olive.get('/realm/audit_log', { action: 'session.refused' });
    expect(refused.entries[0]).toMatchObject({
      after: { reason: 'provider', provider: 'acme', why: 'another account' },
    });
  });

  it('is for the browser and the session that asked, once, in ten minutes', async () => {
    const visitor = await someone();
    const answer = idp.authorize((await visitor.get(CONFIRM)).location);
    expect((await new Visitor(world.server).get(answer)).status).toBe(400);
    const stranger = await someone();
    expect((await stranger.get(answer)).status).toBe(400);
    await visitor.get(CONFIRM);
    // An attempt that is over by a newer one.
    expect((await visitor.get(answer)).status).toBe(403);
    const late = idp.authorize((await visitor.get(CONFIRM)).location);
    world.clock.advance(601_000);
    expect((await visitor.get(late)).status).toBe(400);
    expect([await mayAct(visitor), await mayAct(stranger)]).toEqual([false, false]);
    const used = idp.authorize((await visitor.get(CONFIRM)).location);
    expect((await visitor.get(used)).status).toBe(303);
    expect((await visitor.get(used)).status).toBe(400);
    world.clock.advance(LATER_MS);
    const gone = idp.authorize((await visitor.get(CONFIRM)).location);
    await visitor.get('/logout/');
    await visitor.post('/logout/', {});
    expect((await visitor.get(gone)).status).toBe(403);
  });

  it('is not begun for an answer of another provider', async () => {
    const visitor = await someone();
    const answer = idp.authorize((await visitor.get(CONFIRM)).location);
    expect((await visitor.get(answer.replace('/acme/', '/other/'))).status).toBe(400);
    expect(await mayAct(visitor)).toBe(false);
  });

  it('is not got round by logging in again where one was logged in all the time', async () => {
    const visitor = await someone();
    signedIn = -901;
    expect((await visitor.get(idp.authorize((await visitor.get(BEGIN)).location))).status).toBe(303);
    expect(await mayAct(visitor)).toBe(false);
    // A provider that knows of a later time than now tells nothing.
    signedIn = 3600;
    expect((await visitor.get(idp.authorize((await visitor.get(BEGIN)).location))).status).toBe(303);
    expect(await mayAct(visitor)).toBe(true);
    world.clock.advance(LATER_MS);
    expect(await mayAct(visitor)).toBe(false);
  });

  it.each([
    ['codes of an app', 'GET', '/accounts/second-factor/setup/'],
    ['codes of an app, sent at once,', 'POST', '/accounts/second-factor/setup/'],
    ['a passkey', 'POST', '/accounts/passkeys/'],
  ] as const)('is needed to add %s without a password here (security#asvs, 7.5.1)', async (_what, method, page) => {
    const visitor = await someone();
    // Only what was sent from a page of ours is looked at.
    await visitor.get('/accounts/passkeys/');
    const open = () => (method === 'GET' ? visitor.get(page) : visitor.post(page, { do: 'prove' }));
    const first = `/accounts/confirm/?next=${encodeURIComponent(page)}`;
    expect(await open()).toMatchObject({ status: 303, location: first });
    const begun = `${BEGIN}?${new URLSearchParams({ confirm: '', next: page }).toString()}`;
    expect((await visitor.get(first)).text).toContain(BEGIN);
    expect(await confirm(visitor, begun)).toMatchObject({ status: 303, location: page });
    expect((await open()).text).toMatch(/name="(?:setup|confirmed)"/);
  });
});
