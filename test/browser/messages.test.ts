import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inspect } from '../support/accessibility.ts';
import { type Browser, hasBrowser, openBrowser } from '../support/browser.ts';
import { databases, makeDatabase, type TestDatabase } from '../support/databases.ts';
import { call, demoAccount, freePort, type ServerProcess, startProcess } from '../support/process.ts';

const HERE = '#narrow/channel/2-design/topic/keys';
/** A machine that does much else at once needs longer than a second. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe.skipIf(!hasBrowser()).each(databases)('messages in the web client on %s', (name) => {
  let database: TestDatabase;
  let server: ServerProcess;
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    database = await makeDatabase(name);
    server = await startProcess(database, await freePort());
    browser = await openBrowser({ javaScriptEnabled: true });
    page = await browser.context.newPage();
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (line) => {
      if (/Content Security Policy|TrustedHTML/.test(line.text())) complaints.push(line.text());
    });
    await page.goto(`${server.url}/login/`);
    await page.getByLabel('Email address').fill('member@roost.test');
    await page.getByLabel('Password').fill('roost-demo-password');
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await page.getByRole('navigation', { name: 'Conversations' }).waitFor();
    await page.evaluate(`location.hash = ${JSON.stringify(HERE)}`);
    await page.getByRole('heading', { level: 1, name: 'keys' }).waitFor();
  });
  afterAll(async () => {
    await browser.close();
    await server.kill('SIGKILL');
    await database.remove();
  });

  const field = () => page.locator('.dock textarea');
  const row = (text: string) => page.locator('article', { hasText: text }).last();
  const violations = async () => (await inspect(page)).found;
  const narrowed = async (topic: string) => {
    const account = await demoAccount(server, 'member@roost.test');
    const narrow = [
      { operator: 'channel', operand: 2 },
      { operator: 'topic', operand: topic },
    ];
    const range = { narrow, anchor: 'newest', num_before: 50, num_after: 0, apply_markdown: false };
    return (await call(server, account, 'GET', '/messages', range))['messages'] as readonly {
      content: string;
      reactions: readonly { emoji_name: string }[];
      flags: readonly string[];
    }[];
  };

  it('are written with the keyboard alone: names, emoji, bold, and sent', async () => {
    await page.keyboard.press('c');
    await page.keyboard.type('Hi @mi');
    await page.getByRole('option', { name: /Mia Member/ }).waitFor();
    expect(await violations()).toEqual([]);
    await page.keyboard.press('Enter');
    await page.keyboard.type(':tad');
    await page.getByRole('option', { name: /:tada:/ }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Control+b');
    await page.keyboard.type('now');
    await page.keyboard.press('Control+Enter');
    await row('now').locator('.user-mention').waitFor();
    await expect
      .poll(async () => (await narrowed('keys')).map(({ content }) => content))
      .toEqual(['Hi @**Mia Member** :tada: **now**']);
    expect(await field().inputValue()).toBe('');
  });

  it('are answered, reacted to, edited, collapsed and moved with keys', async () => {
    await page.keyboard.press('Escape');
    await page.keyboard.press('k');
    await page.keyboard.press(':');
    await page.getByLabel('Find an emoji').fill('octop');
    await page.getByRole('button', { name: 'octopus' }).waitFor();
    expect(await violations()).toEqual([]);
    await page.keyboard.press('Enter');
    await row('now').locator('.react[aria-pressed="true"]').waitFor();
    await row('now').focus();
    await page.keyboard.press('e');
    await page.locator('article textarea').waitFor();
    expect(await violations()).toEqual([]);
    await page.keyboard.press('Control+End');
    await page.keyboard.type(' or later');
    await page.keyboard.press('Control+Enter');
    await row('or later').getByText('edited').waitFor();
    await row('or later').focus();
    await page.keyboard.press('Shift+H');
    await page.getByRole('dialog', { name: 'Edit history' }).locator('ins, .highlight_text_inserted').first().waitFor();
    expect(await violations()).toEqual([]);
    await page.keyboard.press('Escape');
    await row('or later').focus();
    await page.keyboard.press('-');
    await page.getByText('Collapsed', { exact: true }).waitFor();
    const [message] = await narrowed('keys');
    expect(message?.flags).toContain('collapsed');
    expect(message?.reactions.map(({ emoji_name }) => emoji_name)).toEqual(['octopus']);
    await page.locator('main article').last().focus();
    await page.keyboard.press('m');
    await page.getByRole('dialog').getByLabel('Topic', { exact: true }).fill('moved by keys');
    expect(await violations()).toEqual([]);
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await narrowed('moved by keys')).length).toBeGreaterThan(0);
  });

  it('carry files that are pasted, and show pictures over the page', async () => {
    await page.evaluate(`location.hash = '#narrow/channel/2-design/topic/pictures'`);
    await page.getByRole('heading', { level: 1, name: 'pictures' }).waitFor();
    await field().focus();
    await page.evaluate(
      `(() => {
        const bytes = Uint8Array.from(atob('${PIXEL.toString('base64')}'), (one) => one.charCodeAt(0));
        const data = new DataTransfer();
        data.items.add(new File([bytes], 'a [rook].png', { type: 'image/png' }));
        document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
      })()`,
    );
    await expect.poll(() => field().inputValue()).toMatch(/^\[a .*\]\(\/user_uploads\//);
    await page.keyboard.press('Control+Enter');
    const picture = page.locator('.message_inline_image img').first();
    await picture.waitFor();
    await picture.click();
    await page.locator('dialog.lightbox img').first().waitFor();
    expect(await violations()).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await page.locator('dialog').count()).toBe(0);
  });

  it('link files whatever their names are', async () => {
    const names = [
      'slash\\name',
      'back\\',
      'a`b',
      'c`d',
      '\\`e',
      'f$$g',
      '*h*',
      '<i>',
      '"j"',
      '%41%',
      'k&l',
      '@**all**',
      'm[n]',
    ];
    await page.evaluate(`location.hash = '#narrow/channel/2-design/topic/names'`);
    await page.getByRole('heading', { level: 1, name: 'names' }).waitFor();
    await field().focus();
    await page.evaluate(
      `(() => {
        const data = new DataTransfer();
        for (const name of ${JSON.stringify(names)}) data.items.add(new File(['text'], name, { type: 'text/plain' }));
        document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
      })()`,
    );
    const links = async () => [...(await field().inputValue()).matchAll(/\]\(\/user_uploads\//g)].length;
    await expect.poll(links).toBe(names.length);
    await page.keyboard.press('Control+Enter');
    const shown = page.locator('main article .body a');
    await expect.poll(() => shown.count()).toBe(names.length);
    const texts = names.map((name) => name.replaceAll(/[[\]]/g, '').replaceAll('`', "'").replace('@**', '@'));
    expect(await shown.allTextContents()).toEqual(texts);
    expect(await page.locator('main article .body :is(code, .user-mention)').count()).toBe(0);
  });

  it('keep the marks of formatted text that is pasted, and nothing that could run', async () => {
    await field().fill('');
    await field().focus();
    await page.evaluate(`(() => {
      const data = new DataTransfer();
      data.setData('text/plain', 'A bold word, a link, code');
      data.setData('text/html', '<meta charset="utf-8"><p style="color:red" onclick="alert(1)">A <b>bold</b> word, ' +
        '<a href="https://roost.example/x">a link</a><a href="javascript:alert(1)">, </a><code>code</code></p>' +
        '<img src="/nowhere" onerror="alert(1)"><script>alert(1)</script>');
      document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    })()`);
    expect(await field().inputValue()).toBe('A **bold** word, [a link](https://roost.example/x), `code`');
    expect(await violations()).toEqual([]);
    await field().fill('');
  });

  it('are polls that are voted in, go out later, and are forwarded', async () => {
    await field().fill('/poll Which bird?\nRook\nOwl');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('button', { name: /Rook/ }).click();
    await page.getByRole('button', { name: /Rook/, pressed: true }).waitFor();
    await field().fill('for tomorrow');
    await page.getByRole('button', { name: 'Send later' }).click();
    await page.getByRole('menuitem', { name: /Tomorrow morning/ }).click();
    await page.getByText(/^Scheduled: /).waitFor();
    expect(await field().inputValue()).toBe('');
    await row('Which bird?').focus();
    await page.keyboard.press('f');
    await page.getByRole('dialog').getByRole('combobox').fill('logo');
    await page.getByRole('option', { name: /logo/ }).waitFor();
    expect(await violations()).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Forward' }).click();
    await page.getByText('Forwarded.').waitFor();
    await expect.poll(async () => (await narrowed('logo')).some(({ content }) => content.includes('/poll'))).toBe(true);
    await page.evaluate(`location.hash = '#scheduled'`);
    await page.getByRole('main').getByText('for tomorrow').waitFor();
    expect(complaints).toEqual([]);
  });

  it('are to-do lists, which are ticked and continued, and stay so', async () => {
    await page.evaluate(`location.hash = ${JSON.stringify(HERE)}`);
    await page.getByRole('heading', { level: 1, name: 'keys' }).waitFor();
    await field().fill('/todo Before the trip\nbinoculars: the small ones\nmap');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const list = page.getByRole('group', { name: 'Before the trip' });
    await list.getByText('the small ones').waitFor();
    await list.getByLabel('map').check();
    await list.getByText('1 of 2 done').waitFor();
    await list.getByLabel('New task').fill('bread <b>');
    await page.keyboard.press('Enter');
    await list.getByText('1 of 3 done').waitFor();
    expect(await violations()).toEqual([]);
    await page.reload();
    await list.getByText('1 of 3 done').waitFor();
    expect(await list.getByLabel('map').isChecked()).toBe(true);
    expect(await list.getByLabel('bread <b>').isChecked()).toBe(false);
    expect(complaints).toEqual([]);
  });

  it('are forms of bots, of which each answer is sent once, to the conversation', async () => {
    const account = await demoAccount(server, 'owner@roost.test');
    const choices = [
      { type: 'multiple_choice', short_name: 'A', long_name: 'A rook', reply: 'answer q1 A' },
      { type: 'multiple_choice', short_name: 'B', long_name: 'An owl <b>', reply: 'answer q1 B' },
    ];
    const widget_content = JSON.stringify({
      widget_type: 'zform',
      extra_data: { type: 'choices', heading: 'Which bird?', choices },
    });
    const fields = { type: 'stream', to: '2', topic: 'keys', content: 'Which bird? A or B', widget_content };
    await call(server, account, 'POST', '/messages', fields);
    await page.evaluate(`location.hash = ${JSON.stringify(HERE)}`);
    const form = page.getByRole('group', { name: 'Which bird?' }).last();
    await form.waitFor();
    await form.getByText('An owl <b>').waitFor();
    const answer = form.getByRole('button', { name: 'A: A rook' });
    await answer.dblclick();
    await row('answer q1 A').waitFor();
    expect(await answer.getAttribute('aria-disabled')).toBe('true');
    expect(await form.getByRole('button', { name: 'B: An owl <b>' }).getAttribute('aria-disabled')).toBeNull();
    expect(await violations()).toEqual([]);
    const answers = async () => (await narrowed('keys')).filter(({ content }) => content === 'answer q1 A').length;
    await expect.poll(answers).toBe(1);
  });

  it('say why the reader is told of them', async () => {
    const olive = await demoAccount(server, 'owner@roost.test');
    const content = '@**Max Member** nest here';
    await call(server, olive, 'POST', '/messages', { type: 'channel', to: 'design', topic: 'pictures', content });
    await page.evaluate(`location.hash = '#narrow/channel/2-design/topic/pictures'`);
    await row('nest here').hover();
    await row('nest here').getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Why am I notified?' }).click();
    const dialog = page.getByRole('dialog', { name: 'Why am I notified?' });
    await dialog.getByText('It mentions you').first().waitFor();
    expect(await violations()).toEqual([]);
    await dialog.getByRole('link', { name: 'Change your notification settings' }).click();
    await page.getByRole('switch', { name: 'Notify me on this device' }).waitFor();
    expect(await dialog.count()).toBe(0);
  });

  it('lead to the card of their sender, dark and on a phone as well', async () => {
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 390, height: 844 });
    await page.evaluate(`location.hash = '#narrow/channel/2-design/topic/logo'`);
    await page.getByRole('heading', { level: 1, name: 'logo' }).waitFor();
    await page.getByRole('button', { name: 'Mia Member', exact: true }).first().click();
    await page.getByRole('dialog', { name: 'Mia Member' }).getByText('Email').waitFor();
    expect(await inspect(page)).toEqual({ found: [], overflow: 0 });
    await page.keyboard.press('Escape');
    expect(complaints).toEqual([]);
  });
});
