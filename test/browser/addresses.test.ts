import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inspect } from '../support/accessibility.ts';
import { type Browser, hasBrowser, openBrowser } from '../support/browser.ts';
import { DemoPages, goTo, INTERCEPTED } from '../support/demo-pages.ts';

const DESIGN = 2;

// What the server refuses is tested on both databases where it is decided.
describe.skipIf(!hasBrowser())('an address that does not lead to messages', () => {
  let demo: DemoPages;
  let page: Page;
  let browser: Browser;
  beforeAll(async () => {
    demo = await DemoPages.open();
    page = await demo.logIn('member');
    browser = await openBrowser({ javaScriptEnabled: true });
  });
  afterAll(async () => {
    await browser.close();
    await demo.close();
  });

  const shown = (text: string) => page.locator('main').getByText(text, { exact: true }).waitFor();

  it.each(['is/starred', 'is/mentioned', 'sender/me', 'dm/7-dm', 'has/reaction/sender/me'])(
    'asks a visitor to log in at %s',
    async (narrow) => {
      const visitor = await browser.context.newPage();
      await visitor.goto(`${demo.server.url}/#narrow/${narrow}`);
      await visitor.getByRole('heading', { name: 'Log in to see this' }).waitFor();
      const logIn = visitor.getByRole('link', { name: 'Log in' }).filter({ visible: true });
      expect(await logIn.getAttribute('href')).toBe(`/login/#narrow/${narrow}`);
      expect((await inspect(visitor)).found).toEqual([]);
      await visitor.close();
    },
  );

  it('says that there is no such person, or nothing to search for', async () => {
    for (const narrow of ['sender/999', 'sender/nobody', 'dm-including/999']) {
      await goTo(page, `#narrow/${narrow}`, 'Search');
      await shown('No such person');
    }
    await goTo(page, '#inbox', 'Inbox');
    await goTo(page, '#narrow/search/', 'Search');
    await shown('No messages found');
    expect(await page.locator('main header .chip').count()).toBe(0);
  });

  it('names the channel that is left out, as a condition of a search', async () => {
    await goTo(page, `#narrow/-channel/${DESIGN}-design`, 'Search');
    await page.locator('main header').getByText('-channel:design').waitFor();
    await expect.poll(() => page.title()).toMatch(/^(?:\(\d+\) )?Search · /);
    expect(await page.locator('.dock').count()).toBe(0);
  });

  it('says that the message of a link is gone, and shows the conversation', async () => {
    await demo.send('owner', DESIGN, 'a gone owl', 'What was that?');
    const id = await demo.send('owner', DESIGN, 'a gone owl', 'An owl.');
    await demo.send('owner', DESIGN, 'a gone owl', 'Gone already.');
    await demo.call('owner', 'DELETE', `/messages/${id}`);
    await goTo(page, `#narrow/channel/${DESIGN}-design/topic/a.20gone.20owl/near/${id}`, 'a gone owl');
    await page.getByText('The message of this link is not there any more.').waitFor();
    await shown('Gone already.');
  });

  it('says so also while it is not known yet that the message was deleted', async () => {
    const tab = await demo.logIn('member', INTERCEPTED);
    let isHeld = false;
    let deliver = (): void => undefined;
    const delivered = new Promise<void>((resolve) => {
      deliver = resolve;
    });
    await tab.route('**/events?*', async (route) => {
      const response = await route.fetch();
      if (isHeld) await delivered;
      await route.fulfill({ response });
    });
    await tab.reload();
    await goTo(tab, '#inbox', 'Inbox');
    const id = await demo.send('owner', DESIGN, 'a gone crow', 'A crow.');
    await tab
      .getByRole('link', { name: /a gone crow/ })
      .first()
      .waitFor();
    isHeld = true;
    await demo.send('owner', DESIGN, 'a gone crow', 'Gone, too.');
    await demo.call('owner', 'DELETE', `/messages/${id}`);
    await goTo(tab, `#narrow/channel/${DESIGN}-design/topic/a.20gone.20crow/near/${id}`, 'a gone crow');
    await tab.getByText('The message of this link is not there any more.').waitFor();
    deliver();
    await tab.locator('main').getByText('Gone, too.', { exact: true }).waitFor();
    await tab.unrouteAll({ behavior: 'ignoreErrors' });
  });

  it('leads to where a message was moved', async () => {
    const id = await demo.send('owner', DESIGN, 'the oak', 'The nest is in the beech.');
    await demo.send('owner', DESIGN, 'the oak', 'Not here.');
    await demo.call('owner', 'PATCH', `/messages/${id}`, { topic: 'the beech', propagate_mode: 'change_one' });
    await goTo(page, `#narrow/channel/${DESIGN}-design/topic/the.20oak/near/${id}`, 'the beech');
    await shown('The nest is in the beech.');
  });

  it('tells who has left, instead of a field to write to them', async () => {
    const { user_id } = await demo.call('member2', 'GET', '/users/me');
    await goTo(page, `#narrow/dm/${user_id}-dm`);
    await page.locator('.dock textarea').waitFor();
    await demo.call('owner', 'DELETE', `/users/${user_id}`);
    await page.getByRole('note', { name: 'You cannot write here' }).getByText('is no longer using Roost.').waitFor();
    expect(await page.locator('.dock textarea').count()).toBe(0);
    const sent = await demo.call('member', 'POST', '/messages', { type: 'direct', to: [user_id], content: 'Hello?' });
    expect(sent['msg']).toMatch(/ is no longer using Roost\.$/);
  });
});
