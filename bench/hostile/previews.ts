import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AddressInfo } from 'node:net';
import type { Attack } from './attack.ts';

const MIB = 2 ** 20;
/** Milliseconds after a page was served within which it has been read and shown. */
const READING_MS = 700;
const PAGES: Readonly<Record<string, string>> = {
  tags: '<p>'.repeat((10 * MIB) / 3),
  attributes: '<p a b=c d="e" '.repeat((10 * MIB) / 15),
  quotes: `<meta content="`.repeat((10 * MIB) / 15),
  comments: '<!--'.repeat((10 * MIB) / 4),
  scripts: '<script>'.repeat((10 * MIB) / 8),
  title: `<title>${'&#x41; &lt; '.repeat(20_000)}</title>`,
  blanks: `<meta property="og:title" content="${' \u0001'.repeat(100_000)}">`,
};
const bytesOf = new Map(Object.entries(PAGES).map(([name, page]) => [`/${name}`, Buffer.from(page)]));
let pages: Server | undefined;

/** Serves hostile pages on this machine. */
async function open(): Promise<Server> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://localhost');
    response.writeHead(200, { 'content-type': 'text/html' }).end(bytesOf.get(pathname));
  });
  await once(server.listen(0, '127.0.0.1').unref(), 'listening');
  return server;
}

/** Links to pages of which the server makes previews. */
export const PREVIEWS: readonly Attack[] = Object.keys(PAGES).map((name) => ({
  name: `link to a page of ${name}`,
  before: async ({ ask }) => {
    pages ??= await open();
    await ask('PATCH', '/realm', { inline_url_embed_preview: true });
  },
  send:
    ({ ask }, round) =>
    async () => {
      if (!pages) return 'no pages';
      const { port } = pages.address() as AddressInfo;
      const asked = once(pages, 'request');
      await ask('POST', '/messages', {
        type: 'channel',
        to: 'channel 0',
        topic: 'links',
        content: `http://127.0.0.1:${port}/${name}?${round}${Math.random()}`,
      });
      const isAsked = await Promise.race([asked.then(() => true), sleep(5_000, false)]);
      await sleep(READING_MS);
      return isAsked ? 'looked at' : 'not looked at';
    },
}));
