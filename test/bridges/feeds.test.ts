import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openSide, programs, type Side, start } from './bridge.ts';

const item = (id: string, title: string, more = '') =>
  `<item><guid>${id}</guid><title>${title}</title><link>/news/${id}</link>${more}</item>`;
const rss = (...items: readonly string[]) =>
  `<?xml version="1.0"?><rss version="2.0"><channel><title>Tide news</title>${items.join('')}</channel></rss>`;
const ATOM = `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>Boats</title>
<entry><id>b</id><title type="html">&lt;b&gt;Second&lt;/b&gt; boat</title><link rel="self" href="/self"/><link href="https://boats.example/2"/><summary>It floats.</summary></entry>
<entry><id>a</id><title>First boat</title><link href="https://boats.example/1"/></entry></feed>`;
const LAUGHS = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>
<rss version="2.0"><channel><title>&b;</title>${item('l', 'laughs')}</channel></rss>`;
const FILE = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]>
<rss version="2.0"><channel><title>x</title>${item('f', '&f;')}</channel></rss>`;

type Serving = (response: ServerResponse, request: IncomingMessage) => void;

describe.skipIf(!programs)('feeds (docs/bridges.md)', () => {
  let side: Side;
  let web: Server;
  let origin: string;
  let serving: Serving;
  let runs = 0;
  let state: string;
  beforeAll(async () => {
    side = await openSide('harbour');
    web = createServer((request, response) => serving(response, request));
    await once(web.listen(0, '127.0.0.1'), 'listening');
    origin = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    state = join(side.folder, `feeds-${++runs}.json`);
  });
  afterAll(async () => {
    web.closeAllConnections();
    web.close();
    await side.close();
  });

  /** Runs the recipe once; what it posted meanwhile, and what it wrote. */
  async function run(serve: Serving | string, paths = ['/feed']) {
    const before = (await side.messages()).length;
    serving = typeof serve === 'string' ? (response) => response.end(serve) : serve;
    const place = ['--zuliprc', side.zuliprc, '--channel', 'harbour', '--state', state, '--every', '0'];
    const recipe = start(['feeds.py', ...place, ...paths.map((path) => origin + path)]);
    await recipe.end();
    const posted = (await side.messages()).slice(before);
    return { posted: posted.map(({ subject, content }) => [subject, content]), output: recipe.output() };
  }

  it('post what is new, the oldest first and once, and of a new feed nothing', async () => {
    expect((await run(rss(item('1', 'Old')))).posted).toEqual([]);
    const news = rss(item('3', 'Spring'), item('2', 'Neap'), item('1', 'Old'));
    expect((await run(news)).posted).toEqual([
      ['Tide news', `**[Neap](${origin}/news/2)**`],
      ['Tide news', `**[Spring](${origin}/news/3)**`],
    ]);
    expect((await run(news)).posted).toEqual([]);
  });

  it('read Atom, and escape what the feed says', async () => {
    await run('<feed xmlns="http://www.w3.org/2005/Atom"><title>Boats</title></feed>');
    expect((await run(ATOM)).posted).toEqual([
      ['Boats', '**[First boat](https://boats.example/1)**'],
      ['Boats', '**[Second boat](https://boats.example/2)**\n\nIt floats.'],
    ]);
    const evil = item('e', '@**all** [x](https://evil.example) `', '<description>&lt;script&gt;@**all**</description>');
    const [[, content] = []] = (await run(rss(evil))).posted;
    expect(content).not.toMatch(/@\*|\]\(https:\/\/evil|<script|`/);
  });

  it('ask only whether something has changed, by ETag and time', async () => {
    const asked: unknown[] = [];
    const serve: Serving = (response, { headers }) => {
      asked.push([headers['if-none-match'], headers['if-modified-since']]);
      if (headers['if-none-match'] === '"v1"') response.writeHead(304).end();
      else
        response
          .writeHead(200, { etag: '"v1"', 'last-modified': 'Sun, 22 Nov 2026 10:00:00 GMT' })
          .end(rss(item('1', 'Old')));
    };
    await run(serve);
    expect((await run(serve)).output).not.toContain('WARNING');
    expect(asked).toEqual([
      [undefined, undefined],
      ['"v1"', 'Sun, 22 Nov 2026 10:00:00 GMT'],
    ]);
  });

  it.each([
    ['entities that grow', LAUGHS],
    ['entities of files', FILE],
    ['no XML', '<html><p>Sorry'],
    ['another document', '<?xml version="1.0"?><svg/>'],
    ['an error', (response: ServerResponse) => response.writeHead(500).end()],
    [
      'more than anybody reads',
      (response: ServerResponse) => {
        const more = () => {
          while (!response.destroyed && response.write('<x>'.repeat(20_000)));
        };
        response.on('drain', more).writeHead(200);
        more();
      },
    ],
  ] as const)('say what is wrong with %s, and go on with the next feed', async (_what, hostile) => {
    const good = (text: string) => (response: ServerResponse, request: IncomingMessage) => {
      if (request.url !== '/bad') response.end(text);
      else if (typeof hostile === 'string') response.end(hostile);
      else hostile(response);
    };
    await run(good(rss()), ['/good']);
    const { posted, output } = await run(good(rss(item('9', 'Good'))), ['/bad', '/good']);
    expect(posted).toEqual([['Tide news', `**[Good](${origin}/news/9)**`]]);
    expect(output).toContain(`WARNING:feeds:${origin}/bad: `);
    expect(output).not.toContain('root:');
  });
});
