import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Body, Client } from '../../../test/support/client.ts';
import { plain } from '../../../test/support/pictures.ts';
import { openFileStore, places } from '../../../test/support/places.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { setRealmSettings } from '#features/realms';
import { FilesAway } from '#kernel/files';

describe.each(places)('downloads on $database with files in $files', (place) => {
  let world: World;
  let files: Awaited<ReturnType<typeof openFileStore>>;
  beforeAll(async () => {
    files = await openFileStore(place);
    world = await openWorld(place.database, { environment: files.environment });
    const { max, mia, gus } = world;
    await max.post('/users/me/subscriptions', { subscriptions: [{ name: 'open' }] });
    await max.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'closed' }],
      invite_only: true,
      principals: [max.userId, mia.userId, gus.userId],
    });
  });
  afterAll(async () => {
    await world.close();
    await files.stop();
  });

  const link = (upload: Body) => `[${upload['filename']}](${upload['url']})`;
  const posts = (client: Client, channel: string, ...files: Body[]) =>
    client.post('/messages', { type: 'channel', to: channel, topic: 'files', content: files.map(link).join(' ') });
  const statuses = async (url: string, ...clients: Client[]) =>
    Promise.all(clients.map(async (client) => (await client.fetch(url)).statusCode));

  it('gives a file to its owner alone until it is shared', async () => {
    const { max, mia, olive } = world;
    const { url } = await max.upload('secret.txt', 'for me', 'text/plain');
    expect((await max.fetch(url)).body).toBe('for me');
    expect(await statuses(url, mia, olive)).toEqual([403, 403]);
    expect((await mia.fetch(url)).body).toBe('<p>You are not authorized to view this file.</p>');
    const anonymous = await world.spectator.fetch(url);
    expect(anonymous.statusCode).toBe(302);
    expect(anonymous.headers['location']).toBe(`/login/?next=${encodeURIComponent(url)}`);
  });

  it('gives nothing in the place of a file: of another length, or cut off with a line in the log', async () => {
    const { files: opened, log } = world.server.context;
    const { url } = await world.max.upload('whole.txt', 'for me', 'text/plain');
    const stream = Readable.from(['no']);
    const open = vi.spyOn(opened, 'open').mockResolvedValueOnce({ size: 2, start: 0, length: 2, stream });
    const warn = vi.spyOn(log, 'warn');
    try {
      expect((await world.max.fetch(url)).statusCode).toBe(503);
      expect(stream.destroyed).toBe(true);
      warn.mockClear();
      const broken = async function* () {
        yield 'for';
        throw new FilesAway(new Error('it broke off'));
      };
      open.mockResolvedValueOnce({ size: 6, start: 0, length: 6, stream: Readable.from(broken()) });
      await expect(world.max.fetch(url)).rejects.toThrow();
      expect(warn.mock.calls.map(([, said]) => said)).toEqual(['a file broke off']);
      expect((await world.max.fetch(url)).body).toBe('for me');
    } finally {
      vi.restoreAllMocks();
    }
  });

  it('takes an API key in the query, for files and pictures of people, and never repeats it (protocol/files#fetching)', async () => {
    const { max, mia, spectator } = world;
    const { url } = await max.upload('mine.txt', 'for me', 'text/plain');
    const fetch = async (path: string, key: string) => {
      const { statusCode, body, headers } = await spectator.fetch(`${path}?api_key=${key}&v=2`);
      return { statusCode, body, location: headers['location'] };
    };
    expect(await fetch(url, max.apiKey)).toMatchObject({ statusCode: 200, body: 'for me' });
    expect(await fetch(url.replace('/user_uploads', '/user_uploads/download'), max.apiKey)).toMatchObject({
      statusCode: 200,
    });
    expect((await fetch(url, mia.apiKey)).statusCode).toBe(403);
    for (const [key, msg] of [
      ['x', 'Malformed API key'],
      ['', 'Malformed API key'],
      ['A'.repeat(32), 'Invalid API key'],
    ] as const) {
      const refused = await fetch(url, key);
      expect([refused.statusCode, JSON.parse(refused.body)]).toMatchObject([401, { code: 'INVALID_API_KEY', msg }]);
    }
    // Somebody new, and a key that is renewed.
    const nina = await world.user({ full_name: 'Nina New' });
    expect((await fetch(url, nina.apiKey)).statusCode).toBe(403);
    const renewed = await nina.post('/users/me/api_key/regenerate');
    expect((await fetch(url, nina.apiKey)).statusCode).toBe(401);
    expect((await fetch(url, renewed['api_key'])).statusCode).toBe(403);
    // A picture of somebody is a redirect, perhaps to another site.
    const { statusCode, location } = await fetch(`/avatar/${mia.userId}`, max.apiKey);
    expect(statusCode).toBe(302);
    expect(location).toMatch(/[?&]v=2$/);
    expect(location).not.toContain(max.apiKey);
    // Other pages take none: here its bearer is nobody.
    const other = await spectator.fetch(`/api/v1/tus/?api_key=${max.apiKey}`, { method: 'POST' });
    expect(other.statusCode).toBe(401);
  });

  it('leads to the log-in page without the key that was sent (protocol/files#fetching)', async () => {
    const { url } = await world.max.upload('mine.txt', 'for me', 'text/plain');
    const { headers } = await world.spectator.fetch(`${url}?v=2`);
    expect(headers['location']).toBe(`/login/?next=${encodeURIComponent(`${url}?v=2`)}`);
  });

  it('shares a file with everybody who may read a message that links it', async () => {
    const { max, mia, mona, gus, olive } = world;
    const [open, closed, direct] = [await max.upload('open'), await max.upload('closed'), await max.upload('direct')];
    await posts(max, 'open', open);
    await posts(max, 'closed', closed);
    await max.post('/messages', { type: 'direct', to: [mia.userId], content: link(direct) });
    expect(await statuses(open['url'], mia, mona, gus)).toEqual([200, 200, 403]);
    expect(await statuses(closed['url'], mia, gus, mona, olive)).toEqual([200, 200, 403, 403]);
    expect(await statuses(direct['url'], mia, mona)).toEqual([200, 403]);
  });

  it('closes a file at once when its last message is deleted, and removes its bytes', async () => {
    const { olive, mia, server } = world;
    const upload = await olive.upload('gone soon');
    const ids = [await posts(olive, 'open', upload), await posts(olive, 'open', upload)].map(({ id }) => id);
    await olive.delete(`/messages/${ids[0]}`);
    expect(await statuses(upload['url'], olive, mia)).toEqual([200, 200]);
    await olive.delete(`/messages/${ids[1]}`);
    expect(await statuses(upload['url'], olive, mia)).toEqual([404, 404]);
    server.context.jobs.start(server.context);
    await server.context.jobs.idle();
    expect(await server.context.files.size(`uploads/${upload['url'].slice('/user_uploads/'.length)}`)).toBeUndefined();
  });

  it('does not let somebody share what they may not open', async () => {
    const { max, mona, mia } = world;
    const secret = await max.upload('plans.txt');
    await posts(max, 'closed', secret);
    await posts(mona, 'open', secret);
    expect(await statuses(secret['url'], mona, max, mia)).toEqual([403, 200, 200]);
    await mia.post('/messages', { type: 'direct', to: [mona.userId], content: link(secret) });
    expect(await statuses(secret['url'], mona)).toEqual([200]);
  });

  it('shows files of web-public channels to spectators where they are let in', async () => {
    const { server, realm, spectator, max } = world;
    const [shown, hidden] = [await max.upload('shown'), await max.upload('hidden')];
    await posts(max, 'open', hidden);
    await server.context.store.in(realm).write((tx) => setRealmSettings(tx, { enable_spectator_access: true }));
    await max.post('/users/me/subscriptions', { subscriptions: [{ name: 'window' }] });
    await posts(max, 'window', shown);
    await makeWebPublic('window');
    expect(await statuses(shown['url'], spectator)).toEqual([200]);
    expect(await statuses(hidden['url'], spectator)).toEqual([302]);
    expect(await statuses(shown['url'], world.gus)).toEqual([200]);
    await server.context.store.in(realm).write((tx) => setRealmSettings(tx, { enable_spectator_access: false }));
    expect(await statuses(shown['url'], spectator)).toEqual([302]);
  });

  it('tells what is gone from what is closed, as pages or as pictures', async () => {
    const { max, mia } = world;
    const { url } = await max.upload('a.png', 'x', 'image/png');
    const missing = `/user_uploads/${world.realm.id}/4e/${'A'.repeat(24)}/a.png`;
    const page = await max.fetch(missing, { headers: { accept: 'text/html,*/*;q=0.8' } });
    expect(page).toMatchObject({ statusCode: 404, body: '<p>This file does not exist or has been deleted.</p>' });
    const accept = 'image/avif,image/webp,image/*,*/*;q=0.8';
    for (const [client, at, status] of [[max, missing, 404] as const, [mia, url, 403] as const]) {
      const picture = await client.fetch(at, { headers: { accept } });
      expect(picture.statusCode).toBe(status);
      expect(picture.headers['content-type']).toBe('image/png');
      expect(picture.rawPayload.subarray(1, 4).toString()).toBe('PNG');
    }
    expect(await statuses('/user_uploads/999/4e/AAAAAAAAAAAAAAAAAAAAAAAA/a.png', max)).toEqual([403]);
  });

  it.each(['..%2f..%2fsecret', '%00', '..', '%2e%2e/%2e%2e/secret', '/etc/passwd', 'C:%5Cwindows', '%ff'])(
    'opens nothing outside for the path %s',
    async (path) => {
      const { realm, max } = world;
      for (const start of ['', 'download/', 'thumbnail/', 'temporary/']) {
        const { statusCode } = await max.fetch(`/user_uploads/${start}${realm.id}/${path}`);
        expect([400, 403, 404]).toContain(statusCode);
      }
      expect([404]).toContain((await max.fetch(`/thumbnail?url=user_uploads/${realm.id}/${path}`)).statusCode);
    },
  );

  it.each([
    ['page.html', 'text/html', 'attachment'],
    ['drawing.svg', 'image/svg+xml', 'attachment'],
    ['notes.txt', 'text/plain', 'attachment'],
    ['photo.png', 'image/png', 'inline'],
    ['paper.pdf', 'application/pdf', 'inline'],
    ['x.bin', 'text/html; charset=evil', 'attachment'],
  ])('delivers %s of type %s inertly', async (name, type, how) => {
    const { url } = await world.max.upload(name, '<script>alert(1)</script>', type);
    const { headers } = await world.max.fetch(url);
    expect(headers['content-disposition']).toBe(`${how}; filename="${name}"; filename*=UTF-8''${name}`);
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'private, immutable' });
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; .*; sandbox$/);
    const download = await world.max.fetch(url.replace('/user_uploads/', '/user_uploads/download/'));
    expect(download.headers['content-disposition']).toMatch(/^attachment; /);
  });

  it('lets a browser save a document that it would not show in its sandbox', async () => {
    const { url } = await world.max.upload('paper.pdf', 'content', 'application/pdf');
    for (const [dest, how] of [
      ['document', 'attachment'],
      ['iframe', 'attachment'],
      ['empty', 'inline'],
    ] as const) {
      const { headers } = await world.max.fetch(url, { headers: { 'sec-fetch-dest': dest } });
      expect(headers['content-disposition']).toMatch(new RegExp(`^${how}; `));
      expect(headers['vary']).toContain('Sec-Fetch-Dest');
    }
  });

  it('shortens names that no reader of headers would take, before their ending, also of earlier releases', async () => {
    const { url, filename } = await world.max.upload(`${'☃'.repeat(20_000)}.png`, 'x', 'image/png');
    expect(filename).toBe(`${'☃'.repeat(251)}.png`);
    const row = { name: `${'é'.repeat(20_000)}.png` };
    const header = async () => (await world.max.fetch(url)).headers['content-disposition'];
    expect((await header())?.length).toBeLessThan(3000);
    await world.server.context.store
      .of(world.realm.id)
      .write((tx) =>
        tx.db
          .updateTable('attachment')
          .set(row)
          .where('realm_id', '=', tx.realmId)
          .where('path_id', '=', url.slice('/user_uploads/'.length))
          .execute(),
      );
    expect(await header()).toMatch(/_\.png"; filename\*=UTF-8''(%C3%A9){251}\.png$/);
  });

  it('keeps names from becoming headers', async () => {
    const { url } = await world.max.upload('a%22%0d%0aSet-Cookie: x=1; ☃.png', 'x', 'image/png');
    const { headers } = await world.max.fetch(url);
    expect(headers['set-cookie']).toBeUndefined();
    expect(headers['content-disposition']).toBe(
      'inline; filename="a___Set-Cookie: x=1; _.png"; ' +
        "filename*=UTF-8''a%22%0D%0ASet-Cookie%3A%20x%3D1%3B%20%E2%98%83.png",
    );
  });

  it.each([
    ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
    ['bytes=7-', 206, '789', 'bytes 7-9/10'],
    ['bytes=-2', 206, '89', 'bytes 8-9/10'],
    ['bytes=5-99', 206, '56789', 'bytes 5-9/10'],
    ['bytes=10-', 416, '', 'bytes */10'],
    ['bytes=0-1,4-5', 200, '0123456789', undefined],
    ['bytes=4-2', 200, '0123456789', undefined],
    ['lines=1-2', 200, '0123456789', undefined],
  ])('answers the range %s', async (range, status, body, contentRange) => {
    const { url } = await world.max.upload('digits', '0123456789');
    const reply = await world.max.fetch(url, { headers: { range } });
    expect(reply).toMatchObject({ statusCode: status, body });
    expect(reply.headers['content-range']).toBe(contentRange);
    expect(Number(reply.headers['content-length'])).toBe(body.length);
  });

  it('answers HEAD without bytes, and 304 to who has the file', async () => {
    const { url } = await world.max.upload('digits', '0123456789');
    const head = await world.max.fetch(url, { method: 'HEAD' });
    expect(head).toMatchObject({ statusCode: 200, body: '' });
    expect(head.headers['content-length']).toBe('10');
    const etag = String(head.headers['etag']);
    for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, '*'])
      expect((await world.max.fetch(url, { headers: { 'if-none-match': tags } })).statusCode, tags).toBe(304);
    expect((await world.max.fetch(url, { headers: { 'if-none-match': '"other"' } })).statusCode).toBe(200);
    expect((await world.max.fetch(url, { headers: { range: 'bytes=0-0', 'if-range': etag } })).body).toBe('0');
    expect((await world.max.fetch(url, { headers: { range: 'bytes=0-0', 'if-range': '"old"' } })).statusCode).toBe(200);
  });

  it('gives an address that needs no login for a minute', async () => {
    const { max, mia, spectator, clock } = world;
    const upload = await max.upload('한글 name.txt', 'for a while');
    const { url } = await max.get(upload['url']);
    expect(url).toMatch(/^\/user_uploads\/temporary\/[\w.-]+\/[%\w.-]+$/);
    expect((await spectator.fetch(url)).body).toBe('for a while');
    expect((await spectator.fetch(`${url}x`)).json()).toMatchObject({ code: 'BAD_REQUEST', msg: 'Invalid filename' });
    const forged = url.replace(/temporary\/./, 'temporary/Z');
    expect((await spectator.fetch(forged)).json()).toMatchObject({ msg: 'Invalid token' });
    expect(await mia.refused('GET', upload['url'])).toMatchObject({
      status: 403,
      msg: 'You are not authorized to view this file.',
    });
    expect(await max.refused('GET', `${upload['url']}x`)).toMatchObject({ status: 404 });
    clock.advance(61_000);
    expect(await spectator.fetch(url)).toMatchObject({ statusCode: 400 });
  });

  it('serves thumbnails to those who may open the image', async () => {
    const { max, mia, server } = world;
    const upload = await max.upload('wide.jpg', await plain(1680, 560).jpeg().toBuffer(), 'image/jpeg');
    const status = `/thumbnail/status${upload['url'].slice('/user_uploads'.length)}`;
    expect(await max.get(status)).toMatchObject({ has_thumbnail: false });
    server.context.jobs.start(server.context);
    await server.context.jobs.idle();
    expect(await max.get(status)).toMatchObject({ has_thumbnail: true });
    const base = upload['url'].replace('/user_uploads/', '/user_uploads/thumbnail/');
    for (const form of ['840x560.webp', '300x200.webp', '840x560-anim.webp']) {
      const { statusCode, headers } = await max.fetch(`${base}/${form}`);
      expect([statusCode, headers['content-type']]).toEqual([200, 'image/webp']);
    }
    expect((await max.fetch(`${base}/huge`)).statusCode).toBe(404);
    expect((await mia.fetch(`${base}/840x560.webp`)).statusCode).toBe(403);
  });

  it('refuses wrong credentials instead of taking them for none', async () => {
    const { url } = await world.max.upload('a');
    const headers = { authorization: `Basic ${Buffer.from('member@roost.test:nonsense').toString('base64')}` };
    expect((await world.spectator.fetch(url, { headers })).statusCode).toBe(401);
  });

  async function makeWebPublic(name: string): Promise<void> {
    const { store } = world.server.context;
    await store.write(async (tx) => {
      await tx.db.updateTable('channel').set({ is_web_public: true }).where('name', '=', name).execute();
    });
  }
});
