import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inspect } from '../support/accessibility.ts';
import { type Browser, hasBrowser, openBrowser } from '../support/browser.ts';
import { DemoPages } from '../support/demo-pages.ts';

// One database: what visitors may read is tested on both where it is decided.
describe.skipIf(!hasBrowser())('visitors without an account', () => {
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
    await page.goto(`${demo.server.url}/#narrow/channel/2-design`);
    await page.getByRole('heading', { level: 1, name: 'Not found' }).waitFor();
    expect(await page.locator('main').getByRole('link').allTextContents()).toEqual(['All open channels']);
    await page.goto(`${demo.server.url}/#settings`);
    await page.getByRole('heading', { level: 1, name: 'All open channels' }).waitFor();
    await page.getByRole('link', { name: 'Log in' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Log in' }).waitFor();
  });

  it.each([1440, 360])('finds one button to log in, %i px wide', async (width) => {
    const page = await browser.context.newPage();
    await page.setViewportSize({ width, height: 800 });
    const { stream_id } = await demo.call('member', 'GET', '/get_stream_id', { stream: 'lounge' });
    for (const [hash, heading] of [
      ['#feed', 'All open channels'],
      [`#narrow/channel/${String(stream_id)}/topic/books`, 'books'],
      [`#topics/channel/${String(stream_id)}`, 'lounge'],
      ['#narrow/is/starred', 'Log in to see this'],
      ['#narrow/channel/999', 'No such channel'],
    ] as const) {
      await page.goto(`${demo.server.url}/${hash}`);
      await page.getByRole('heading', { name: heading }).waitFor();
      expect(await page.getByRole('link', { name: 'Log in' }).count(), hash).toBe(1);
      // Nothing of what one reads is unread or followed.
      expect(await page.getByRole('button', { name: /^(Unread|Followed)$/ }).count()).toBe(0);
    }
    await expect.poll(() => page.title()).toBe('Not found · Roost Demo');
    await page.close();
  });

  it('sees what is said meanwhile, and what is taken back', async () => {
    const page = await browser.context.newPage();
    await page.goto(demo.server.url);
    await page.getByText('A book about rooks, of course.').waitFor();
    const { stream_id } = (await demo.call('member', 'GET', '/get_stream_id', { stream: 'lounge' })) as {
      stream_id: number;
    };
    const id = await demo.send('member', stream_id, 'books', 'And one about jackdaws.');
    // What the page does by itself after a while it does at once when it comes into sight.
    const look = () => page.evaluate('document.dispatchEvent(new Event("visibilitychange"))');
    await look();
    await page.getByText('And one about jackdaws.').waitFor();
    await demo.call('owner', 'DELETE', `/messages/${id}`);
    await look();
    await page.getByText('And one about jackdaws.').waitFor({ state: 'detached' });
    await page.close();
  });

  it('chooses the colours, which the browser keeps', async () => {
    const page = await browser.context.newPage();
    await page.goto(demo.server.url);
    await page.getByRole('button', { name: 'Theme' }).click();
    expect((await inspect(page)).found).toEqual([]);
    await page.getByRole('menuitemcheckbox', { name: 'Dark' }).click();
    const theme = () => page.evaluate('document.documentElement.dataset.theme');
    await expect.poll(theme).toBe('dark');
    await page.reload();
    await expect.poll(theme).toBe('dark');
    await page.close();
  });
});
