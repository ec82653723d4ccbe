import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Body, Client } from '../../../test/support/client.ts';
import { databases } from '../../../test/support/databases.ts';
import { type Internet, openInternet } from '../../../test/support/internet.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

const NAMES = { 'inside.test': ['10.0.0.7'], 'loop.test': ['127.0.0.1'] };
const head = '<title>Fallback</title><meta property="og:title" content="A &lt;b&gt;title"><meta property="og:';

const LETTERS = '<meta property="og:image" content="/cat.jpg"><meta property="og:title" content="';

type Answers = Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => void>>;
const html =
  (body: string | Buffer, type = 'text/html; charset=utf-8') =>
  (_: IncomingMessage, response: ServerResponse) => {
    response.writeHead(200, { 'content-type': type }).end(body);
  };
const ANSWERS: Answers = {
  '/card': html(`${head}image" content="/cat.jpg">`),
  '/described': html(`${head}image" content="/cat.jpg"><meta name="description" content="about cats">`),
  '/plain': html('<title>no picture</title>'),
  '/text': html(`${head}image" content="/cat.jpg">`, 'text/plain'),
  '/endless': (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.write(`${head}image" content="/cat.jpg">`);
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
    };
    response.on('drain', more);
    more();
  },
  '/inside': (_, response) => response.writeHead(302, { location: 'http://inside.test/card' }).end(),
  '/packed': (_, response) =>
    response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' }).end(),
  '/bomb': (_, response) =>
    response
      .writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' })
      .end(gzipSync(`${head}image" content="/cat.jpg">${'x'.repeat(64 * 2 ** 20)}`)),
  '/gigabyte': (_, response) =>
    response.writeHead(200, { 'content-type': 'text/html', 'content-length': 2 ** 30 }).end(),
  '/round': (_, response) => response.writeHead(302, { location: '/round' }).end(),
  '/to': (_, response) => response.writeHead(302, { location: '/fro' }).end(),
  '/fro': (_, response) => response.writeHead(302, { location: '/to' }).end(),
  '/cut': (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'content-length': 5000 });
    response.write(`${head}image" content="/cat.jpg">`, () => response.destroy());
  },
  '/latin': html(Buffer.from(`${LETTERS}caf\xe9">`, 'latin1'), 'text/html; charset=iso-8859-1'),
  '/said-inside': html(Buffer.from(`<meta charset="windows-1252">${LETTERS}caf\xe9">`, 'latin1'), 'text/html'),
  '/unknown': html(`${LETTERS}café">`, 'text/html; charset=x-none'),
  '/wrong': html(Buffer.from(`${LETTERS}caf\xe9">`, 'latin1'), 'text/html; charset=utf-8'),
  '/utf-16': html(Buffer.from(`${LETTERS}café">`, 'utf16le'), 'text/html; charset=utf-16le'),
};

/** Pages that begin and do not go on. */
const SLOW: Answers = {
  '/silent': () => undefined,
  '/drop': (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).write('<title>'),
};

