import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inspect } from '../support/accessibility.ts';
import { type Browser, hasBrowser, openBrowser } from '../support/browser.ts';
import { makeDatabase, type TestDatabase } from '../support/databases.ts';
import { freePort, type ServerProcess, startProcess } from '../support/process.ts';

/** Each view by its address, with its heading and something that it shows of the demo. */
const VIEWS = [
  ['#inbox', 'Inbox', 'A rook on a branch'],
  ['#recent', 'Recent conversations', 'Mona Moderator, Mia Member'],
  ['#feed', 'Combined feed', 'I drew it!'],
  ['#narrow/is/mentioned', 'Mentions', 'No mentions yet'],
  ['#narrow/is/starred', 'Starred', 'Nothing starred'],
  ['#narrow/has/reaction/sender/me', 'Reactions to mine', 'Reactions to mine'],
  ['#narrow/channel/1-general', 'general', 'Count me in.'],
  ['#narrow/search/nothingiscalledthat', 'Search', 'No messages found'],
  ['#drafts', 'Drafts', 'No drafts'],
  ['#scheduled', 'Scheduled', 'Nothing scheduled'],
  ['#reminders', 'Reminders', 'No reminders'],
] as const;

// The views ask the database for nothing that other tests do not ask on both.
describe.skipIf(!hasBrowser())('the views of the web client', () => {
  let database: TestDatabase;
  let server: ServerProcess;
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    database = await makeDatabase('sqlite');
    server = await startProcess(database, await freePort());
    browser = await openBrowser({ javaScriptEnabled: true });
    page = await browser.context.newPage();
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.goto(`${server.url}/login/`);
    await page.getByLabel('Email address').fill('member@roost.test');
    await page.getByLabel('Password').fill('roost-demo-password');
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await page.getByRole('navigation', { name: 'Conversations' }).waitFor();
  });
  afterAll(async () => {
    await browser.close();
    await server.kill('SIGKILL');
    await database.remove();
  });

  const violations = async () => (await inspect(page)).found;
  const go = async (hash: string, heading: string) => {
    await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
    await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
  };

  it('say at their address which server this is', async () => {
    await page.evaluate(`location.hash = '#about-roost'`);
    const about = page.getByRole('dialog', { name: 'About Roost' });
    await about.getByText(/^\d+\.\d+/).waitFor();
    await about.getByText(server.url).waitFor();
    await page.keyboard.press('Escape');
    await about.waitFor({ state: 'detached' });
  });

  it('close what was open over them, when one goes back', async () => {
    await go('#recent', 'Recent conversations');
    await go('#drafts', 'Drafts');
    for (const [key, heading] of [
      ['?', 'Recent conversations'],
      ['Control+k', 'Drafts'],
    ] as const) {
      await page.keyboard.press(key);
      await page.getByRole('dialog').waitFor();
      await (heading === 'Drafts' ? page.goForward() : page.goBack());
      await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    await go('#inbox', 'Inbox');
  });

  it('have one row of the sidebar in the order of Tab, with the button of its menu', async () => {
    await go('#inbox', 'Inbox');
    const inOrder = () =>
      page.evaluate<number>(
        `[...document.querySelectorAll('.side-row .more')].filter((one) => one.tabIndex === 0).length`,
      );
    await expect.poll(inOrder).toBe(0);
    await page
      .getByRole('navigation', { name: 'Conversations' })
      .getByRole('link', { name: /^design/ })
      .focus();
    expect(await inOrder()).toBe(1);
    for (const key of ['Tab', 'Shift+Tab', 'Tab']) await page.keyboard.press(key);
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('More for design');
    await page.keyboard.press('Enter');
    await page.getByRole('menu').waitFor();
    await page.keyboard.press('Escape');
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('More for design');
  });

  it('close a menu by a key that comes before the menu is painted', async () => {
    await go('#inbox', 'Inbox');
    const isClosed = await page.evaluate<boolean>(`(async () => {
      const isOpen = () => document.querySelector('[role=menu]') !== null;
      document.querySelector('nav[aria-label=Conversations] .side-row .more').click();
      // Without a turn of the event loop, in which the page would be painted.
      for (let step = 0; step < 1000 && !isOpen(); step++) await Promise.resolve();
      const wasOpen = isOpen();
      document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
      for (let step = 0; step < 1000 && isOpen(); step++) await Promise.resolve();
      return wasOpen && !isOpen();
    })()`);
    expect(isClosed).toBe(true);
  });

  it('begin with the inbox', async () => {
    await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
  });

  it.each([
    ['light', 1440],
    ['dark', 390],
  ] as const)('show what there is, %s and %i px wide', async (colorScheme, width) => {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    for (const [hash, heading, shown] of VIEWS) {
      await go(hash, heading);
      await page.getByRole('main').getByText(shown).first().waitFor();
    }
    expect(complaints).toEqual([]);
  });

  it('are reached by keys: the palette, the list of keys, a search, messages one by one', async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await go('#inbox', 'Inbox');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').fill('lunch');
    expect(await violations()).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'lunch' }).waitFor();
    await page.getByText('Count me in.').first().waitFor();
    await page.locator('h1').click();
    await page.keyboard.press('k');
    await page.keyboard.press('*');
    await page.getByRole('img', { name: 'Starred' }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
    expect(await violations()).toEqual([]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    const query = page.getByRole('dialog').getByRole('combobox');
    await query.fill('channel:gen');
    await page.getByRole('option', { name: 'channel:general' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await query.pressSequentially('rook');
    expect(await query.inputValue()).toBe('channel:"general" rook');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Search' }).waitFor();
    expect(await page.evaluate('location.hash')).toBe('#narrow/channel/1-general/search/rook');
    await page.keyboard.press('Shift+I');
    await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('have nothing left in the inbox when all was marked read', async () => {
    await go('#inbox', 'Inbox');
    await page.getByRole('button', { name: 'Mark all as read' }).click();
    await page.getByText('All caught up').waitFor();
    expect(await violations()).toEqual([]);
  });
});
