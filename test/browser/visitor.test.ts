import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inspect } from '../support/accessibility.ts';
import { type Browser, hasBrowser, openBrowser } from '../support/browser.ts';
import { DemoPages } from '../support/demo-pages.ts';

// One database: what visitors may read is tested on both where it is decided.
describe.skipIf(!hasBrowser())('whoever has no account', () => {
  let demo: DemoPages;
  let browser: Browser;
  beforeAll(async () => {
    demo = await DemoPages.open();
    browser = await openBrowser({ javaScriptEnabled: true });
  });
  afterAll(async () => {
    await browser.close();
    await demo.close();
  });

  it('reads the open channels, is told how to get in, and finds nothing that needs an account', async () => {
    const page = await browser.context.newPage();
    await page.goto(demo.server.url);
    await page.getByRole('heading', { level: 1, name: 'All open channels' }).waitFor();
    await page.getByText('A book about rooks, of course.').waitFor();
    await page.getByRole('link', { name: 'lounge' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'lounge' }).waitFor();
    await page.getByRole('link', { name: 'books' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'books' }).waitFor();
    await page.getByText('You are reading without an account.').waitFor();
    expect(await page.getByText('Direct messages').count()).toBe(0);
    expect(await page.locator('textarea').count()).toBe(0);
    expect((await inspect(page)).found).toEqual([]);
    await page.keyboard.press('c');
    await page.keyboard.press('x');
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.goto(`${demo.server.url}/#settings`);
    await page.getByRole('heading', { level: 1, name: 'All open channels' }).waitFor();
    await page.getByRole('link', { name: 'Log in' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Log in' }).waitFor();
  });
});
