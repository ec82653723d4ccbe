import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, openBrowser } from '../support/browser.ts';
import { DemoPages, goTo } from '../support/demo-pages.ts';

const DESIGN = 2;

// Nothing here depends on the database.
describe.skipIf(!hasBrowser())('whoever wants to write has the focus in the text, without another key or click', () => {
  let demo: DemoPages;
  let page: Page;
  beforeAll(async () => {
    demo = await DemoPages.open();
    page = await demo.logIn('member');
  });
  afterAll(() => demo.close());

  const focused = () =>
    page.evaluate<string>('document.activeElement.placeholder ?? document.activeElement.getAttribute("aria-label")');
  const writesTo = (place: string | RegExp) => expect.poll(focused).toMatch(place);
  const elsewhere = () => goTo(page, '#narrow/is/starred', 'Starred');

  it('after the first message of a topic, which leads to that topic', async () => {
    await goTo(page, `#narrow/channel/${DESIGN}`, 'design');
    await page.locator('.rest-field').click();
    await page.keyboard.type('nests');
    await page.keyboard.press('Enter');
    await page.keyboard.type('How many?');
    await page.keyboard.press('Enter');
    await page.getByText('Ctrl+Enter sends').waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByRole('heading', { level: 1, name: 'nests' }).waitFor();
    await writesTo(/design › nests$/);
    await page.keyboard.type('Three.');
    await page.keyboard.press('Control+Enter');
    await expect.poll(async () => (await demo.topic(DESIGN, 'nests')).length).toBe(2);
  });

  it('after choosing whom to write to, also where that conversation is open', async () => {
    for (const open of [elsewhere, () => page.keyboard.press('Escape')]) {
      await open();
      await page.keyboard.press('x');
      await page.getByRole('dialog').getByRole('combobox').fill('Olive');
      await page.keyboard.press('Enter');
      await writesTo(/^Write to Olive Owner$/);
    }
  });

  it.each([
    ['r', ''],
    ['>', 'said'],
  ])('after %s on a message in a feed of many conversations', async (key, text) => {
    await demo.send('owner', DESIGN, 'replies', 'The reply is said elsewhere');
    await goTo(page, `#narrow/channel/${DESIGN}`, 'design');
    const row = page.locator('main article', { hasText: 'The reply is said' }).last();
    await row.waitFor();
    // A text for another conversation is not where the quotation goes.
    await page.locator('.rest-field').click();
    await row.focus();
    await page.keyboard.press(key);
    await writesTo(/design › replies$/);
    expect(await page.locator('.dock textarea').inputValue()).toContain(text);
    await page.locator('.dock textarea').fill('');
  });

  it('before the browser takes the next key', async () => {
    await goTo(page, `#narrow/channel/${DESIGN}`, 'design');
    await page.locator('.rest-field').waitFor();
    // A task of its own, as of a key, that does not wait for the next frame.
    const opened = `new Promise((done) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => done(document.activeElement?.getAttribute('aria-label'));
      document.querySelector('.rest-field').click();
      port2.postMessage('next');
    })`;
    expect(await page.evaluate(opened)).toBe('Topic');
    await page.keyboard.press('Escape');
  });

  it('on the pages outside of the client, in the first field that is empty or wrong', async () => {
    const browser = await openBrowser({ javaScriptEnabled: true });
    const tab = await browser.context.newPage();
    await tab.goto(`${demo.server.url}/login/`);
    expect(await tab.evaluate('document.activeElement.id')).toBe('username');
    await tab.keyboard.type('max@roost.test');
    await tab.keyboard.press('Tab');
    await tab.keyboard.type('not the password');
    await tab.keyboard.press('Enter');
    await tab.getByRole('alert').waitFor();
    expect(await tab.evaluate('document.activeElement.id')).toBe('password');
    await browser.close();
  });
});
