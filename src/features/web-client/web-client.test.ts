import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Visitor } from '../../../test/support/browser-client.ts';
import { databases } from '../../../test/support/databases.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

const OWNER = { username: 'owner@roost.test', password: 'roost-demo-password' };

describe.each(databases)('the web client, as it is served on %s', (database) => {
  let world: World;
  let olive: Visitor;
  beforeAll(async () => {
    world = await openWorld(database, { mode: 'production' });
    olive = new Visitor(world.server);
    await olive.get('/login/');
    await olive.post('/login/', OWNER);
  });
  afterAll(() => world.close());

  const fetched = (url: string, encoding = '') =>
    world.server.listener.inject({ method: 'GET', url, headers: { 'accept-encoding': encoding } });
  const scriptOf = (text: string) => /<script type="module" src="([^"]+)">/.exec(text)?.[1] ?? '';

  it('is the page at / of people who are logged in, never cached, under a policy without exceptions', async () => {
    const { status, text, headers } = await olive.get('/');
    expect(status).toBe(200);
    expect(text).toMatch(
      /<div id="app"><svg class="waiting"[^]*Roost Test<\/text><\/svg><\/div>\n<link rel="stylesheet"/,
    );
    expect(text).toContain(`name="account" content="${world.realm.id}-${world.olive.userId}"`);
    expect(headers['cache-control']).toBe('no-store');
    const policy = String(headers['content-security-policy']);
    for (const part of ["script-src 'self';", "style-src 'self';", "frame-ancestors 'none'"])
      expect(policy).toContain(part);
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).not.toContain('unsafe');
    expect(text).not.toMatch(/<script(?![^>]* src=)|<style| style=| on\w+=/);
  });

  it('has an icon, and says how to install it as an app', async () => {
    const { text } = await olive.get('/');
    const icon = /<link rel="icon" href="([^"]+)"/.exec(text)?.[1] ?? '';
    for (const path of [icon, '/favicon.ico']) {
      const { statusCode, headers, body } = await fetched(path);
      expect([statusCode, headers['content-type']]).toEqual([200, 'image/svg+xml']);
      expect(body).toMatch(/^<svg /);
    }
    const manifest = await fetched(/<link rel="manifest" href="([^"]+)"/.exec(text)?.[1] ?? '');
    expect(manifest.headers['content-type']).toBe('application/manifest+json');
    expect(manifest.json()).toMatchObject({ name: 'Roost Test', start_url: '/', icons: [{ src: icon }] });
    expect((await new Visitor(world.server).get('/login/')).text).toContain(`<link rel="icon" href="${icon}"`);
  });

  it('says without scripts, in the language of who is logged in, what it needs', async () => {
    const without = async () =>
      /<noscript><div class="page">([^]*)<\/noscript>/.exec((await olive.get('/')).text)?.[1] ?? '';
    expect(await without()).toContain('This page needs JavaScript');
    await world.olive.patch('/settings', { default_language: 'de' });
    const german = await without();
    await world.olive.patch('/settings', { default_language: 'en' });
    expect(german).toContain('Diese Seite braucht JavaScript');
    expect(german).toContain('Du bist als <strong>owner@roost.test</strong> angemeldet.');
    expect(german).toContain('>Abmelden</a>');
    expect(german).not.toMatch(/You|This|Log out/);
    // With the look of the pages that the server renders, and only there.
    const { text } = await olive.get('/');
    const [, style = ''] = /<noscript><link rel="stylesheet" href="([^"]+)"><\/noscript>/.exec(text) ?? [];
    expect((await fetched(style)).body).toContain('.page .panel');
  });

  it('gives the token with which a session may change things', async () => {
    const token = /name="csrf-token" content="(\w+)"/.exec((await olive.get('/')).text)?.[1] ?? '';
    const send = (csrf: string) =>
      world.server.listener.inject({
        method: 'POST',
        url: '/api/v1/messages',
        headers: {
          cookie: [...olive.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
          'content-type': 'application/x-www-form-urlencoded',
          'x-csrftoken': csrf,
        },
        payload: new URLSearchParams({ type: 'direct', to: `[${world.max.userId}]`, content: 'hi' }).toString(),
      });
    expect((await send('')).statusCode).toBe(403);
    expect((await send(token)).json()).toMatchObject({ result: 'success' });
  });

  it('is for others the log-in page, unless channels are open to the web', async () => {
    const stranger = new Visitor(world.server);
    expect(await stranger.get('/')).toMatchObject({ status: 303, location: '/login/' });
    await world.olive.patch('/realm', { enable_spectator_access: true });
    // Nothing is open to the web yet.
    expect((await stranger.get('/')).location).toBe('/login/');
    const open = { subscriptions: [{ name: 'open' }], is_web_public: true };
    await world.olive.post('/users/me/subscriptions', open);
    const { status, text } = await stranger.get('/');
    await world.olive.patch('/realm', { enable_spectator_access: false });
    expect(status).toBe(200);
    expect(text).not.toMatch(/csrf-token|name="account"/);
  });

  it('has a service worker at the root, looked at anew each time, which may speak to this server alone', async () => {
    const { statusCode, headers, body } = await fetched('/sw.js');
    expect(statusCode).toBe(200);
    expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(headers['cache-control']).toBe('no-cache');
    expect(headers['content-security-policy']).toBe("default-src 'none'; connect-src 'self'");
    // One file: what it imported would have to be allowed and kept, too.
    expect(body).not.toMatch(/\bimport\b|importScripts/);
  });

  it('serves its files for ever, compressed as the browser takes it', async () => {
    const path = scriptOf((await olive.get('/')).text);
    const plain = await fetched(path);
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(plain.headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(plain.headers['content-encoding']).toBeUndefined();
    const small = await fetched(path, 'gzip, deflate, br');
    expect(small.headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(small.rawPayload)).toEqual(plain.rawPayload);
    const older = await fetched(path, 'gzip, br;q=0');
    expect(older.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(older.rawPayload)).toEqual(plain.rawPayload);
    expect(small.headers['vary']).toBe('Accept-Encoding');
  });

  it.each(['manifest.json', '..%2fmain.js', 'main.js', '%00', 'constructor', `${'x'.repeat(5000)}`])(
    'does not have a file %s',
    async (name) => {
      expect((await fetched(`/web/${name}`)).statusCode).toBe(404);
    },
  );
});
