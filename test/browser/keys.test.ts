import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Command, SHORTCUTS } from '../../web/keyboard/index.ts';
import { inspect } from '../support/accessibility.ts';
import { hasBrowser, openBrowser } from '../support/browser.ts';
import { DemoPages, goTo, type ShownMessage } from '../support/demo-pages.ts';
import { pause } from '../support/pause.ts';

const DESIGN = 2;
const HERE = '#narrow/channel/2-design/topic/keys';

/** The key as the browser driver calls it. */
function pressed(keys: string): string {
  const named: Readonly<Record<string, string>> = { '↓': 'ArrowDown', '↑': 'ArrowUp', Esc: 'Escape' };
  return keys
    .split(' ')
    .map((key) => named[key] ?? (key === 'Ctrl' ? 'Control' : key))
    .map((key, index, all) => (index === all.length - 1 && all[0] === 'Control' ? key.toLowerCase() : key))
    .join('+');
}

// Every row of the help screen, by each of its keys. What is asked of the server is asked on both databases elsewhere.
describe.skipIf(!hasBrowser())('every key of the table', () => {
  let demo: DemoPages;
  let page: Page;
  beforeAll(async () => {
    demo = await DemoPages.open();
    page = await demo.logIn('member');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  });
  afterAll(() => demo.close());

  const dialog = (name: string | RegExp) => page.getByRole('dialog', { name }).waitFor();
  const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  const newest = async (): Promise<ShownMessage | undefined> => (await demo.topic(DESIGN, 'keys')).at(-1);
  const row = () => page.locator('main article').last();
  const onMessage = async () => {
    await goTo(page, HERE, 'keys');
    await row().waitFor();
    await row().focus();
  };
  const elsewhere = () => goTo(page, '#narrow/is/starred', 'Starred');
  const focusedId = () => page.evaluate('document.activeElement?.closest("article")?.dataset.message');
  const hash = () => page.evaluate('location.hash');

  interface Trial {
    /** Where one is before; on the newest message unless something else is said. */
    readonly before?: () => Promise<unknown>;
    /** What must be so afterwards. */
    readonly after: () => Promise<unknown>;
  }

  const TRIALS: Readonly<Record<Command, Trial>> = {
    palette: { before: elsewhere, after: () => dialog(/jump/i) },
    jump: { before: elsewhere, after: () => dialog(/jump/i) },
    search: { before: elsewhere, after: () => dialog(/jump|search/i) },
    help: { before: elsewhere, after: () => dialog('Keyboard') },
    leave: {
      before: async () => {
        await goTo(page, HERE, 'keys');
        await page.locator('.dock textarea').focus();
      },
      after: () => expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('BODY'),
    },
    undo: {
      before: async () => {
        await onMessage();
        await page.keyboard.press('Delete');
        await page.getByText(/Final in/).waitFor();
      },
      after: () => page.getByText(/Final in/).waitFor({ state: 'detached' }),
    },
    inbox: { after: () => heading('Inbox') },
    recent: { after: () => heading('Recent conversations') },
    feed: { after: () => heading('Combined feed') },
    drafts: { after: () => heading('Drafts') },
    nextTopic: {
      before: async () => {
        await demo.send('owner', DESIGN, 'aaa unread', 'read me');
        await elsewhere();
        await page
          .getByRole('link', { name: /aaa unread/ })
          .first()
          .waitFor();
      },
      after: () => expect.poll(hash).toMatch(/#narrow\/channel\/\d+-.*\/topic\//),
    },
    nextDirect: { before: elsewhere, after: () => expect.poll(hash).toMatch(/#narrow\/dm\//) },
    channel: { after: () => expect.poll(hash).toBe('#narrow/channel/2-design') },
    topic: {
      before: async () => {
        await goTo(page, '#feed', 'Combined feed');
        const own = page.locator('main article', { hasText: 'last of keys' });
        await own.waitFor();
        await own.focus();
      },
      after: () => expect.poll(hash).toBe(HERE),
    },
    down: {
      before: async () => {
        await onMessage();
        await page.locator('main article').nth(-2).focus();
      },
      after: async () => expect.poll(focusedId).toBe(String((await newest())?.id)),
    },
    up: { after: async () => expect.poll(focusedId).not.toBe(String((await newest())?.id)) },
    newest: {
      before: async () => {
        await onMessage();
        await page.locator('main article').first().focus();
      },
      after: async () => expect.poll(focusedId).toBe(String((await newest())?.id)),
    },
    reply: { after: () => expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('TEXTAREA') },
    compose: {
      before: () => goTo(page, HERE, 'keys'),
      after: () => expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('TEXTAREA'),
    },
    newDirect: { before: elsewhere, after: () => dialog(/jump|people/i) },
    react: { after: () => page.getByLabel('Find an emoji').waitFor() },
    thumbsUp: { after: () => expect.poll(async () => (await newest())?.reactions.length).toBe(1) },
    star: { after: () => expect.poll(async () => (await newest())?.flags).toContain('starred') },
    edit: { after: () => page.locator('article textarea').waitFor() },
    more: { after: () => page.getByRole('menu', { name: 'Message actions' }).waitFor() },
    quote: {
      after: () => expect.poll(() => page.locator('.dock textarea').inputValue()).toContain('last of keys'),
    },
    forward: { after: () => dialog('Forward') },
    move: { after: () => dialog('Move messages') },
    history: {
      before: async () => {
        const id = (await newest())?.id;
        await demo.call('member', 'PATCH', `/messages/${id}`, { content: `last of keys, changed ${Date.now()}` });
        await onMessage();
        await row().getByText('edited').waitFor();
      },
      after: () => dialog('Edit history'),
    },
    receipts: {
      before: async () => {
        await demo.call('owner', 'PATCH', '/realm', { enable_read_receipts: true });
        await onMessage();
      },
      after: () => dialog(/seen by/i),
    },
    delete: { after: () => page.getByText(/Final in/).waitFor() },
    unreadFrom: { after: () => expect.poll(async () => (await newest())?.flags).not.toContain('read') },
    copyLink: { after: () => page.getByText('Link copied.').waitFor() },
    collapse: { after: () => page.getByText('Collapsed', { exact: true }).waitFor() },
    sender: { after: () => dialog('Max Member') },
    mute: { after: () => page.getByText('“keys” is muted.').waitFor() },
  };

  /** As it was before: nothing open, nothing typed, nothing left of what the last key did. */
  async function tidy(): Promise<void> {
    for (let times = 0; times < 2; times++) await page.keyboard.press('Escape');
    if (await page.getByText(/Final in/).isVisible()) await page.getByRole('button', { name: 'Undo' }).first().click();
    const message = await newest();
    if (message?.flags.includes('collapsed') === true) {
      const flag = { messages: [message.id], op: 'remove', flag: 'collapsed' };
      await demo.call('member', 'POST', '/messages/flags', flag);
      await page.getByText('Collapsed', { exact: true }).waitFor({ state: 'detached' });
    }
    const field = page.locator('.dock textarea');
    // A view that is just being left takes its field along.
    if ((await field.count()) > 0)
      await field.fill('', { timeout: 5000 }).catch(async (error: unknown) => {
        if ((await field.count()) > 0) throw error;
      });
    await page.keyboard.press('Escape');
    expect(await page.locator('dialog[open]').count()).toBe(0);
  }

  it('is tried here', () => {
    const commands = SHORTCUTS.flatMap(({ shortcuts }) => shortcuts.map(({ command }) => command));
    expect(Object.keys(TRIALS).toSorted()).toEqual(commands.toSorted());
  });

  const rows = SHORTCUTS.flatMap(({ shortcuts }) => shortcuts).flatMap(({ command, keys }) =>
    keys.map((key) => [key, command] as const),
  );
  it.each(rows)('%s: %s', async (key, command) => {
    if ((await newest()) === undefined)
      for (const text of ['first of keys', 'last of keys']) await demo.send('member', DESIGN, 'keys', text);
    const { before = onMessage, after } = TRIALS[command];
    await before();
    await page.keyboard.press(pressed(key));
    await after();
    await tidy();
    expect(demo.complaints).toEqual([]);
  });

  it('leads on in what was opened, wherever the focus was', async () => {
    await elsewhere();
    // What other keys have led to may be read by now.
    const { user_id } = await demo.call('member', 'GET', '/users/me');
    await demo.call('owner', 'POST', '/messages', { type: 'direct', to: [user_id], content: 'Are you there?' });
    await page
      .locator('.left')
      .getByRole('link', { name: /Olive Owner.*unread/ })
      .waitFor();
    for (const open of [
      () => page.keyboard.press('p'),
      async () => {
        await page.keyboard.press('Control+k');
        await page.locator('dialog').getByRole('combobox').fill('logo');
        await page.keyboard.press('Enter');
      },
    ]) {
      await page.locator('.left').getByRole('link', { name: 'Starred' }).focus();
      await open();
      await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('BODY');
      await row().waitFor();
      await page.keyboard.press('j');
      await expect.poll(focusedId).toBeDefined();
    }
  });

  it('reaches settings and what can be done by the palette', async () => {
    for (const [words, there] of [
      ['alert words', '#settings/alert-words'],
      ['invitat', '#organization/invites'],
      ['invite', '#organization/invites'],
      ['theme', '#settings/preferences/theme'],
      ['password', '#settings/account-and-privacy/password'],
      ['new chan', '#channels/new'],
    ] as const) {
      await elsewhere();
      await page.keyboard.press('Control+k');
      await page.locator('dialog').getByRole('combobox').fill(words);
      await page.keyboard.press('Enter');
      await expect.poll(hash).toBe(there);
      await page.keyboard.press('Escape');
    }
  });

  it('acts on a message that has the focus only now, or is about to get it', async () => {
    await onMessage();
    const own = row();
    await page.locator('main article').first().focus();
    await page.evaluate(`(() => {
      const [last] = [...document.querySelectorAll('main article')].slice(-1);
      last.focus();
      last.dispatchEvent(new KeyboardEvent('keydown', { key: 'e', bubbles: true, cancelable: true }));
    })()`);
    await own.locator('textarea').waitFor();
    await page.keyboard.press('Escape');
    await own.locator('textarea').waitFor({ state: 'detached' });
    await page.evaluate(`(() => {
      document.activeElement.blur();
      const newest = document.createElement('div');
      newest.className = 'newest';
      newest.append(document.createElement('button'));
      document.querySelector('main').append(newest);
      for (const key of ['End', 'e'])
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
      newest.remove();
    })()`);
    await own.locator('textarea').waitFor();
    await page.keyboard.press('Escape');
  });

  it('stays at the place of a message that is moved away, on one whose topic is renamed, and begins at a link’s', async () => {
    const ids: number[] = [];
    for (const text of ['one', 'two', 'three']) ids.push(await demo.send('owner', DESIGN, 'moving', text));
    const [one = 0, two = 0, three = 0] = ids;
    const move = (id: number, topic: string, propagate_mode: string) =>
      demo.call('owner', 'PATCH', `/messages/${id}`, { topic, propagate_mode, send_notification_to_new_thread: false });
    await goTo(page, '#narrow/channel/2-design/topic/moving', 'moving');
    await page.locator(`article[data-message="${two}"]`).focus();
    await move(two, 'moved away', 'change_one');
    await expect.poll(focusedId).toBe(String(three));
    await page.keyboard.press('k');
    expect(await focusedId()).toBe(String(one));
    await move(one, 'renamed', 'change_all');
    await expect.poll(hash).toContain('/topic/renamed');
    await expect.poll(focusedId).toBe(String(one));
    await elsewhere();
    await goTo(page, `#narrow/channel/2-design/topic/renamed/near/${one}`, 'renamed');
    await page.locator('article.is-target').waitFor();
    await page.keyboard.press('j');
    expect(await focusedId()).toBe(String(one));
  });

  it('does nothing while one types', async () => {
    await goTo(page, HERE, 'keys');
    const field = page.locator('.dock textarea');
    await field.focus();
    const letters = SHORTCUTS.flatMap(({ shortcuts }) => shortcuts)
      .filter(({ isGlobal }) => isGlobal !== true)
      .flatMap(({ keys }) => keys)
      .filter((key) => key.length === 1 && !'↓↑@#:/'.includes(key));
    for (const key of letters) await page.keyboard.press(key);
    expect(await field.inputValue()).toBe(letters.join(''));
    expect(await hash()).toBe(HERE);
    await field.fill('');
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await dialog('Keyboard');
    for (const [key] of rows)
      expect(
        await page
          .getByRole('dialog')
          .locator('kbd', { hasText: key.split(' ').at(-1) ?? '' })
          .count(),
      ).toBeGreaterThan(0);
    expect((await inspect(page)).found).toEqual([]);
  });

  it('reach the text again where the palette does not come', async () => {
    const browser = await openBrowser({ javaScriptEnabled: true, serviceWorkers: 'block' });
    const tab = await demo.openTab(browser, 'member');
    let fail = () => {};
    const held = new Promise<void>((resolve) => (fail = resolve));
    await tab.route('**/web/lists-*.js', (route) => held.then(() => route.abort()));
    await tab.goto(`${demo.server.url}/${HERE}`);
    await tab.reload();
    const text = tab.locator('.dock textarea');
    await text.focus();
    await tab.keyboard.press('Control+k');
    await tab.keyboard.type('lost');
    expect(await text.inputValue()).toBe('');
    await pause(3_500);
    await tab.keyboard.type('kept');
    expect(await text.inputValue()).toBe('kept');
    fail();
    await tab.locator('.toast', { hasText: 'This view could not be shown.' }).waitFor();
    await tab.keyboard.type(' too');
    expect(await text.inputValue()).toBe('kept too');
    await browser.close();
  });

  it('reach the palette that is still loaded, and nothing under it', async () => {
    await demo.call('member', 'PATCH', '/settings', { enter_sends: true });
    const browser = await openBrowser({ javaScriptEnabled: true, serviceWorkers: 'block' });
    const tab = await demo.openTab(browser, 'member');
    let arrive = () => {};
    const held = new Promise<void>((resolve) => (arrive = resolve));
    await tab.route('**/web/lists-*.js', (route) => held.then(() => route.continue()));
    await tab.goto(`${demo.server.url}/${HERE}`);
    await tab.reload();
    const text = tab.locator('.dock textarea');
    await text.fill('half a thought');
    await tab.keyboard.press('Control+k');
    await tab.keyboard.type('inb');
    await tab.keyboard.press('Enter');
    expect(await text.inputValue()).toBe('half a thought');
    expect(await tab.locator('dialog[open]').count()).toBe(0);
    arrive();
    await tab.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
    expect(await text.count()).toBe(0);
    await browser.close();
  });

  it('reach the palette that is opened when a link was followed and its view is not drawn yet', async () => {
    await elsewhere();
    // No event of the new address comes between the two.
    await page.evaluate(`
      location.hash = '#inbox';
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, bubbles: true, cancelable: true }));
    `);
    await heading('Inbox');
    await page.keyboard.type('draf');
    expect(await page.getByRole('dialog').getByRole('combobox').inputValue()).toBe('draf');
    await goTo(page, HERE, 'keys');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });
});