describe.each(databases)('websites in messages on %s', (database) => {
  let world: World;
  let internet: Internet;
  beforeAll(async () => {
    internet = await openInternet((request, response) => {
      const answer = { ...ANSWERS, ...SLOW }[request.url ?? ''];
      if (answer) answer(request, response);
      else response.writeHead(404).end();
    }, NAMES);
    world = await openWorld(database, { network: internet.network });
    const { max, mia } = world;
    const principals = [max.userId, mia.userId];
    await max.post('/users/me/subscriptions', { subscriptions: [{ name: 'open' }], principals });
  });
  beforeEach(async () => {
    await world.adam.patch('/realm', { inline_url_embed_preview: true });
    await finishJobs();
    internet.requests.splice(0);
  });
  afterAll(async () => {
    await world.close();
    await internet.close();
  });

  const finishJobs = async () => {
    const { context } = world.server;
    context.jobs.start(context);
    context.jobs.wake();
    await context.jobs.idle();
  };
  const send = async (who: Client, content: string): Promise<number> =>
    (await who.post('/messages', { type: 'channel', to: 'open', topic: 'pages', content }))['id'];
  const shown = async (id: number): Promise<string> =>
    (await world.max.get(`/messages/${id}`, { apply_markdown: true }))['message']['content'];
  const link = (url: string) => `<p><a href="${url}">${url}</a></p>`;
  const card = (url: string, image: string, more = '') =>
    `<div class="message_embed"><a class="message_embed_image" href="${url}" style="background-image: url(&quot;${image}&quot;)"></a>` +
    `<div class="data-container"><div class="message_embed_title"><a href="${url}" title="A &lt;b&gt;title">A &lt;b&gt;title</a></div>` +
    `${more}</div></div>`;
  const proxied = (text: string) => /\/external_content\/[0-9a-f]+\/[0-9a-f]+/.exec(text)?.[0] ?? '';

  it('are shown once they have been looked at, which everybody is told of (protocol/markdown#website-cards)', async () => {
    const url = 'http://site.test/described';
    const queue = await world.mia.register({ event_types: ['update_message'] });
    const id = await send(world.max, `see ${url} and ${url}`);
    await finishJobs();
    const text = await shown(id);
    const image = proxied(text);
    const description = '<div class="message_embed_description">about cats</div>';
    expect(text.endsWith(card(url, image, description))).toBe(true);
    expect(Buffer.from(image.split('/').at(-1) ?? '', 'hex').toString()).toBe('http://site.test/cat.jpg');
    expect(await queue.events()).toMatchObject([
      { user_id: null, rendering_only: true, message_ids: [id], rendered_content: text, is_me_message: false },
    ]);
    expect(internet.requests).toEqual(['site.test /described']);
    await send(world.mia, url);
    await finishJobs();
    expect(internet.requests).toHaveLength(1);
    world.clock.advance(25 * 60 * 60 * 1000);
    await send(world.mia, url);
    await finishJobs();
    expect(internet.requests).toHaveLength(2);
  });

  it('are not looked at unless the organization wants it, nor for bots, code and quotes', async () => {
    await world.adam.patch('/realm', { inline_url_embed_preview: false });
    await send(world.max, 'http://off.test/card');
    await world.adam.patch('/realm', { inline_url_embed_preview: true });
    const bot = await world.user({ is_bot: true, bot_type: 1, full_name: 'Bot' });
    await bot.post('/messages', { type: 'direct', to: [world.max.userId], content: 'http://bot.test/card' });
    await send(world.max, '`http://code.test/card`');
    await send(world.max, '> http://quote.test/card');
    await send(world.max, `${'x'.repeat(10)} http://localhost:9991/card`);
    await finishJobs();
    expect(internet.requests).toEqual([]);
  });

  it.each([
    'http://inside.test/card',
    'http://loop.test/card',
    'http://127.0.0.1/card',
    'http://[::1]/card',
    'http://0x7f000001/card',
    'http://169.254.169.254/latest/meta-data',
    'http://site.test:22/card',
    'http://localhost:9992/card',
  ])('never lead inside: %s (security, server-side requests)', async (url) => {
    const id = await send(world.max, `[x](${url})`);
    await finishJobs();
    expect(internet.requests).toEqual([]);
    expect(await shown(id)).not.toContain('message_embed');
  });

  it.each(['plain', 'text', 'missing', 'inside', 'packed'])('have no card for /%s', async (path) => {
    const id = await send(world.max, `http://odd.test/${path}`);
    await finishJobs();
    expect(internet.requests).toEqual([`odd.test /${path}`]);
    expect(await shown(id)).toBe(link(`http://odd.test/${path}`));
  });

  it.each(['bomb', 'gigabyte', 'cut'])('have no card for a reply that is no page: /%s', async (path) => {
    const id = await send(world.max, `http://bad.test/${path}`);
    await finishJobs();
    expect(internet.requests).toEqual([`bad.test /${path}`]);
    expect(await shown(id)).toBe(link(`http://bad.test/${path}`));
  });

  it.each(['round', 'to'])('are followed five times, and not for ever: /%s', async (path) => {
    const id = await send(world.max, `http://circle.test/${path}`);
    await finishJobs();
    expect(internet.requests).toHaveLength(6);
    expect(await shown(id)).toBe(link(`http://circle.test/${path}`));
  });

  it.each(Object.keys(SLOW))('are waited for eight seconds: %s', async (path) => {
    const id = await send(world.max, `http://slow.test${path}`);
    const finished = finishJobs();
    while (internet.requests.length === 0) await new Promise(setImmediate);
    world.clock.advance(9000);
    await finished;
    expect(await shown(id)).toBe(link(`http://slow.test${path}`));
  });

  it.each([
    ['latin', 'café'],
    ['said-inside', 'café'],
    ['unknown', 'café'],
    ['wrong', 'caf\ufffd'],
    ['utf-16', 'café'],
  ])('are read in the encoding that they name, and without one that nobody knows: /%s', async (path, title) => {
    const id = await send(world.max, `http://letters.test/${path}`);
    await finishJobs();
    expect(await shown(id)).toContain(`title="${title}"`);
  });

  it('are read no further than their beginning', async () => {
    const id = await send(world.max, 'http://long.test/endless');
    await finishJobs();
    expect(await shown(id)).toContain('message_embed');
  });

  it('follow an edit, and do not undo one', async () => {
    const { max } = world;
    const id = await send(max, 'http://first.test/card');
    await max.patch(`/messages/${id}`, { content: 'http://second.test/card' });
    await finishJobs();
    const text = await shown(id);
    expect(text).toContain('href="http://second.test/card" style');
    expect(text).not.toContain('first.test');
    await max.patch(`/messages/${id}`, { content: 'nothing' });
    await finishJobs();
    expect(await shown(id)).toBe('<p>nothing</p>');
    const gone = await send(max, 'http://gone.test/card');
    await world.adam.delete(`/messages/${gone}`);
    await finishJobs();
  });

  it('are looked at side by side, at most 24 for one message', async () => {
    const urls = (count: number) => Array.from({ length: count }, (_, index) => `http://n${index}.test/card`);
    const id = await send(world.max, urls(24).join(' '));
    await finishJobs();
    expect((await shown(id)).match(/class="message_embed"/g)).toHaveLength(24);
    internet.requests.splice(0);
    await send(world.max, urls(25).join(' '));
    await finishJobs();
    expect(internet.requests).toEqual([]);
  });
});

