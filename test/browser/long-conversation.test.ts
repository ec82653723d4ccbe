import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { DemoPages, goTo, INTERCEPTED, type Person } from '../support/demo-pages.ts';

/** More than is fetched around the first of them. */
const UNREAD = 130;
const [CHANNEL, TOPIC] = [2, 'long'];
const HERE = `#narrow/channel/${CHANNEL}-design/topic/${TOPIC}`;

describe.skipIf(!hasBrowser())('a conversation with more unread than is fetched at once', () => {
  let demo: DemoPages;
  let newest = 0;
  beforeAll(async () => {
    demo = await DemoPages.open();
    for (let number = 1; number <= UNREAD; number++)
      newest = await demo.send('owner', CHANNEL, TOPIC, `words ${number}.`);
  });
  afterAll(() => demo.close());

  /** Somebody comes to where unread begins. */
  async function come(person: Person): Promise<Page> {
    const page = await demo.logIn(person, INTERCEPTED);
    await goTo(page, HERE, TOPIC);
    await row(page, 'words 1.').waitFor();
    expect(await row(page, `words ${UNREAD}.`).count()).toBe(0);
    return page;
  }
  const row = (page: Page, text: string) => page.getByRole('article').filter({ hasText: text });

  it('goes to the newest message by a key', async () => {
    const page = await come('member');
    await page.keyboard.press('End');
    await row(page, `words ${UNREAD}.`).waitFor();
  });

  it('forgets what is to be done at the newest message when one leaves before it is there', async () => {
    const page = await demo.logIn('moderator', INTERCEPTED);
    await goTo(page, HERE, TOPIC);
    await row(page, 'words 1.').waitFor();
    let answer = (): void => undefined;
    const isTime = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/api/v1/messages?*anchor=newest*', (route) => isTime.then(() => route.continue()));
    await page.keyboard.press('End');
    await page.keyboard.press('Delete');
    await goTo(page, '#narrow/channel/1-general/topic/lunch', 'lunch');
    const answered = page.waitForResponse('**/api/v1/messages?*anchor=newest*');
    answer();
    await answered;
    expect(await page.getByText(/Final in/).count()).toBe(0);
    expect(await page.evaluate('document.activeElement.dataset.message')).toBeUndefined();
  });

  it('goes to the newest message by a key that comes before any message, and acts on that one', async () => {
    const page = await demo.logIn('moderator', INTERCEPTED);
    let answer = (): void => undefined;
    const isTime = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/api/v1/messages?*', (route) => isTime.then(() => route.continue()));
    await goTo(page, HERE, TOPIC);
    await page.keyboard.press('End');
    await page.keyboard.press('*');
    answer();
    await row(page, `words ${UNREAD}.`).getByRole('img', { name: 'Starred' }).waitFor();
    expect(await page.evaluate('document.activeElement.dataset.message')).toBe(String(newest));
  });

  it('stays where one reads when the newest messages do not come', async () => {
    const page = await come('member2');
    await page.route('**/api/v1/messages?*anchor=newest*', (route) => route.fulfill({ status: 500, body: '' }));
    const refused = page.waitForResponse('**/api/v1/messages?*anchor=newest*');
    await page.keyboard.press('End');
    await refused;
    await row(page, 'words 1.').waitFor();
  });

  it('keeps what one has gone to at once in its place while older messages come before it', async () => {
    const page = await demo.logIn('admin');
    await goTo(page, `${HERE}/near/${newest}`, TOPIC);
    await row(page, `words ${UNREAD}.`).waitFor();
    const older = page.waitForResponse('**/api/v1/messages?*num_after=0*');
    await page.evaluate('document.querySelector("main .virtual").scrollTop = 0');
    await older;
    await expect.poll(() => page.evaluate('document.querySelector("main .virtual").scrollTop')).toBeGreaterThan(1000);
    // The oldest of the first fetch, which had the line of its day above it.
    const box = await row(page, `words ${UNREAD - 50}.`).boundingBox();
    const list = await page.locator('main .virtual').boundingBox();
    expect((box?.y ?? 0) - (list?.y ?? 0)).toBeLessThan(100);
    expect((box?.y ?? 0) - (list?.y ?? 0)).toBeGreaterThanOrEqual(0);
  });

  it('shows what one sends without a connection below what one reads', async () => {
    const page = await come('member');
    await page.route('**/api/v1/**', (route) => route.abort());
    await page.locator('.dock textarea').fill('an answer into the void');
    await page.keyboard.press('Control+Enter');
    const waiting = page.getByRole('region', { name: 'Messages being sent' });
    await waiting.getByRole('article').filter({ hasText: 'an answer into the void' }).waitFor();
    await row(page, 'words 1.').waitFor();
    await page.unroute('**/api/v1/**');
    await page.evaluate("dispatchEvent(new Event('online'))");
    await waiting.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Jump to newest' }).click();
    await row(page, 'an answer into the void').waitFor();
  });

  it('is printed whole, as far as it is loaded, on white, and nothing but it', async () => {
    await demo.call('admin', 'PATCH', '/settings', { color_scheme: 2 });
    const page = await demo.logIn('admin');
    await goTo(page, `${HERE}/near/${newest}`, TOPIC);
    await row(page, `words ${UNREAD}.`).waitFor();
    await row(page, `words ${UNREAD - 50}.`).waitFor({ state: 'detached' });
    // The browser lays out what is there once the handlers of the event have run.
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    for (const number of [UNREAD, UNREAD - 50])
      expect(await row(page, `words ${number}.`).count(), String(number)).toBe(1);
    await page.emulateMedia({ media: 'print' });
    expect(await page.evaluate('getComputedStyle(document.documentElement).colorScheme')).toBe('light');
    for (const control of ['.skip', '.left', '.dock', '.newest'])
      expect(await page.locator(`${control}:visible`).count(), control).toBe(0);
    await page.emulateMedia({ media: 'screen' });
    await page.evaluate("dispatchEvent(new Event('afterprint'))");
    await row(page, `words ${UNREAD - 50}.`).waitFor({ state: 'detached' });
    await row(page, `words ${UNREAD}.`).waitFor();
  });

  it('draws only what is in sight at once when it was printed', async () => {
    const page = await demo.logIn('admin');
    await goTo(page, `${HERE}/near/${newest}`, TOPIC);
    await row(page, `words ${UNREAD}.`).waitFor();
    const frame = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';
    // As high as what is printed, until the window is the measure again.
    await page.evaluate(`{
      dispatchEvent(new Event('beforeprint'));
      document.querySelector('main .virtual').style.cssText = 'flex: none; height: 5000px';
      ${frame}.then(() => undefined);
    }`);
    await row(page, `words ${UNREAD - 50}.`).waitFor();
    const drawn = await page.evaluate(`{
      document.querySelector('main .virtual').style.cssText = '';
      dispatchEvent(new Event('afterprint'));
      ${frame}.then(() => document.querySelectorAll('main article').length);
    }`);
    expect(drawn).toBeLessThan(50);
  });

  it('is printed on one page where it is short', async () => {
    const page = await demo.logIn('owner');
    await goTo(page, '#narrow/channel/1-general/topic/lunch', 'lunch');
    const pdf = await page.pdf({ format: 'A4' });
    expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(1);
  });

  it('is printed with long messages whole, and without what is there to be pressed', async () => {
    const lines = Array.from({ length: 40 }, (_, line) => `line ${line + 1}`).join('\n');
    await demo.send('owner', 1, 'paper', lines);
    await demo.send('owner', 1, 'paper', '/poll Which bird?\nA rook');
    const page = await demo.logIn('owner');
    await goTo(page, '#narrow/channel/1-general/topic/paper', 'paper');
    await page.getByRole('button', { name: 'Show more' }).waitFor();
    await page.locator('.poll .foot').waitFor();
    const height = async () => (await row(page, 'line 40').boundingBox())?.height ?? 0;
    await expect.poll(height).toBeLessThan(400);
    await page.emulateMedia({ media: 'print' });
    await expect.poll(height).toBeGreaterThan(700);
    for (const control of ['.more-text', '.poll .foot'])
      expect([control, await page.locator(control).count(), await page.locator(`${control}:visible`).count()]).toEqual([
        control,
        1,
        0,
      ]);
  });

  it('keeps nothing of the rows that have gone out of sight', async () => {
    const page = await come('member2');
    await page.keyboard.press('End');
    await row(page, `words ${UNREAD}.`).waitFor();
    const devtools = await page.context().newCDPSession(page);
    const nodes = async () => {
      await devtools.send('HeapProfiler.collectGarbage');
      return (await devtools.send('Memory.getDOMCounters')).nodes;
    };
    const before = await nodes();
    for (let number = 1; number <= 60; number++) await demo.send('owner', CHANNEL, TOPIC, `more words ${number}.`);
    await row(page, 'more words 60.').waitFor();
    // Each of sixty rows has some twenty.
    await expect.poll(nodes).toBeLessThan(before + 400);
  });

  it('shows what one sends, and what comes after it', async () => {
    const page = await come('moderator');
    await page.locator('.dock textarea').fill('an answer to all of them');
    await page.keyboard.press('Control+Enter');
    await row(page, 'an answer to all of them').waitFor();
    await demo.send('owner', CHANNEL, TOPIC, 'an answer to the answer');
    await row(page, 'an answer to the answer').waitFor();
  });
});
