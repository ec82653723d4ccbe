import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { features } from '../../src/features.ts';
import { Visitor } from '../support/browser-client.ts';
import { databases } from '../support/databases.ts';
import { openWorld, type World } from '../support/world.ts';

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Every page that takes something, with each way to send it. */
const changing = features
  .flatMap((feature) => feature.pages ?? [])
  .flatMap(({ path, methods }) =>
    methods.filter((method) => !SAFE.has(method)).map((method) => [method, path] as const),
  );
/** What takes no form of ours: a secret of its own is in it or beside it, and a session of the browser counts for nothing. */
const BY_OTHER_MEANS = /^\/(?:scim|complete|calls\/zoom|accounts\/logout\/(?:backchannel|saml)|accounts\/login\/jwt)\b/;

describe.each(databases)('what another site sends in the name of somebody logged in, on %s', (database) => {
  let world: World;
  let browser: Visitor;
  beforeAll(async () => {
    world = await openWorld(database, { mode: 'production' });
    browser = new Visitor(world.server);
    await browser.get('/login/');
    const form = { username: world.olive.email, password: 'roost-demo-password' };
    expect((await browser.post('/login/', form)).status).toBe(303);
  });
  afterAll(() => world.close());

  /** A request with all cookies of the browser, as another site makes its own. */
  const send = async (
    method: string,
    url: string,
    fields: Readonly<Record<string, string>>,
    more: Record<string, string> = {},
  ) => {
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { cookie, origin: 'https://evil.test', 'sec-fetch-site': 'cross-site', ...more };
    const body = new URLSearchParams(fields).toString();
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const options = { method: method as 'POST', url, headers: { ...type, ...headers }, payload: body };
    return world.server.listener.inject(options);
  };
  const tables = () =>
    world.server.context.store.query(async (tx) => [
      await tx.db.selectFrom('session').selectAll().execute(),
      await tx.db.selectFrom('user').selectAll().orderBy('id').execute(),
    ]);

  it.each(changing)('is refused by the page: %s %s', async (method, path) => {
    const url = path.replace(/\{\w+\*?\}/g, 'x'.repeat(43));
    const before = await tables();
    const forms = [
      {},
      { csrfmiddlewaretoken: 'a'.repeat(32) },
      { csrfmiddlewaretoken: browser.cookies.get('roost-form') ?? '' },
    ];
    for (const form of forms) {
      const answer = await send(method, url, {
        ...form,
        email: 'taken@evil.test',
        password: 'of somebody else',
        username: 'x',
      });
      // The service learns no more than that it was heard.
      const heard = path === '/calls/zoom/deauthorize' ? [200] : [];
      expect([400, 401, 403, 404, 415, ...heard]).toContain(answer.statusCode);
      if (!BY_OTHER_MEANS.test(path) && !path.includes('{')) expect(answer.statusCode).toBe(403);
    }
    expect(await tables()).toEqual(before);
  });

  it('is refused by every operation: a session counts with its token alone', async () => {
    const endpoints = features.flatMap((feature) => feature.endpoints ?? []);
    const written = endpoints.filter(({ method, who }) => method !== 'GET' && who.credentials !== 'ignored');
    expect(written.length).toBeGreaterThan(100);
    const before = await tables();
    for (const { id, method, path, takesKey } of written) {
      const url = `/json${path.replace(/\{\w+\*?\}/g, '1')}`;
      for (const token of [{}, { 'x-csrftoken': 'a'.repeat(32) }]) {
        const answer = await send(method, url, {}, token);
        expect([id, answer.json().code], url).toEqual([id, takesKey ? expect.any(String) : 'CSRF_FAILED']);
      }
    }
    expect(await tables()).toEqual(before);
  });

  it('is taken from our own page', async () => {
    const { text } = await browser.get('/accounts/sessions/');
    const token = /name="csrfmiddlewaretoken" value="(\w+)"/.exec(text)?.[1] ?? '';
    const answer = await send('POST', '/accounts/sessions/', { csrfmiddlewaretoken: token, session: 'none' });
    expect(answer.statusCode).not.toBe(403);
  });
});
