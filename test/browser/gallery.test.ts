import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveGallery } from '../../tools/gallery.ts';
import { inspect } from '../support/accessibility.ts';
import { type Browser, hasBrowser, openBrowser } from '../support/browser.ts';

/** Each of them in every look; the others in the first and on a phone. */
const OFTEN = ['conversation', 'composer', 'parts', 'inbox', 'settings'];
const PAGES = [
  ...OFTEN,
  'offline',
  'release',
  'feed',
  'parts&open=dialog',
  'inbox-empty',
  'loading',
  'recent',
  'drafts',
  'channels',
  'card',
  'emoji',
  'palette',
  'keys',
  'lightbox',
];
const LOOKS = [
  { name: 'light and wide', width: 1440, colorScheme: 'light', query: '', pages: PAGES },
  { name: 'dark, compact, on a tablet', width: 900, colorScheme: 'dark', query: '&density=compact', pages: OFTEN },
  { name: 'dark, on a phone', width: 390, colorScheme: 'dark', query: '', pages: PAGES },
  {
    name: 'light, from right to left, on the narrowest phone',
    width: 360,
    colorScheme: 'light',
    query: '&dir=rtl',
    pages: OFTEN,
  },
  { name: 'in high contrast', width: 1440, colorScheme: 'light', query: '&contrast=more', pages: OFTEN },
] as const;

describe.skipIf(!hasBrowser())('the gallery of the web client', () => {
  let origin: string;
  let close: () => Promise<void>;
  let browser: Browser;
  beforeAll(async () => {
    ({ origin, close } = await serveGallery(0));
    browser = await openBrowser({ javaScriptEnabled: true });
  });
  afterAll(async () => {
    await browser.close();
    await close();
  });

  it.each(LOOKS)('has nothing that keeps anybody out, $name', async ({ width, colorScheme, query, pages }) => {
    const page = await browser.context.newPage();
    const said: string[] = [];
    page.on('console', (line) => line.type() === 'error' && said.push(line.text()));
    page.on('pageerror', (error) => said.push(error.message));
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    for (const name of pages) {
      await page.goto(`${origin}/?page=${name}${query}`);
      const { found, overflow } = await inspect(page);
      expect({ name, found, overflow, said }).toEqual({ name, found: [], overflow: 0, said: [] });
    }
    await page.close();
  });

  it('keeps its place while rows above change their height, and draws few of many', async () => {
    const page = await browser.context.newPage();
    await page.goto(`${origin}/?page=parts`);
    const list = page.getByRole('region', { name: 'Rows' });
    const top = () =>
      page.evaluate<number>(`(() => {
        const view = document.querySelector('.sample-list');
        return [...view.querySelectorAll('[data-key]')].find((row) => row.dataset.key === '2500').getBoundingClientRect().top - view.getBoundingClientRect().top;
      })()`);
    expect(Math.abs(await top())).toBeLessThan(2);
    await list.locator('[data-key="2498"] p').waitFor({ state: 'attached' });
    await page.evaluate("document.querySelector('[data-key=\"2498\"] p').classList.add('sample-3')");
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    expect(Math.abs(await top())).toBeLessThan(2);
    expect(await list.locator('[data-key]').count()).toBeLessThan(60);
    await page.close();
  });
});
