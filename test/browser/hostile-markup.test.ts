import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { asId } from '#kernel/ids';
import { compileLinkifiers, type MarkdownWorld, renderMarkdown, type WebsitePreview } from '#kernel/markdown';
import { type Browser, hasBrowser, openBrowser } from '../support/browser.ts';
import { hostileMarkup, hostileNames } from '../support/hostile-markup.ts';

const ORIGIN = 'https://chat.example.com';
/** Texts on one page: a broken one must not hide the next for long. */
const PER_PAGE = 150;

const said = hostileNames.join(' ');
const websites = new Map<string, WebsitePreview>([
  [
    'https://evil.test/card',
    { title: said, description: said, image: 'https://evil.test/");x', embedHtml: null, kind: 'card' },
  ],
  [
    'https://a.example/',
    { title: said, description: null, image: 'javascript:ran.push(1)', embedHtml: null, kind: 'card' },
  ],
  [
    'https://evil.test/photo',
    { title: null, description: null, image: 'https://evil.test/p.png', embedHtml: null, kind: 'photo' },
  ],
  [
    'https://vimeo.com/1',
    { title: said, description: said, image: 'https://evil.test/v.png', embedHtml: said, kind: 'video' },
  ],
]);
const upload = { width: null, height: null, thumbnail_format: null, transcoded: null };

/** A realm in which everybody has chosen the worst of names. */
const world: MarkdownWorld = {
  realm: {
    url: ORIGIN,
    emoji: new Map([['roost', { source_url: '/user_avatars/2/emoji/images/1.png' }]]),
    linkifiers: compileLinkifiers([
      { pattern: 'LINK(?P<x>.+)', url_template: 'https://a.example/{x}{?x}{+x}' },
      { pattern: 'JS(?P<x>.+)', url_template: '{+x}' },
    ]),
    defaultCodeLanguage: '"><img src=x onerror=ran.push(1)>',
    mediaProxy: { base: '/external_content/', key: 'k' },
  },
  users: hostileNames.map((full_name, index) => ({ user_id: asId(index + 1), full_name, is_active: index % 2 === 0 })),
  groups: hostileNames.map((name, index) => ({
    id: asId(index + 1),
    name,
    is_system_group: false,
    deactivated: index % 2 === 0,
  })),
  channels: ['general', ...hostileNames].map((name, index) => ({ stream_id: asId(index + 1), name })),
  topics: hostileNames.map((topic) => ({ stream_id: asId(1), topic, latest_message_id: asId(7) })),
  uploads: [
    { ...upload, path_id: '2/cd/Pq34uV/queue.jpg', content_type: 'image/"onerror=ran.push(1)', width: 4, height: 3 },
    { ...upload, path_id: '2/ij/Au90aB/memo.mp3', content_type: 'audio/mpeg' },
  ],
  alertWords: null,
  websites,
  imagePreviews: true,
  websitePreviews: true,
  translateEmoticons: true,
  fromMail: false,
};

describe.skipIf(!hasBrowser())('hostile markup, in a browser that runs scripts', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser({ javaScriptEnabled: true });
  });
  afterAll(() => browser.close());

  /** Loads a page of the realm without any policy that would help, and says what happened. */
  async function load(body: string): Promise<{ page: Page; asked: string[]; ran: number }> {
    const page = await browser.context.newPage();
    const asked: string[] = [];
    page.on('dialog', (dialog) => void dialog.dismiss());
    await page.addInitScript('window.ran = []');
    await page.route('**/*', async (route) => {
      const { hostname, pathname } = new URL(route.request().url());
      if (hostname !== new URL(ORIGIN).hostname) asked.push(route.request().url());
      const isPage = pathname === '/' && route.request().resourceType() === 'document';
      if (isPage) await route.fulfill({ contentType: 'text/html; charset=utf-8', body: `<!doctype html>${body}` });
      else await route.fulfill({ status: 404, body: '' });
    });
    await page.goto(`${ORIGIN}/`, { waitUntil: 'load' });
    const ran: number = await page.evaluate('new Promise((done) => setTimeout(() => done(ran.length), 50))');
    return { page, asked, ran };
  }

  it('runs, when it is not rendered', async () => {
    const { page, asked, ran } = await load('<img src=x onerror=ran.push(1)><img src="https://evil.test/p.gif">');
    expect([ran, asked]).toEqual([1, ['https://evil.test/p.gif']]);
    expect(await page.evaluate(strangeThings)).toEqual(['onerror', 'https://evil.test/p.gif']);
    await page.close();
  });

  it('does nothing once it is rendered, and leads nowhere dangerous', { timeout: 240_000 }, async () => {
    const rendered: string[] = [];
    for (const text of [...hostileMarkup, 'https://evil.test/photo https://vimeo.com/1'])
      rendered.push((await renderMarkdown(text, world)).html);
    expect(rendered.join('')).toContain('message_embed');
    for (let start = 0; start < rendered.length; start += PER_PAGE) {
      const part = rendered.slice(start, start + PER_PAGE);
      const { page, asked, ran } = await load(part.map((html) => `<div>${html}</div>`).join('\n'));
      expect({ ran, asked, strange: await page.evaluate(strangeThings) }).toEqual({ ran: 0, asked: [], strange: [] });
      expect(await page.locator('body > div').count(), 'no text breaks out of its place').toBe(part.length);
      await page.close();
    }
  });
});

/** Runs in the page: elements, attributes and addresses that rendered messages never have. */
const strangeThings = `(() => {
  const words = (text) => new Set(text.trim().split(/\\s+/));
  const elements = words(\`
    a audio blockquote br code del div em h1 h2 h3 h4 h5 h6 hr img li ol p pre span strong table tbody td th thead time
    tr ul video math semantics annotation mrow mi mo mn mtext mspace msup msub msubsup mfrac msqrt mroot mover munder
    munderover mtable mtr mtd mstyle mpadded mphantom menclose svg path line\`);
  const schemes = words(\`
    http https ftp file mid bitcoin geo hansoft im irc ircs magnet mailto matrix obsidian mms news nntp openpgp4fpr sip
    sms smsto ssh tel urn webcal wtai xmpp zotero asanadesktop\`);
  const attributes = words('action formaction srcdoc srcset ping background poster xlink:href');
  const strange = new Set();
  for (const element of document.querySelectorAll('body *')) {
    if (!elements.has(element.localName)) strange.add(element.outerHTML.slice(0, 100));
    for (const { name, value } of element.attributes) {
      if (name.startsWith('on') || attributes.has(name)) strange.add(name);
      if (name !== 'href' && name !== 'src') continue;
      const url = URL.canParse(value, document.baseURI) ? new URL(value, document.baseURI) : undefined;
      if (url && !schemes.has(url.protocol.slice(0, -1))) strange.add(value);
      if (name === 'src' && url?.origin !== location.origin) strange.add(value);
    }
  }
  return [...strange];
})()`;
