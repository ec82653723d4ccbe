import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { type Browser, hasBrowser, openOwnBrowser } from '../support/browser.ts';
import { databases, makeDatabase, type TestDatabase } from '../support/databases.ts';
import { call, demoAccount, freePort, type ServerProcess, startProcess } from '../support/process.ts';

const PASSWORD = 'roost-demo-password';
const TOPIC = '#narrow/channel/1-general/topic/journey';

describe.skipIf(!hasBrowser()).each(databases)('a conversation of two browsers on %s', (name) => {
  let database: TestDatabase;
  let server: ServerProcess;
  let port: number;
  let max: Browser;
  let olive: Browser;
  /** What pages complained of: exceptions, and what the policy did not let through. */
  const complaints: string[] = [];

  beforeAll(async () => {
    database = await makeDatabase(name);
    port = await freePort();
    server = await startProcess(database, port);
    [max, olive] = await Promise.all([
      openOwnBrowser({ javaScriptEnabled: true }),
      openOwnBrowser({ javaScriptEnabled: true, colorScheme: 'dark' }),
    ]);
  });
  afterAll(async () => {
    await Promise.all([max.close(), olive.close()]);
    await server.kill('SIGKILL');
    await database.remove();
  });

  async function logIn(browser: Browser, email: string, where = TOPIC): Promise<Page> {
    const page = await browser.context.newPage();
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (line) => {
      if (/Content Security Policy|TrustedHTML/.test(line.text())) complaints.push(line.text());
    });
    await page.goto(`${server.url}/login/`);
    if (page.url().includes('login')) {
      await page.getByLabel('Email address').fill(email);
      await page.getByLabel('Password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Log in', exact: true }).click();
    }
    await page.getByRole('navigation', { name: 'Conversations' }).waitFor();
    await page.evaluate(`location.hash = ${JSON.stringify(where)}`);
    await page.getByRole('heading', { level: 1, name: 'journey' }).waitFor();
    return page;
  }
  const write = async (page: Page, text: string) => {
    await page.locator('textarea').last().fill(text);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
  };
  const row = (page: Page, text: string) => page.locator('article', { hasText: text });
  const contents = async () => {
    const account = await demoAccount(server, 'member@roost.test');
    const found = await call(server, account, 'GET', '/messages', {
      narrow: [
        { operator: 'channel', operand: 1 },
        { operator: 'topic', operand: 'journey' },
      ],
      anchor: 'oldest',
      num_before: 0,
      num_after: 1000,
      apply_markdown: false,
    });
    return found['messages'].map((message: { content: string }) => message.content) as string[];
  };

  it('reads, sends, edits, reacts, and sees what the other does', async () => {
    const [one, other] = [await logIn(max, 'member@roost.test'), await logIn(olive, 'owner@roost.test')];
    await write(one, 'Hello **there**');
    await row(other, 'Hello there').waitFor();
    await row(other, 'Hello there').hover();
    await other.getByRole('button', { name: /react/i }).first().click();
    await other.getByLabel('Find an emoji').fill('tada');
    await other.getByRole('button', { name: 'tada', exact: true }).click();
    await one.locator('.react[aria-pressed="false"]').waitFor();
    await row(one, 'Hello there').hover();
    await one.getByRole('button', { name: /^edit/i }).first().click();
    await one.locator('article textarea').fill('Hello again');
    await one.getByRole('button', { name: 'Save', exact: true }).click();
    await row(other, 'Hello again').waitFor();
    expect(await contents()).toEqual(['Hello again']);
    expect(complaints).toEqual([]);
  });

  it('keeps a draft through a reload, and counts what is unread until it is seen', async () => {
    const one = await logIn(max, 'member@roost.test');
    await one.locator('textarea').fill('half a thought');
    await one.waitForTimeout(700);
    await one.reload();
    await one.getByRole('heading', { level: 1, name: 'journey' }).waitFor();
    expect(await one.locator('textarea').inputValue()).toBe('half a thought');
    await one.locator('textarea').fill('');
    const account = await demoAccount(server, 'owner@roost.test');
    await call(server, account, 'POST', '/messages', { type: 'stream', to: '1', topic: 'elsewhere', content: 'psst' });
    const link = one.getByRole('link', { name: /^elsewhere/ });
    await link.waitFor();
    expect(await link.textContent()).toContain('1');
    await link.click();
    await row(one, 'psst').waitFor();
    await one.bringToFront();
    const current = one.locator('nav a[aria-current=page]');
    await expect.poll(() => current.textContent()).not.toContain('1');
    await one.close();
  });

  it('goes on after kill -9 of the server, without a reload, and loses and doubles nothing', async () => {
    const [one, other] = [await logIn(max, 'member@roost.test'), await logIn(olive, 'owner@roost.test')];
    await one.evaluate('globalThis.mark = 1');
    await write(one, 'before the crash');
    await row(other, 'before the crash').waitFor();
    await server.kill('SIGKILL');
    await write(one, 'into the dark');
    await write(other, 'me too');
    await one.getByText('No connection to the server').waitFor();
    server = await startProcess(database, port);
    await row(other, 'into the dark').waitFor();
    await row(one, 'me too').waitFor();
    expect(await one.evaluate('globalThis.mark')).toBe(1);
    const said = await contents();
    expect(said.filter((text) => text === 'into the dark').length).toBe(1);
    expect(said.filter((text) => text === 'me too').length).toBe(1);
    await one.close();
    await other.close();
  });

  it('sends what was written offline, in order', async () => {
    const one = await logIn(max, 'member@roost.test');
    await max.context.setOffline(true);
    for (const text of ['first offline', 'second offline', 'third offline']) await write(one, text);
    expect(await row(one, 'offline').count()).toBe(3);
    await max.context.setOffline(false);
    await expect.poll(() => one.locator('article.pending').count()).toBe(0);
    expect((await contents()).slice(-3)).toEqual(['first offline', 'second offline', 'third offline']);
    expect(complaints.filter((line) => !/fetch/.test(line))).toEqual([]);
  });
});
