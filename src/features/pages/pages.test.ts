import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../../test/support/databases.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { qrCode } from './qr.ts';

const BROWSER = 'text/html,application/xhtml+xml,*/*;q=0.8';

describe.each(databases)('pages that anybody may read, on %s', (database) => {
  let world: World;
  beforeAll(async () => (world = await openWorld(database)));
  afterAll(() => world.close());

  const ask = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' | 'POST' = 'GET') =>
    world.server.listener.inject({ method, url, headers: { accept: BROWSER, ...headers } });

  it.each(['/nothing', '/accounts/nothing/', '/apps/nothing', '/nothing?x=1'])(
    'tell a browser that nothing is at %s (protocol/errors#unknown-routes)',
    async (path) => {
      const { statusCode, headers, body } = await ask(path);
      expect([statusCode, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
      expect(body).toContain('<h1>Nothing perches here</h1>');
      expect(body).toContain('Open Roost Test');
      expect(headers['cache-control']).toBe('no-store');
    },
  );

  it('leave to programs what they can read (protocol/errors#unknown-routes)', async () => {
    for (const path of ['/api/v1/nothing', '/json/nothing', '/api/nothing']) {
      const { statusCode, headers, body } = await ask(path);
      expect([path, statusCode, headers['content-type']]).toEqual([path, 404, 'application/json']);
      expect(JSON.parse(body)).toMatchObject({ result: 'error', msg: 'API endpoint does not exist' });
    }
    for (const path of ['/user_uploads/nothing/', '/user_avatars/nothing', '/web/a/b', '/static/x.js'])
      expect((await ask(path)).body, path).not.toContain('<h1>');
    for (const accept of ['*/*', 'application/json', 'image/avif,image/webp,*/*', ''])
      expect(await ask('/nothing', { accept })).toMatchObject({ statusCode: 404, body: 'Not found\n' });
    expect(await ask('/nothing', {}, 'POST')).toMatchObject({ statusCode: 404, body: 'Not found\n' });
    expect(await ask('/nothing', {}, 'HEAD')).toMatchObject({ statusCode: 404, body: '' });
  });

  it('say at an unknown host that there is no organization, on every path, and name none', async () => {
    for (const host of ['wrong.localhost', 'elsewhere.example'])
      for (const path of ['/', '/login/', '/apps/', '/help/', '/nothing']) {
        const { statusCode, body } = await ask(path, { host });
        expect([host, path, statusCode]).toEqual([host, path, 404]);
        expect(body).toContain('There is no organization at this address.');
        expect(body).not.toContain('Roost Test');
      }
    expect((await ask('/api/v1/users', { host: 'wrong.localhost' })).json()).toMatchObject({
      msg: 'Invalid subdomain',
    });
  });

  it('lead to apps and help, without an account', async () => {
    const apps = await ask('/apps');
    expect(apps.statusCode).toBe(200);
    expect(apps.body).toContain(`<p class="address" dir="ltr">${world.server.context.server.externalUrl}</p>`);
    expect(apps.body).toContain('aria-label="A code that opens this page on a phone"');
    expect(apps.body).toContain('the operator of the server must set ROOST_EXTERNAL_URL');
    const help = await ask('/help/');
    expect(help.statusCode).toBe(200);
    for (const [, href = ''] of [...apps.body, ...help.body].join('').matchAll(/<a [^>]*href="([^"]+)"/g))
      expect((await ask(href, { accept: '*/*' })).statusCode, href).toBeLessThan(400);
  });
});

describe('a code to scan', () => {
  const pathOf = async (address: string) =>
    /<path d="([^"]+)"/.exec(String(await qrCode(address, 'A code')))?.[1] ?? '';

  it('is drawn for each address, with quiet ground around it', async () => {
    const svg = String(await qrCode('https://chat.example.org/apps/', 'A <code>'));
    expect(svg).toContain('role="img" aria-label="A &lt;code&gt;"');
    const side = Number(/viewBox="0 0 (\d+) /.exec(svg)?.[1]);
    const places = [...(await pathOf('https://chat.example.org/apps/')).matchAll(/M(\d+) (\d+)/g)];
    const numbers = places.flatMap(([, x, y]) => [Number(x), Number(y)]);
    expect([Math.min(...numbers), Math.max(...numbers)]).toEqual([4, side - 5]);
    expect(await pathOf('https://chat.example.org/apps/')).not.toBe(await pathOf('https://chat.example.com/apps/'));
  });
});
