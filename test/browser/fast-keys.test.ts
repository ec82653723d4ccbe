import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { DemoPages, goTo, INTERCEPTED } from '../support/demo-pages.ts';

const DESIGN = 2;
/** Files that come later. */
const CODE = '**/web/lists-*.js';
const EMOJI = '**/static/emoji.json*';
const HERE = `#narrow/channel/${DESIGN}-design/topic/fast`;

/** Presses keys one right after the other, as a person does who knows them by heart. */
async function pressAll(page: Page, ...keys: readonly string[]): Promise<void> {
  await Promise.all(keys.map((key) => page.keyboard.press(key)));
}

// What is asked of the server here is asked on both databases by the tests of its slices.
describe.skipIf(!hasBrowser())('keys that are pressed faster than the page follows', () => {
  let demo: DemoPages;
  let page: Page;
  beforeAll(async () => {
    demo = await DemoPages.open();
    page = await demo.logIn('member', INTERCEPTED);
    await goTo(page, HERE, 'fast');
  });
  afterAll(() => demo.close());

  const text = () => page.locator('.dock textarea');

  /** Opens the page anew; returns a function that lets it fetch what is at an address. */
  async function without(address: string): Promise<() => void> {
    let arrive = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    await page.route(address, (route) => held.then(() => route.continue()));
    await page.reload();
    await page.getByRole('navigation', { name: 'Conversations' }).waitFor();
    return arrive;
  }

  /** Opens the page anew, at the text; returns a function that lets it fetch the names of all emoji. */
  async function withoutEmoji(): Promise<() => void> {
    const arrive = await without(EMOJI);
    await text().click();
    return arrive;
  }

  it('complete what is typed as soon as the completions are known, and let the rest follow it', async () => {
    const fetchEmoji = await withoutEmoji();
    await pressAll(page, ...':tad', 'Tab', ...'done');
    expect(await text().inputValue()).toBe(':taddone');
    fetchEmoji();
    await expect.poll(() => text().inputValue()).toBe(':tada: done');
    await text().fill('');
  });

  it('do what else they do when there turns out to be no completion', async () => {
    const fetchEmoji = await withoutEmoji();
    await pressAll(page, ...'at :xyzzy', 'Enter');
    expect(await text().inputValue()).toBe('at :xyzzy');
    fetchEmoji();
    await expect.poll(() => text().inputValue()).toBe('at :xyzzy\n');
    await text().fill('');
  });

  it.each([
    ['an emoji', ':tad', ':tada: '],
    ['a person', '@ma', '@**Max Member** '],
    ['a channel', '#de', '#**design** '],
    ['a command', '/to', '/todo '],
    ['a language', '```py', '```python'],
  ])('complete %s by what is typed, and not by what was a key before', async (_, typed, completed) => {
    for (const key of ['Tab', 'Enter']) {
      await text().click();
      await pressAll(page, ...typed, key);
      await expect.poll(() => text().inputValue()).toBe(completed);
      await text().fill('');
    }
  });

  it('complete nothing that the cursor has left', async () => {
    await text().click();
    await page.keyboard.type('hello :tad');
    const list = page.getByRole('listbox');
    await list.waitFor();
    await page.keyboard.press('Home');
    await list.waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    expect(await text().inputValue()).toBe('\nhello :tad');
    await text().fill('');
  });

  /** A message of one's own in a topic of its own, with the focus. */
  async function onOwnMessage(topic: string): Promise<number> {
    const id = await demo.send('member', DESIGN, topic, 'a nest');
    await goTo(page, `#narrow/channel/${DESIGN}-design/topic/${topic}`, topic);
    await page.locator(`main article[data-message="${id}"]`).focus();
    return id;
  }

  it.each(['e', 'ArrowUp'])('of %s and a changed text reach the form, whose text is still fetched', async (key) => {
    await onOwnMessage(`edited-${key}`);
    if (key === 'ArrowUp') await text().click();
    await pressAll(page, key, ...' of madam');
    const form = page.getByRole('form', { name: 'Edit message' });
    await expect.poll(() => form.getByRole('textbox').inputValue()).toBe('a nest of madam');
    await form.getByRole('button', { name: 'Cancel' }).click();
  });

  it('of > and an answer reach the composer below the quotation', async () => {
    await onOwnMessage('quoted');
    await pressAll(page, '>', ...'these are mad');
    await expect.poll(() => text().inputValue()).toMatch(/quote\na nest\n```\nthese are mad$/);
    await text().fill('');
  });

  it('of > quote a message, but lead nobody back who has gone elsewhere', async () => {
    const id = await onOwnMessage('slow');
    let answer = (): void => undefined;
    const isTime = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route(`**/api/v1/messages/${id}*`, (route) => isTime.then(() => route.continue()));
    await page.keyboard.press('>');
    await goTo(page, '#inbox', 'Inbox');
    answer();
    await expect.poll(() => page.evaluate('JSON.stringify({ ...localStorage })')).toContain('a nest');
    expect(await page.evaluate('location.hash')).toBe('#inbox');
    await goTo(page, `#narrow/channel/${DESIGN}-design/topic/slow`, 'slow');
    expect(await text().inputValue()).toContain('quote\na nest');
    await text().fill('');
  });

  it('of > do nothing else when the quotation is not to be had', async () => {
    const id = await onOwnMessage('unquoted');
    await page.route(`**/api/v1/messages/${id}*`, (route) => route.fulfill({ status: 500, body: '' }));
    await pressAll(page, '>', ...'mad', 'Delete');
    await page.locator('.toast').waitFor();
    expect(await page.evaluate('location.hash')).toMatch(/unquoted$/);
    expect(await page.locator('dialog[open]').count()).toBe(0);
    await page.keyboard.press('t');
    await page.getByRole('heading', { level: 1, name: 'Recent conversations' }).waitFor();
  });

  it('go to the end, edit what is there, and reach its text', async () => {
    await onOwnMessage('ended');
    await page.evaluate('document.activeElement.blur()');
    await pressAll(page, 'End', 'e', ...' of madam');
    const form = page.getByRole('form', { name: 'Edit message' });
    await expect.poll(() => form.getByRole('textbox').inputValue()).toBe('a nest of madam');
    await form.getByRole('button', { name: 'Cancel' }).click();
  });

  it('lead to another view, and act on that one', async () => {
    await onOwnMessage('left');
    await pressAll(page, 't', 'c', ...'olive');
    await expect.poll(() => page.getByRole('dialog').getByRole('combobox').inputValue()).toBe('olive');
    expect(await page.getByRole('heading', { level: 1, name: 'Recent conversations' }).count()).toBe(1);
    await pressAll(page, 'Enter', ...'caw');
    await page.getByRole('heading', { level: 1, name: 'Olive Owner' }).waitFor();
    await expect.poll(() => text().inputValue()).toBe('caw');
    await text().fill('');
    await goTo(page, `#narrow/channel/${DESIGN}-design/topic/left`, 'left');
    expect(await text().inputValue()).toBe('');
  });

  it('begin a text in the conversation that is opened, where one was writing in another', async () => {
    await onOwnMessage('ended');
    await onOwnMessage('begun');
    await text().click();
    const there = `#narrow/channel/${DESIGN}-design/topic/ended`;
    // The keys come while the page is busy, and so before the event of the address.
    const isBusy = page.waitForEvent('console');
    const going = page.evaluate(`{
      console.debug('busy');
      location.hash = '${there}';
      const end = performance.now() + 300;
      while (performance.now() < end);
    }`);
    await isBusy;
    await pressAll(page, 'c', ...'caw');
    await going;
    await page.getByRole('heading', { level: 1, name: 'ended' }).waitFor();
    await expect.poll(() => text().inputValue()).toBe('caw');
    await text().fill('');
    await goTo(page, `#narrow/channel/${DESIGN}-design/topic/begun`, 'begun');
    expect(await text().inputValue()).toBe('');
  });

  it('choose a channel and write its topic and text', async () => {
    await goTo(page, HERE, 'fast');
    await page.locator('.dock .pick').focus();
    await pressAll(page, 'ArrowDown', ...'gen', 'Enter', ...'nests', 'Enter', ...'caw');
    await expect.poll(() => text().inputValue()).toBe('caw');
    expect(await page.getByRole('combobox', { name: 'Topic' }).inputValue()).toBe('fastnests');
    await text().fill('');
  });

  it('name a snippet', async () => {
    await goTo(page, HERE, 'fast');
    await text().fill('We meet under the oak.');
    await page.getByRole('button', { name: 'Saved snippets' }).click();
    const snippets = page.getByRole('dialog', { name: 'Saved snippets' });
    await snippets.getByRole('button', { name: /Save this text/ }).focus();
    await pressAll(page, 'Enter', ...'Meeting', 'Enter');
    await snippets.getByRole('option', { name: /Meeting/ }).waitFor();
    await page.keyboard.press('Escape');
    await text().fill('');
  });

  it('reach the palette also where the page handles them much later', async () => {
    const arrive = await without(CODE);
    await text().click();
    await page.keyboard.press('Control+k');
    const busy = page.evaluate('{ const end = performance.now() + 3500; while (performance.now() < end); }');
    await pressAll(page, ...'inbox');
    await busy;
    expect(await text().inputValue()).toBe('');
    arrive();
    await expect.poll(() => page.getByRole('dialog').getByRole('combobox').inputValue()).toBe('inbox');
    await page.keyboard.press('Escape');
  });

  it.each([
    ['what is typed', ['Enter'], /^#inbox$/],
    ['what arrows lead to', ['ArrowUp', 'Enter'], /search\/inbox$/],
    ['what is typed after a mistake', ['x', 'Backspace', 'Enter'], /^#inbox$/],
  ])('choose %s in the palette whose code comes later', async (_, keys, there) => {
    await goTo(page, HERE, 'fast');
    const arrive = await without(CODE);
    await text().click();
    await page.keyboard.press('Control+k');
    await pressAll(page, ...'inbox', ...keys);
    expect(await text().inputValue()).toBe('');
    arrive();
    await expect.poll(() => page.evaluate('location.hash')).toMatch(there);
  });

  it.each([
    ['code', ['Enter'], CODE],
    ['code', ['ArrowDown', 'ArrowRight', 'ArrowLeft', 'Enter'], CODE],
    ['names', ['Enter'], EMOJI],
    ['names', ['ArrowDown', 'Enter'], EMOJI],
  ])('choose an emoji in the picker whose %s come later, by %s', async (what, keys, address) => {
    const id = await onOwnMessage(`reacted-${what}-${keys[0] ?? ''}`);
    const arrive = await without(address);
    const row = page.locator(`main article[data-message="${id}"]`);
    await row.focus();
    await pressAll(page, ':', ...'tada', ...keys);
    arrive();
    await row.locator('.react', { hasText: 'tada' }).waitFor();
    expect(await page.locator('.emoji-pop').count()).toBe(0);
  });

  it('find a topic in the palette as soon as it is known, and wait for it', async () => {
    const id = await demo.send('member', DESIGN, 'quokka', 'They smile.');
    await demo.call('member', 'POST', '/messages/flags', { messages: [id], op: 'add', flag: 'read' });
    const there = /topic\/quokka$/;
    const where = () => page.evaluate('location.hash');
    for (const isEntered of [true, false]) {
      await goTo(page, '#drafts', 'Drafts');
      const arrive = await without('**/api/v1/messages?*');
      await page.keyboard.press('Control+k');
      await page.keyboard.type('quok');
      if (isEntered) await page.keyboard.press('Enter');
      const options = page.getByRole('dialog').getByRole('option');
      await options.getByText('Search messages').waitFor();
      expect(await where()).toBe('#drafts');
      arrive();
      if (isEntered) await expect.poll(where).toMatch(there);
      else await options.filter({ hasText: 'quokka' }).waitFor();
    }
    await page.keyboard.press('Enter');
    await expect.poll(where).toMatch(there);
  });

  it('search at the second Enter, however long the topics take', async () => {
    await goTo(page, '#drafts', 'Drafts');
    const arrive = await without('**/api/v1/messages?*');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('quokka');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate('location.hash')).toMatch(/search\/quokka$/);
    arrive();
  });
});