describe('pictures of other hosts', () => {
  let world: World;
  let internet: Internet;
  const hanging: ServerResponse[] = [];
  const types: Body = { '/a.png': 'image/png', '/b.png': 'text/html', '/c.png': 'image/svg+xml' };
  beforeAll(async () => {
    internet = await openInternet((request, response) => {
      const type = types[request.url ?? ''];
      if (request.url === '/hanging.png') hanging.push(response);
      else if (type === undefined) response.writeHead(404).end();
      else if (request.headers.range === undefined) response.writeHead(200, { 'content-type': type }).end('picture');
      else response.writeHead(206, { 'content-type': type, 'content-range': 'bytes 0-3/7' }).end('pict');
    }, NAMES);
    world = await openWorld('sqlite', { network: internet.network });
  });
  afterAll(async () => {
    await world.close();
    await internet.close();
  });

  const sourceOf = async (url: string): Promise<string> => {
    const { rendered } = await world.max.post('/messages/render', { content: url });
    return /src="([^"]*)"/.exec(rendered)?.[1] ?? '';
  };

  it('come by way of us, as they are (protocol/markdown#addresses-and-safety)', async () => {
    const source = await sourceOf('http://site.test/a.png');
    expect(source).toMatch(/^\/external_content\/[0-9a-f]{40}\/[0-9a-f]+$/);
    const reply = await world.spectator.fetch(source);
    expect([reply.statusCode, reply.body]).toEqual([200, 'picture']);
    expect(reply.headers).toMatchObject({ 'content-type': 'image/png', 'x-content-type-options': 'nosniff' });
    expect(reply.headers['content-security-policy']).toContain('sandbox');
    const part = await world.spectator.fetch(source, { headers: { range: 'bytes=0-3' } });
    expect([part.statusCode, part.body, part.headers['content-range']]).toEqual([206, 'pict', 'bytes 0-3/7']);
  });

  it('are not fetched from addresses that no message of ours names', async () => {
    const source = await sourceOf('http://site.test/a.png');
    const before = internet.requests.length;
    const other = Buffer.from('http://site.test/b.png').toString('hex');
    const forged = [source.replace(/\/[0-9a-f]+$/, `/${other}`), source.replace(/t\/./, 't/g'), `${source}00`];
    for (const url of [...forged, '/external_content/', '/external_content/x/y'])
      expect((await world.spectator.fetch(url)).statusCode).toBe(403);
    expect(internet.requests).toHaveLength(before);
  });

  it.each(['b', 'c', 'd'])('are nothing but pictures: /%s.png', async (name) => {
    expect((await world.spectator.fetch(await sourceOf(`http://site.test/${name}.png`))).statusCode).toBe(404);
  });

  it('come from one host a few at a time, to one network fewer, and the others wait for a while', async () => {
    const before = internet.requests.length;
    const source = await sourceOf('http://slow.test/hanging.png');
    const asked = Array.from({ length: 40 }, () => world.spectator.fetch(source));
    await expect.poll(() => internet.requests.length).toBeGreaterThanOrEqual(before + 12);
    const other = await world.spectator.fetch(await sourceOf('http://quick.test/a.png'));
    expect(other.statusCode).toBe(200);
    const elsewhere = world.server.listener.inject({ method: 'GET', url: source, remoteAddress: '203.0.113.7' });
    await expect.poll(() => internet.requests).toHaveLength(before + 14);
    world.clock.advance(10_001);
    const refused = await Promise.all(asked.slice(12));
    expect(refused.map(({ statusCode }) => statusCode)).toEqual(refused.map(() => 503));
    for (const response of hanging.splice(0)) response.writeHead(200, { 'content-type': 'image/png' }).end('late');
    const late = await Promise.all([...asked.slice(0, 12), elsewhere]);
    expect(late.map(({ body }) => body)).toEqual(Array(13).fill('late'));
    expect(internet.requests).toHaveLength(before + 14);
    // All places are given back.
    const again = await Promise.all(
      asked.map(async () => world.spectator.fetch(await sourceOf('http://site.test/a.png'))),
    );
    expect(again.map(({ statusCode }) => statusCode)).toEqual(again.map(() => 200));
  });

  it('are not asked for again within a minute where there are none', async () => {
    const source = await sourceOf('http://site.test/none.png');
    const before = internet.requests.length;
    const ask = async (headers = {}) => (await world.spectator.fetch(source, { headers })).statusCode;
    // A part may be refused by what a reader asks for.
    expect([await ask({ range: 'bytes=9-' }), await ask(), await ask(), await ask()]).toEqual([404, 404, 404, 404]);
    expect(internet.requests).toHaveLength(before + 2);
    world.clock.advance(60_001);
    expect([await ask(), internet.requests.length]).toEqual([404, before + 3]);
  });

  it('are not fetched from inside', async () => {
    const before = internet.requests.length;
    for (const host of ['inside.test', 'loop.test', '127.0.0.1', '[::1]'])
      expect((await world.spectator.fetch(await sourceOf(`[x](http://${host}/a.png)`))).statusCode).toBe(404);
    expect(internet.requests).toHaveLength(before);
  });
});
