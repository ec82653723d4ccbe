import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tooSmall } from '../support/accessibility.ts';
import { hasBrowser } from '../support/browser.ts';
import { DemoPages, goTo } from '../support/demo-pages.ts';

const HERE = '#narrow/channel/2-design/topic/logo';

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}
const boxesOf = (page: Page, selector: string) =>
  page.evaluate<Box[]>(
    `[...document.querySelectorAll(${JSON.stringify(selector)})].map((one) => one.getBoundingClientRect().toJSON())`,
  );

// What is asked of the server here is asked on both databases elsewhere.
describe.skipIf(!hasBrowser())('the client at every width', () => {
  let demo: DemoPages;
  let page: Page;
  let phone: Page;
  beforeAll(async () => {
    demo = await DemoPages.open('sqlite', { ROOST_MAX_UPLOAD_MIB: '1' });
    [page, phone] = await Promise.all([demo.logIn('member'), demo.logIn('member', { hasTouch: true })]);
    await phone.setViewportSize({ width: 360, height: 780 });
  });
  afterAll(() => demo.close());

  it.each([768, 900, 1200, 1440])('has the button that sends beside the tools, %i px wide', async (width) => {
    await page.setViewportSize({ width, height: 900 });
    await goTo(page, HERE, 'logo');
    await page.locator('.dock textarea').fill('ready to go');
    await page.getByRole('button', { name: 'Send later' }).waitFor();
    const [tools, send, composer] = await boxesOf(page, '.dock :is(.tools, .send), .dock .composer');
    const inOrder = [composer, tools, send].toSorted((a, b) => (a?.left ?? 0) - (b?.left ?? 0));
    expect(inOrder).toHaveLength(3);
    const [whole, first, last] = inOrder as [Box, Box, Box];
    expect(first.right).toBeLessThanOrEqual(last.left);
    expect(last.top).toBeLessThan(first.bottom);
    expect(last.right).toBeLessThanOrEqual(whole.right);
    // Where there is room for all tools, all are in sight.
    if (width < 900) return;
    const tool = (await boxesOf(page, '.dock .tools .icon-btn')).at(-1);
    expect(tool?.right).toBeLessThanOrEqual(last.left);
  });

  it('shows the name of a channel whole before its description, however long that is', async () => {
    await page.setViewportSize({ width: 900, height: 900 });
    await demo.call('owner', 'PATCH', '/streams/2', { description: 'How things look and read. '.repeat(8) });
    await goTo(page, '#narrow/channel/2-design', 'design');
    await page.locator('.head .after-title', { hasText: 'read. How' }).waitFor();
    const [needed, has] = await page.evaluate<[number, number]>(
      `(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth])(document.querySelector('.head h1'))`,
    );
    expect(needed).toBeLessThanOrEqual(has);
  });

  it('keeps the tabs of a channel apart on the narrowest phones', async () => {
    await goTo(phone, '#channels/2-design/personal');
    await phone.getByRole('link', { name: 'For me' }).waitFor();
    const tabs = await boxesOf(phone, '.tabs > a');
    expect(tabs.length).toBeGreaterThan(4);
    for (const [index, tab] of tabs.entries()) expect(tab.left).toBeGreaterThanOrEqual(tabs[index - 1]?.right ?? 0);
    const widths = await phone.evaluate<[number, number][]>(
      `[...document.querySelectorAll('.tabs > a')].map((one) => [one.scrollWidth, one.clientWidth])`,
    );
    for (const [needed, has] of widths) expect(needed).toBeLessThanOrEqual(has);
  });

  it('lets a finger that is held on a message react, star and edit, as the pointer may elsewhere', async () => {
    await demo.send('member', 2, 'logo', 'held by a finger');
    await goTo(phone, HERE, 'logo');
    const message = phone.locator('main article', { hasText: 'held by a finger' });
    const touch = { pointerType: 'touch', isPrimary: true, bubbles: true, pointerId: 7 };
    await message.dispatchEvent('pointerdown', touch);
    const items = phone.getByRole('menu').getByRole('menuitem');
    const tada = phone.getByRole('menuitem', { name: 'tada' });
    await tada.waitFor();
    await message.dispatchEvent('pointerup', touch);
    // Its words, five reactions and the way to others, at most nine actions, and the rest when it is asked for.
    await phone.locator('.sheet-quote', { hasText: 'Max Member held by a finger' }).waitFor();
    expect(await phone.locator('.quick-react [role=menuitem]').count()).toBe(6);
    const named = items.locator('visible=true').filter({ hasText: /[A-Z]/ });
    const short = await named.allTextContents();
    expect(short.slice(0, 2)).toEqual(['Star', 'Edit']);
    expect(short).toHaveLength(9);
    await items.filter({ hasText: 'More …' }).click();
    await items.filter({ hasText: 'Delete' }).waitFor();
    expect(await phone.evaluate('document.activeElement.role')).toBe('menuitem');
    await phone.getByRole('menuitem', { name: '+1' }).click();
    await message.getByRole('button', { name: /\+1/ }).waitFor();
    await message.dispatchEvent('pointerdown', touch);
    await items.first().waitFor();
    await message.dispatchEvent('pointerup', touch);
    await items.filter({ hasText: 'Star' }).click();
    await message.getByRole('img', { name: 'Starred' }).waitFor();
    await message.dispatchEvent('pointerdown', touch);
    await phone.getByRole('menuitem', { name: 'React' }).click();
    await phone.getByLabel('Find an emoji').fill('tada');
    await phone.getByRole('button', { name: 'tada', exact: true }).waitFor();
    await phone.keyboard.press('Enter');
    await message.getByRole('button', { name: /tada/ }).waitFor();
    // A finger that goes away at once, or that scrolls, is not held.
    await message.dispatchEvent('pointerdown', touch);
    await message.dispatchEvent('pointercancel', touch);
    await phone.waitForTimeout(700);
    expect(await items.count()).toBe(0);
  });

  it('closes a dialog by a press beside it, but not while something in it is other than it was', async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    const dialog = page.getByRole('dialog', { name: 'New channel' });
    const pressBeside = () => page.mouse.click(20, 880);
    await goTo(page, '#channels/new');
    await dialog.waitFor();
    await pressBeside();
    await dialog.waitFor({ state: 'detached' });
    await goTo(page, '#channels/new');
    await dialog.getByLabel('Name').fill('typed at length');
    await pressBeside();
    expect(await dialog.getByLabel('Name').inputValue()).toBe('typed at length');
    // A press that begins in the dialog selects text.
    await dialog.getByLabel('Name').fill('');
    await dialog.getByLabel('Name').hover();
    await page.mouse.down();
    await page.mouse.move(20, 880);
    await page.mouse.up();
    await dialog.getByText('Private', { exact: false }).first().click();
    await pressBeside();
    expect(await dialog.isVisible()).toBe(true);
    await dialog.getByText('Public', { exact: false }).first().click();
    await pressBeside();
    await dialog.waitFor({ state: 'detached' });
  });

  it('shows a notice above the open composer of a phone, not over what is typed', async () => {
    await goTo(phone, HERE, 'logo');
    await phone.locator('.dock textarea').tap();
    const chooser = phone.waitForEvent('filechooser');
    await phone.getByRole('button', { name: 'Attach files' }).tap();
    await (await chooser).setFiles({ name: 'film.mp4', mimeType: 'video/mp4', buffer: Buffer.alloc(2 ** 21) });
    const notice = phone.locator('.toast.error', { hasText: 'at most 1 MiB' });
    await notice.waitFor();
    const [bottom, [composer]] = [await notice.boundingBox(), await boxesOf(phone, '.dock .composer')];
    expect((bottom?.y ?? 999) + (bottom?.height ?? 0)).toBeLessThanOrEqual(composer?.top ?? 0);
    await notice.getByRole('button').tap();
    await goTo(phone, '#inbox', 'Inbox');
  });

  it('leads from the title of a topic to the topics of its channel on phones, and to the channel elsewhere', async () => {
    for (const [at, leads] of [
      [phone, '#topics/channel/2-design'],
      [page, '#narrow/channel/2-design'],
    ] as const) {
      await goTo(at, HERE, 'logo');
      await at.locator('.head .crumbs').getByRole('link', { name: 'design' }).click();
      await at.waitForFunction(`location.hash === '${leads}'`);
    }
  });

  it('does not move the messages under a finger that takes the focus away from the composer', async () => {
    // More than the window has room for, so that a lower composer moves them.
    await demo.send('member2', 2, 'colours', 'high\n'.repeat(20));
    await demo.send('owner', 2, 'colours', 'between');
    await demo.send('member2', 2, 'colours', 'the newest');
    await goTo(phone, '#narrow/channel/2-design/topic/colours', 'colours');
    const newest = phone.locator('main article').last();
    await newest.getByText('the newest').waitFor();
    const field = phone.locator('.dock textarea');
    await field.tap();
    await phone.locator('.dock .bar-row').waitFor();
    await phone.getByRole('button', { name: 'Mia Member', exact: true }).last().tap();
    await phone.getByRole('button', { name: 'More for Mia Member' }).waitFor();
    await phone.locator('.dock .bar-row').waitFor({ state: 'hidden' });
    await phone.keyboard.press('Escape');
  });

  it('has fields on touch screens with letters so large that no phone zooms in', async () => {
    const smallest = () =>
      phone.evaluate<number>(
        `Math.min(...[...document.querySelectorAll('input, select, textarea')].map((one) => parseFloat(getComputedStyle(one).fontSize)))`,
      );
    for (const hash of [HERE, '#settings/preferences', '#channels/2-design/general']) {
      await goTo(phone, hash);
      await phone.locator('input, select, textarea').first().waitFor({ state: 'attached' });
      expect([hash, await smallest()]).toEqual([hash, 16]);
    }
  });

  it('has rows as large as a finger in the lists of conversations and of people', async () => {
    await goTo(phone, HERE, 'logo');
    for (const [opener, name] of [
      ['People', 'People'],
      ['Open the list of conversations', 'Conversations'],
    ] as const) {
      if (name === 'Conversations') await goTo(phone, '#recent', 'Recent conversations');
      await phone.getByRole('button', { name: opener }).first().click();
      await phone.getByRole('dialog', { name }).locator('.selfbar, .person').first().waitFor();
      expect(await tooSmall(phone)).toEqual([]);
      await phone.keyboard.press('Escape');
    }
  });

  it('opens the list of conversations over a view on phones, and leads back from what is chosen there', async () => {
    await goTo(phone, '#recent', 'Recent conversations');
    const drawer = phone.getByRole('dialog', { name: 'Conversations' });
    const open = phone.getByRole('button', { name: 'Open the list of conversations' });
    await open.click();
    await drawer.waitFor();
    expect(await phone.evaluate(`document.activeElement.closest('dialog') !== null`)).toBe(true);
    await phone.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    expect(await open.evaluate((button) => button === button.ownerDocument.activeElement)).toBe(true);
    await open.click();
    await drawer.getByRole('link', { name: /^design/ }).click();
    await phone.waitForFunction(`location.hash.startsWith('#narrow/channel/2-design')`);
    await drawer.waitFor({ state: 'detached' });
    // As the system's swipe does.
    await phone.goBack();
    await phone.waitForFunction(`location.hash === '#recent'`);
  });

  it('has a search in the head of every list on phones, and a title that is not cut off', async () => {
    await demo.call('member', 'PATCH', '/settings', { default_language: 'de' });
    await goTo(phone, '#inbox', 'Eingang');
    const [needed, has] = await phone.evaluate<[number, number]>(
      `(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth])(document.querySelector('.head h1'))`,
    );
    expect(needed).toBeLessThanOrEqual(has);
    await demo.call('member', 'PATCH', '/settings', { default_language: 'en' });
    for (const hash of ['#inbox', '#recent', '#feed', '#narrow/is/starred', '#narrow/channel/2-design']) {
      await goTo(phone, hash);
      await phone.locator('.head').getByRole('button', { name: 'Search or jump to' }).click();
      await phone.getByRole('dialog').getByRole('combobox').waitFor();
      await phone.keyboard.press('Escape');
    }
  });

  it('keeps rows of channels, boxes of notifications and invited addresses whole in German, on the narrowest phones', async () => {
    await demo.call('member', 'PATCH', '/settings', { default_language: 'de' });
    await goTo(phone, '#channels', 'Kanäle');
    await phone.getByText('Beigetreten').nth(1).waitFor();
    const [counts, acts] = [await boxesOf(phone, '.crow .meta'), await boxesOf(phone, '.crow .act > *')];
    expect(acts.length).toBeGreaterThan(2);
    for (const [index, act] of acts.entries()) {
      expect(act.left).toBeGreaterThanOrEqual(counts[index]?.right ?? 0);
      expect(act.right).toBeLessThanOrEqual(360);
    }
    await goTo(phone, '#settings/notifications', 'Benachrichtigungen');
    const boxes = await boxesOf(phone, '.matrix .hitbox');
    expect(boxes.length).toBeGreaterThan(8);
    for (const { left, right } of boxes) expect(right - left).toBeGreaterThanOrEqual(44);
    const invited = 'nina.nightingale@example.com';
    await demo.call('member', 'POST', '/invites', { invitee_emails: invited, stream_ids: [], invite_as: 400 });
    await goTo(phone, '#organization/invites');
    const address = phone.locator('.rows b', { hasText: invited });
    await address.waitFor();
    expect((await address.boundingBox())?.height).toBeLessThan(30);
    await demo.call('member', 'PATCH', '/settings', { default_language: 'en' });
    await goTo(phone, '#inbox', 'Inbox');
  });

  it('shows what is written from right to left on that side, and names beside what they belong to', async () => {
    const id = await demo.send('owner', 2, 'نقاش', '> اقتباس\n\n* واحد\n* اثنان\n```\nx = 1;\n```');
    const read = async (by: Page) => {
      await by.evaluate(`location.hash = '#narrow/channel/2-design/topic/.D9.86.D9.82.D8.A7.D8.B4/near/${id}'`);
      await by.locator('main .rendered li').first().waitFor();
    };
    // First, because what is read leaves the inbox.
    await goTo(page, '#inbox', 'Inbox');
    await page.getByText('Olive: \u2068').first().waitFor();
    await read(page);
    expect(
      await page.evaluate(
        `['ul', 'blockquote'].map((one) => getComputedStyle(document.querySelector('main .rendered ' + one)).direction)`,
      ),
    ).toEqual(['rtl', 'rtl']);
    // Code is written from left to right in pages of every language; arrows point the way of the text.
    const turned = `(() => {
      const { documentElement: html } = document;
      html.dir = 'rtl';
      const code = getComputedStyle(document.querySelector('main .rendered pre'));
      const arrow = getComputedStyle(document.querySelector('.crumbs > .i'));
      const found = [code.direction, arrow.transform];
      html.dir = '';
      return [...found, getComputedStyle(document.querySelector('.crumbs > .i')).transform];
    })()`;
    expect(await page.evaluate(turned)).toEqual(['ltr', 'matrix(-1, 0, 0, 1, 0, 0)', 'none']);
    expect(await page.locator('.dock textarea').getAttribute('placeholder')).toContain('\u2068');
    await goTo(page, '#inbox', 'Inbox');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('نق');
    // The channel is named after the topic, as everywhere.
    const option = page.getByRole('option').first();
    await option.locator('small').waitFor();
    const [name, note] = [await option.locator('b').boundingBox(), await option.locator('small').boundingBox()];
    expect(name?.x ?? 0).toBeLessThan(note?.x ?? 0);
    await page.keyboard.press('Escape');
  });

  it('keeps the buttons of a message that is edited in its frame, and names the topic without one, in German', async () => {
    await demo.call('member', 'PATCH', '/settings', { default_language: 'de' });
    await demo.send('member', 2, '', 'Eben geschrieben');
    await goTo(phone, '#narrow/channel/2-design/topic/', 'allgemeiner Chat');
    await phone.locator('main article', { hasText: 'Eben geschrieben' }).focus();
    await phone.locator('main article [data-keys="e"]').waitFor({ state: 'attached' });
    await phone.keyboard.press('e');
    await phone.getByRole('timer').waitFor();
    const [form] = await boxesOf(phone, '.msg.editing form');
    for (const { left, right } of await boxesOf(phone, '.msg.editing .send > *')) {
      expect(left).toBeGreaterThanOrEqual(form?.left ?? 0);
      expect(right).toBeLessThanOrEqual(form?.right ?? 0);
    }
    await phone.keyboard.press('Escape');
    await demo.call('member', 'PATCH', '/settings', { default_language: 'en' });
    await goTo(phone, '#inbox', 'Inbox');
  });

  it('scrolls its lists, never the page, however long the list of people is', async () => {
    await page.setViewportSize({ width: 1440, height: 280 });
    await goTo(page, '#narrow/channel/1-general', 'general');
    const sections = page.locator('aside.right .side-h');
    await sections.nth(1).waitFor({ state: 'attached' });
    await expect.poll(async () => (await sections.nth(1).boundingBox())?.y).toBeGreaterThan(280);
    expect(await page.evaluate('document.documentElement.scrollHeight')).toBe(280);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('shows a conversation at the address of a person like any other, with its people and without tabs', async () => {
    await goTo(phone, '#user/6', 'Mona Moderator');
    expect(await phone.getByRole('navigation', { name: 'Main' }).count()).toBe(0);
    await phone.getByRole('button', { name: 'Show people' }).click();
    await phone.getByRole('dialog', { name: 'People' }).getByText('Mona Moderator').waitFor();
    await phone.keyboard.press('Escape');
    await goTo(phone, '#user/999999', 'Not found');
    expect(await phone.getByRole('button', { name: 'Show people' }).count()).toBe(0);
    await page.setViewportSize({ width: 1440, height: 900 });
    await goTo(page, '#user/6', 'Mona Moderator');
    await page.getByRole('complementary', { name: 'People' }).waitFor();
    await goTo(page, '#user/999999', 'Not found');
    await page.getByRole('complementary', { name: 'People' }).waitFor({ state: 'detached' });
    await goTo(phone, '#organization/organization-profile');
    await expect.poll(() => phone.locator('.tabbar [aria-current]').textContent()).toContain('You');
  });

  it('lets a member change the own profile where administrators change those of others', async () => {
    const { user_id } = await demo.call('member', 'GET', '/users/me');
    await goTo(page, `#organization/users/${String(user_id)}`);
    for (const name of ['Max A. Member', 'Max Member']) {
      await page.getByLabel('Name', { exact: true }).fill(name);
      await page.getByLabel('Name', { exact: true }).press('Tab');
      await expect.poll(() => demo.call('member', 'GET', '/users/me')).toMatchObject({ full_name: name });
    }
  });

  it('moves nothing where the system asks for less motion', async () => {
    const longestSeconds = () =>
      page.evaluate<number>(`Math.max(...[...document.querySelectorAll('*')].flatMap((one) => {
        const { transitionDuration, animationDuration } = getComputedStyle(one);
        return [transitionDuration, animationDuration].flatMap((all) => all.split(',')).map(parseFloat);
      }))`);
    await goTo(page, HERE, 'logo');
    await expect.poll(longestSeconds).toBeGreaterThan(0.05);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    expect(await longestSeconds()).toBeLessThan(0.001);
    await page.emulateMedia({ reducedMotion: null });
  });

  it('tells what is chosen from what is not where all colours are those of the system', async () => {
    const styles = (selector: string, property: string) =>
      page.evaluate<string[]>(`[...document.querySelectorAll(${JSON.stringify(selector)})]
        .map((one) => getComputedStyle(one)[${JSON.stringify(property)}])`);
    await page.emulateMedia({ forcedColors: 'active' });
    await goTo(page, '#settings/notifications');
    await page.locator('.switch:checked').first().waitFor();
    const [on, off] = [
      await styles('.switch:checked', 'backgroundColor'),
      await styles('.switch:not(:checked)', 'backgroundColor'),
    ];
    expect(off.filter((colour) => on.includes(colour))).toEqual([]);
    expect(on.length * off.length).toBeGreaterThan(0);
    await goTo(page, HERE, 'logo');
    expect(await styles('.side-row > a[aria-current="page"]', 'borderTopStyle')).toContain('solid');
    await page.emulateMedia({ forcedColors: null });
  });

  it('marks in what was found the words that were searched for, and nowhere else', async () => {
    await demo.send('owner', 2, 'logo', 'A *heron* stands in the water.');
    await goTo(page, '#narrow/search/heron', 'Search');
    const marked = page.locator('main article .highlight');
    await expect.poll(() => marked.allTextContents()).toEqual(['heron']);
    await goTo(page, HERE, 'logo');
    await page.locator('main article', { hasText: 'stands in the water' }).waitFor();
    expect(await marked.count()).toBe(0);
  });

  it('says who may post where one may not', async () => {
    await goTo(page, '#narrow/channel/3-announcements/topic/maintenance', 'maintenance');
    await page.getByRole('link', { name: 'Who may post' }).click();
    await page.getByText('Administrators').first().waitFor();
    expect(await page.evaluate('location.hash')).toMatch(/^#channels\/3.*permissions$/);
  });

  it('says in a draft that one may not post there any more, and lets its text be copied', async () => {
    const { id } = await demo.call('owner', 'POST', '/channels/create', { name: 'fleeting', subscribers: '[]' });
    await demo.call('member', 'POST', '/drafts', {
      drafts: [{ type: 'stream', to: [id], topic: 'late', content: 'A word too late', timestamp: 1 }],
    });
    await goTo(page, '#drafts', 'Drafts');
    const draft = page.locator('.ditem', { hasText: 'A word too late' });
    await draft.getByRole('button', { name: 'Continue writing' }).waitFor();
    await demo.call('owner', 'DELETE', `/streams/${String(id)}`);
    await draft.getByText(/fleeting is archived|No such channel/).waitFor();
    expect(await draft.getByRole('button', { name: 'Continue writing' }).count()).toBe(0);
    await draft.getByRole('button', { name: 'Copy text' }).click();
    await page.getByText('Copied', { exact: true }).waitFor();
    await draft.getByRole('button', { name: 'Discard' }).click();
    await draft.waitFor({ state: 'detached' });
  });

  it('names the topic of a draft whole on a phone, beside a channel with a long name', async () => {
    await demo.call('owner', 'PATCH', '/streams/2', { new_name: 'releases and long-term maintenance of everything' });
    await demo.call('member', 'POST', '/drafts', {
      drafts: [{ type: 'stream', to: [2], topic: 'short', content: 'A word', timestamp: 1 }],
    });
    await goTo(phone, '#drafts', 'Drafts');
    const [needed, has] = await phone
      .locator('.to-where b', { hasText: 'short' })
      .evaluate((topic) => [topic.scrollWidth, topic.clientWidth] as const);
    await demo.call('owner', 'PATCH', '/streams/2', { new_name: 'design' });
    expect(needed).toBeLessThanOrEqual(has);
  });

  it('shows a draft on the lines on which it was typed', async () => {
    await goTo(page, '#narrow/channel/2-design/topic/colours', 'colours');
    await page.locator('.dock textarea').fill('one\ntwo');
    await goTo(page, '#drafts', 'Drafts');
    const draft = page.locator('.ditem .body p', { hasText: 'one' });
    await draft.waitFor();
    expect(await draft.innerText()).toBe('one\ntwo');
  });

  it('lists the topics of a channel with the time and the last words of each', async () => {
    await demo.send('owner', 2, 'logo', 'A **heron** instead?');
    await goTo(page, '#topics/channel/2-design', 'design');
    const row = page.locator('main .lrow', { hasText: 'logo' });
    await row.getByText('Olive: A heron instead?').waitFor();
    expect(await row.locator('time').textContent()).not.toBe('');
    expect(await row.locator('time').getAttribute('datetime')).not.toBe('');
  });

  it('shows descriptions as they are rendered, on the card of a group, and in lists without the marks', async () => {
    const fields = { name: 'herons', description: 'Birds that **stand**', members: '[]' };
    await demo.call('owner', 'POST', '/user_groups/create', fields);
    await demo.call('owner', 'PATCH', '/streams/2', { description: 'How *everything* looks' });
    await demo.send('owner', 2, 'logo', 'Ask the @*herons*');
    await goTo(page, HERE, 'logo');
    await page.locator('.user-group-mention', { hasText: 'herons' }).last().click();
    const card = page.getByRole('dialog', { name: 'herons' });
    await card.locator('strong', { hasText: 'stand' }).waitFor();
    await page.keyboard.press('Escape');
    await goTo(page, '#groups', 'Groups');
    await page.getByText('Birds that stand', { exact: true }).waitFor();
    await goTo(page, '#channels', 'Channels');
    await page.getByText('How everything looks', { exact: true }).waitFor();
    await goTo(page, '#narrow/channel/2-design', 'design');
    await page.locator('.head', { hasText: 'How everything looks' }).waitFor();
  });

  it('gives what can be done with people and bots a line of its own on phones, in words', async () => {
    await demo.call('owner', 'POST', '/bots', { full_name: 'Build', short_name: 'build', bot_type: 2 });
    const owner = await demo.logIn('owner', { hasTouch: true });
    await owner.setViewportSize({ width: 390, height: 780 });
    await goTo(owner, '#organization/users/active');
    const own = owner.locator('.rows > li', { hasText: 'Olive Owner' });
    await own.getByText('you', { exact: true }).waitFor();
    const [tag, line] = [await own.locator('.tag').boundingBox(), await own.locator('.grow').boundingBox()];
    expect((tag?.x ?? 0) + (tag?.width ?? 0)).toBeLessThanOrEqual((line?.x ?? 0) + (line?.width ?? 0));
    for (const [hash, name, acts, height] of [
      // The role stands below the name, as the name would have no room beside it.
      ['#organization/users/active', 'Max Member', ['Deactivate Max Member'], 112],
      ['#organization/bots', 'Build', ['Address', 'Key', 'Deactivate'], 132],
    ] as const) {
      await goTo(owner, hash);
      const row = owner.locator('.rows > li', { hasText: name }).first();
      await row.waitFor();
      const box = await row.boundingBox();
      expect(box?.height).toBeLessThanOrEqual(height);
      const buttons = await row.getByRole('button').all();
      expect(buttons).toHaveLength(acts.length);
      expect(await row.getByText('Deactivate', { exact: true }).isVisible()).toBe(true);
      for (const button of buttons) {
        const own = await button.boundingBox();
        expect(own?.y).toBeGreaterThanOrEqual(box?.y ?? 0);
        expect((own?.y ?? 0) + (own?.height ?? 0)).toBeLessThanOrEqual((box?.y ?? 0) + (box?.height ?? 0));
      }
    }
  });

  it('shows what may be chosen on the whole width of a phone, above a keyboard', async () => {
    const owner = await demo.logIn('owner', { hasTouch: true });
    await owner.setViewportSize({ width: 360, height: 780 });
    await goTo(owner, '#channels/2/-/permissions');
    await owner.getByRole('button', { name: 'Add' }).first().click();
    const picker = owner.getByRole('dialog');
    await picker.getByRole('searchbox').waitFor();
    expect(await picker.boundingBox()).toMatchObject({ x: 0, y: 0, width: 360 });
    const field = await picker.getByRole('searchbox').boundingBox();
    expect(field?.x).toBeGreaterThan(4);
    await owner.context().close();
  });

  it('begins each page of the settings at its top', async () => {
    for (const one of [page, phone]) {
      await one.setViewportSize(one === page ? { width: 1440, height: 600 } : { width: 360, height: 780 });
      await goTo(one, '#settings/notifications');
      const last = one.getByRole('switch').last();
      await last.waitFor();
      await last.scrollIntoViewIfNeeded();
      await goTo(one, '#settings/account-and-privacy');
      const first = one.getByRole('button', { name: 'Change email' });
      await first.waitFor();
      expect((await first.boundingBox())?.y).toBeGreaterThan(0);
    }
  });

  it('shows the current one of many tabs, and who may add people, to a guest on a phone', async () => {
    const guest = await demo.logIn('guest', { hasTouch: true });
    await guest.setViewportSize({ width: 360, height: 780 });
    await goTo(guest, '#channels/1/-/personal');
    const tab = guest.getByRole('link', { name: 'For me' });
    await tab.waitFor();
    const right = async () => {
      const box = await tab.boundingBox();
      return (box?.x ?? 0) + (box?.width ?? 1000);
    };
    await expect.poll(right).toBeLessThanOrEqual(360);
    await goTo(guest, '#channels/1/-/subscribers');
    await guest.getByText('Others can be added by: Olive Owner, Members.').waitFor();
    await goTo(guest, '#channels/archived');
    await guest.getByText('Choose another filter.', { exact: true }).waitFor();
    await guest.context().close();
  });

  it('begins a topic on a phone by one tap, with its name first, and leads from the settings of a channel to it', async () => {
    await phone.setViewportSize({ width: 390, height: 844 });
    await goTo(phone, '#channels/2/-/general');
    await phone.getByRole('link', { name: 'Open', exact: true }).tap();
    await phone.getByRole('button', { name: 'Start a topic in design' }).tap();
    const topic = phone.getByRole('combobox', { name: 'Topic' });
    await expect.poll(() => topic.evaluate('document.activeElement.className')).toContain('topic');
    await topic.fill('by one tap');
    await phone.locator('.dock textarea').fill('First');
    await phone.getByRole('button', { name: 'Send', exact: true }).tap();
    await phone.getByRole('heading', { level: 1, name: 'by one tap' }).waitFor();
    // A tool is shown by half, which says that there are more, and not by a sliver.
    await phone.getByRole('button', { name: 'Take back' }).waitFor();
    const [tools] = await boxesOf(phone, '.dock .tools');
    expect((tools?.right ?? 0) - (tools?.left ?? 0)).toBeCloseTo(66, 0);
  });

  it('opens the menu of a row of the inbox by a long press, with what its channel offers', async () => {
    await demo.send('owner', 2, 'held', 'Something to read');
    await demo.send('owner', 2, 'beside', 'Something else');
    await phone.setViewportSize({ width: 390, height: 844 });
    await goTo(phone, '#inbox', 'Inbox');
    const row = phone.locator('.lrow', { hasText: 'held' });
    const box = await row.boundingBox();
    const touch = await phone.context().newCDPSession(phone);
    const touchPoints = [{ x: (box?.x ?? 0) + 80, y: (box?.y ?? 0) + 20 }];
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints });
    await phone.getByRole('menuitem', { name: 'Mark channel as read' }).waitFor();
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await phone.getByRole('menuitem', { name: 'Open channel' }).waitFor();
    await phone.getByRole('menuitem', { name: 'Mark channel as read' }).click();
    await phone.locator('.lrow', { hasText: 'beside' }).waitFor({ state: 'detached' });
    expect(await row.count()).toBe(0);
  });

  it('has room for every tool of the composer in a window of 900 px, and for the words of cards, in German', async () => {
    const tab = await demo.logIn('member2');
    await tab.setViewportSize({ width: 900, height: 800 });
    await demo.call('member2', 'PATCH', '/settings', { default_language: 'de' });
    await tab.getByRole('navigation', { name: 'Unterhaltungen' }).waitFor();
    await goTo(tab, HERE, 'logo');
    await tab.locator('.dock textarea').fill('Krah');
    const isWhole = (selector: string) =>
      tab.evaluate(
        `[...document.querySelectorAll('${selector}')].every((one) => one.scrollWidth <= one.clientWidth && one.clientWidth > 0)`,
      );
    await tab.getByRole('button', { name: 'Senden', exact: true }).waitFor();
    expect(await isWhole('.dock .tools')).toBe(true);
    await tab.locator('main article .who', { hasText: 'Max Member' }).last().click();
    await tab.getByRole('dialog').getByText('Nachricht', { exact: true }).waitFor();
    expect(await isWhole('.ucard .row .btn')).toBe(true);
    await tab.context().close();
  });
});
