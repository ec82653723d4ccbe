import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inspect } from '../support/accessibility.ts';
import { hasBrowser } from '../support/browser.ts';
import { DemoPages, INTERCEPTED } from '../support/demo-pages.ts';

// One database: what is slow lies before it.
describe.skipIf(!hasBrowser())('the page before its files are there', () => {
  let demo: DemoPages;
  let page: Page;
  beforeAll(async () => {
    demo = await DemoPages.open();
    page = await demo.logIn('member', INTERCEPTED);
  });
  afterAll(() => demo.close());

  const opacity = () => page.evaluate('getComputedStyle(document.querySelector(".waiting")).opacity');

  const sheets = () => page.evaluate('document.styleSheets.length');

  it('shows the rook and the name of the organization at once, until the client draws', async () => {
    const [sheet, scripts] = [held(), held()];
    await page.route('**/web/*.css', (route) => sheet.gone.then(() => route.continue()));
    await page.route('**/web/*.js', (route) => scripts.gone.then(() => route.continue()));
    await page.goto(`${demo.server.url}/`, { waitUntil: 'commit' });
    await page.getByRole('img', { name: 'Roost Demo' }).waitFor();
    await expect.poll(() => page.evaluate('performance.getEntriesByName("first-contentful-paint").length')).toBe(1);
    expect(await sheets()).toBe(0);
    sheet.end();
    await expect.poll(sheets).toBe(1);
    expect(await opacity()).toBe('1');
    expect((await inspect(page)).found).toEqual([]);
    scripts.end();
    await page.getByRole('navigation', { name: 'Conversations' }).waitFor();
    expect(await page.locator('.waiting').count()).toBe(0);
    await page.unrouteAll({ behavior: 'wait' });
    expect(demo.complaints).toEqual([]);
  });

  it('shows neither for a moment where the files are there', async () => {
    const appended =
      'document.body.appendChild(Object.assign(document.createElement("div"), { className: "waiting" }))';
    expect(await page.evaluate(`getComputedStyle(${appended}).opacity`)).toBe('0');
    await expect.poll(opacity).toBe('1');
  });
});

/** Something that answers wait for. */
function held(): { readonly gone: Promise<void>; readonly end: () => void } {
  let end = () => {};
  const gone = new Promise<void>((resolve) => (end = resolve));
  return { gone, end: () => end() };
}
