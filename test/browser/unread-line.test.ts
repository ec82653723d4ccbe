import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { DemoPages, goTo } from '../support/demo-pages.ts';

const DESIGN = 2;

// Nothing here depends on the database.
describe.skipIf(!hasBrowser())('the unread line', () => {
  let demo: DemoPages;
  let page: Page;
  beforeAll(async () => {
    demo = await DemoPages.open();
    page = await demo.logIn('member');
  });
  afterAll(() => demo.close());

  const line = () => page.locator('.perch').allTextContents();
  const say = async (text: string) => {
    await demo.send('owner', DESIGN, 'lines', text);
    await page.locator('main article', { hasText: text }).waitFor();
  };

  it('goes when one answers, and comes again for what comes while nobody looks', async () => {
    await demo.send('owner', DESIGN, 'lines', 'one');
    await demo.send('owner', DESIGN, 'lines', 'two');
    await page
      .getByRole('link', { name: /^lines/ })
      .first()
      .waitFor();
    await goTo(page, `#narrow/channel/${DESIGN}-design/topic/lines`, 'lines');
    await expect.poll(line).toEqual([expect.stringMatching(/^2 new since/)]);
    await page.locator('.dock textarea').fill('an answer');
    await page.keyboard.press('Control+Enter');
    await expect.poll(line).toEqual([]);
    await say('three');
    expect(await line()).toEqual([]);
    await page.evaluate('document.hasFocus = () => false');
    await say('four');
    await say('five');
    await expect.poll(line).toEqual([expect.stringMatching(/^2 new since/)]);
    const below = page.locator('.perch').locator('xpath=following::article[1]');
    expect(await below.textContent()).toContain('four');
  });
});
