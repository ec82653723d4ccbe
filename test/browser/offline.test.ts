import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { DemoPages, goTo } from '../support/demo-pages.ts';

const JOURNEY = '#narrow/channel/2-design/topic/journey';

// One database: what is away lies before it.
describe.skipIf(!hasBrowser())('the client while the server is away from the start', () => {
  let demo: DemoPages;
  let page: Page;
  beforeAll(async () => {
    demo = await DemoPages.open();
    page = await demo.logIn('member');
    await demo.send('owner', 2, 'journey', 'said before');
    await goTo(page, JOURNEY, 'journey');
    await page.getByText('said before').waitFor();
  });
  afterAll(() => demo.close());

  const kept = () => page.evaluate<number>(`caches.open('shell').then((one) => one.keys()).then((all) => all.length)`);
  const hasPage = () => page.evaluate<boolean>(`caches.match('/').then((found) => found !== undefined)`);
  const keptToken = () =>
    page.evaluate<boolean>(`caches.match('/').then((one) => one.text()).then((text) => /csrf/.test(text))`);

  it('opens with what it knew, in every view, keeps what is written, and goes on when the server is back', async () => {
    await expect.poll(hasPage).toBe(true);
    expect(await kept()).toBeGreaterThan(5);
    expect(await keptToken()).toBe(false);
    // What is seen is kept once it has been at rest for a while.
    await page.waitForTimeout(4000);
    await demo.server.kill('SIGKILL');
    await page.reload();
    await page.locator('main article', { hasText: 'said before' }).waitFor();
    await page.getByText('No connection to the server').waitFor();
    await page.locator('.dock textarea').fill('written while away');
    await page.keyboard.press('Control+Enter');
    await page.getByText('1 message is waiting to be sent.').waitFor();
    await goTo(page, '#inbox', 'Inbox');
    await goTo(page, '#recent', 'Recent conversations');
    await goTo(page, '#channels', 'Channels');
    await goTo(page, '#settings/preferences');
    await page.getByRole('heading', { level: 2, name: 'Display' }).waitFor();
    await goTo(page, '#organization/users/active');
    await page.getByRole('heading', { level: 2, name: 'People' }).waitFor();
    await page.reload();
    await page.getByRole('navigation', { name: 'Conversations' }).waitFor();
    await demo.restart();
    await expect
      .poll(async () => (await demo.topic(2, 'journey')).map(({ content }) => content))
      .toContain('written while away');
    expect(demo.complaints).toEqual([]);
  });

  it('waits five seconds for a server that takes the request and says nothing, and opens then', async () => {
    await page.goto(`${demo.server.url}/`);
    await page.getByRole('navigation', { name: 'Conversations' }).waitFor();
    await expect.poll(hasPage).toBe(true);
    demo.server.freeze();
    try {
      const began = performance.now();
      await page.reload({ waitUntil: 'commit' });
      const waited = performance.now() - began;
      await page.getByRole('navigation', { name: 'Conversations' }).waitFor();
      expect(waited).toBeGreaterThan(4500);
      expect(waited).toBeLessThan(15_000);
    } finally {
      demo.server.thaw();
    }
  });

  it('is not kept once the session has ended elsewhere and the server has said so', async () => {
    await page.goto(`${demo.server.url}/`);
    await expect.poll(hasPage).toBe(true);
    // A page that is open would lead to the log-in page by itself, perhaps in the middle of the next visit.
    await page.goto('about:blank');
    const context = page.context();
    await context.clearCookies();
    await page.goto(`${demo.server.url}/`);
    await page.getByRole('navigation', { name: 'Conversations' }).waitFor();
    await expect.poll(hasPage).toBe(false);
    await page.goto(`${demo.server.url}/login/`);
    await page.close();
    page = await demo.openTab({ context }, 'member');
  });

  it('is not kept for the next person after a log-out', async () => {
    await page.goto(`${demo.server.url}/`);
    await page.getByRole('navigation', { name: 'Conversations' }).waitFor();
    await expect.poll(hasPage).toBe(true);
    await page.goto(`${demo.server.url}/logout/`);
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('heading', { level: 1, name: 'Log in' }).waitFor();
    await expect.poll(hasPage).toBe(false);
  });
});
