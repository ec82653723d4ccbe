import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inspect } from '../support/accessibility.ts';
import { hasBrowser } from '../support/browser.ts';
import { DemoPages, goTo } from '../support/demo-pages.ts';

const DESIGN = 2;

// What is asked of the server here is asked on both databases by the tests of its slices.
describe.skipIf(!hasBrowser())('undo in the web client', () => {
  let demo: DemoPages;
  let page: Page;
  beforeAll(async () => {
    demo = await DemoPages.open();
    page = await demo.logIn('member');
  });
  afterAll(() => demo.close());

  const row = (text: string) => page.locator('article', { hasText: text }).last();
  const contents = async (topic: string) => (await demo.topic(DESIGN, topic)).map(({ content }) => content);
  const open = (topic: string) => goTo(page, `#narrow/channel/2-design/topic/${topic}`, topic);
  const undo = (text: string | RegExp) =>
    page.locator('.toast', { hasText: text }).getByRole('button', { name: 'Undo' }).click();

  it('takes a message back into the composer, by a button and by a key', async () => {
    await open('undo');
    const field = page.locator('.dock textarea');
    for (const way of ['button', 'key'] as const) {
      await field.fill(`too early, ${way}`);
      await page.keyboard.press('Control+Enter');
      await row(`too early, ${way}`).waitFor();
      await page.getByRole('button', { name: 'Take back' }).waitFor();
      expect((await inspect(page)).found).toEqual([]);
      expect(await contents('undo')).toEqual([`too early, ${way}`]);
      if (way === 'button') await page.getByRole('button', { name: 'Take back' }).click();
      else await page.keyboard.press('Control+z');
      await expect.poll(() => field.inputValue()).toBe(`too early, ${way}`);
      await expect.poll(() => contents('undo')).toEqual([]);
      await field.fill('');
    }
  });

  it('folds a deleted message, brings it back, and deletes it when it is left alone or the page is', async () => {
    for (const text of ['stays', 'goes', 'goes with the page']) await demo.send('member', DESIGN, 'deleting', text);
    await open('deleting');
    await row('stays').focus();
    await page.keyboard.press('Delete');
    await page.getByText(/Final in/).waitFor();
    expect((await inspect(page)).found).toEqual([]);
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await row('stays').focus();
    await page.keyboard.press('Delete');
    await page.getByText(/Final in/).waitFor();
    await page.keyboard.press('Control+z');
    await row('stays').waitFor();
    const goes = page.locator('article').filter({ hasText: /goes$/ });
    await goes.focus();
    await page.keyboard.press('Delete');
    await expect.poll(() => contents('deleting')).toEqual(['stays', 'goes with the page']);
    await row('goes with the page').focus();
    await page.keyboard.press('Delete');
    await page.getByText(/Final in/).waitFor();
    await page.reload();
    await expect.poll(() => contents('deleting'), { timeout: 4000 }).toEqual(['stays']);
  });

  it('moves messages back, and offers that only where nothing else would come along', async () => {
    for (const text of ['one', 'two']) await demo.send('member', DESIGN, 'before', text);
    await open('before');
    const move = async (topic: string) => {
      await page.locator('main article').first().focus();
      await page.keyboard.press('m');
      await page.getByRole('dialog').getByLabel('Topic', { exact: true }).fill(topic);
      await page.getByLabel('in the new topic').uncheck();
      await page.getByRole('dialog').getByText('The whole topic, 2 messages').click();
      await page.keyboard.press('Enter');
    };
    await move('after');
    await expect.poll(() => contents('after')).toEqual(['one', 'two']);
    await undo('2 messages moved to “after”.');
    await expect.poll(() => contents('before')).toEqual(['one', 'two']);
    await demo.send('member', DESIGN, 'crowded', 'three');
    await open('before');
    await move('crowded');
    await expect.poll(() => contents('crowded')).toEqual(['one', 'two', 'three']);
    expect(await page.locator('.toast').filter({ hasText: 'moved to “crowded”' }).count()).toBe(0);
  });

  it('takes back what was resolved, muted, followed and marked read', async () => {
    await demo.send('owner', DESIGN, 'plain', 'unread');
    await open('plain');
    await page.locator('.dock textarea').fill('half a thought');
    await page.getByRole('button', { name: 'Resolve topic' }).click();
    await page.getByRole('button', { name: 'Reopen topic' }).waitFor();
    expect(await page.locator('.dock textarea').inputValue()).toBe('half a thought');
    await undo('“plain” is resolved.');
    await page.getByRole('button', { name: 'Resolve topic' }).waitFor();
    expect(await contents('plain')).toContain('unread');
    const policies = async () =>
      (await demo.call('member', 'POST', '/register', { fetch_event_types: ['user_topic'], event_types: [] }))[
        'user_topics'
      ].filter(
        (one: { topic_name: string; visibility_policy: number }) =>
          one.topic_name === 'plain' && one.visibility_policy !== 0,
      );
    await page.getByRole('button', { name: 'Follow', exact: true }).click();
    await undo('You follow “plain”.');
    await expect.poll(policies).toEqual([]);
    await page.getByRole('button', { name: 'Topic menu' }).click();
    await page.getByRole('menuitem', { name: 'Mute topic' }).click();
    await page.getByText('“plain” is muted.').waitFor();
    await page.getByRole('button', { name: 'Topic menu' }).click();
    await page.getByRole('menuitem', { name: 'Unmute topic' }).click();
    await page.getByText('“plain” is neither').waitFor();
    // Only the newest of two notices about one topic stays.
    expect(await page.getByText('“plain” is muted.').count()).toBe(0);
    await undo('“plain” is neither');
    await expect.poll(policies).toMatchObject([{ visibility_policy: 1 }]);
    await page.getByRole('button', { name: 'Topic menu' }).click();
    await page.getByRole('menuitem', { name: 'Unmute topic' }).click();
    await expect.poll(policies).toEqual([]);
    await goTo(page, '#inbox', 'Inbox');
    const id = await demo.send('owner', DESIGN, 'plain', 'new');
    await page.getByRole('main').getByRole('link', { name: 'plain' }).waitFor();
    await page.getByRole('button', { name: 'Mark all as read' }).click();
    await undo(/marked as read/);
    await page.getByRole('main').getByRole('link', { name: 'plain' }).waitFor();
    const [last] = (await demo.topic(DESIGN, 'plain')).filter((one) => one.id === id);
    expect(last?.flags).not.toContain('read');
    expect(demo.complaints).toEqual([]);
  });

  it('takes back what the menu of a channel did, in the sidebar, and in the heads of its views', async () => {
    const ofDesign = async () => {
      const { subscriptions } = await demo.call('member', 'GET', '/users/me/subscriptions');
      const all = subscriptions as readonly { name: string; is_muted: boolean; pin_to_top: boolean }[];
      const row = all.find(({ name }) => name === 'design');
      return row && [row.is_muted, row.pin_to_top];
    };
    const more = page.getByRole('button', { name: 'More for design' });
    const openers = [
      ['#narrow/channel/2-design', page.locator('.head').and(page.locator(':visible')).locator(more)],
      ['#topics/channel/2-design', page.locator('.head').and(page.locator(':visible')).locator(more)],
      ['#inbox', page.getByRole('navigation').locator(more)],
    ] as const;
    for (const [hash, opener] of openers) {
      await goTo(page, hash);
      for (const [item, state, words] of [
        ['Mute channel', [true, false], '“design” is muted.'],
        ['Pin to top', [false, true], '“design” is pinned.'],
        ['Leave', undefined, 'You left design.'],
      ] as const) {
        await opener.focus();
        await page.keyboard.press('Enter');
        await page.getByRole('menuitem', { name: item }).click();
        await expect.poll(ofDesign).toEqual(state);
        await undo(words);
        await expect.poll(ofDesign).toEqual([false, false]);
      }
    }
    await goTo(page, '#narrow/channel/2-design', 'design');
    await openers[0][1].click();
    await page.getByRole('menuitem', { name: 'Channel settings' }).click();
    await page.getByRole('heading', { level: 2, name: 'design' }).waitFor();
  });

  it('is not offered to a guest who leaves, as they could not come back: they are asked before', async () => {
    const guest = await demo.logIn('guest');
    await goTo(guest, '#narrow/channel/1-general', 'general');
    const head = guest.locator('.head').and(guest.locator(':visible'));
    await head.getByRole('button', { name: 'More for general' }).click();
    const items = guest.getByRole('menuitem');
    await items.filter({ hasText: 'Channel settings' }).waitFor();
    expect(await items.filter({ hasText: 'Leave' }).count()).toBe(0);
    await items.filter({ hasText: 'Channel settings' }).click();
    await guest.getByRole('button', { name: 'Leave' }).click();
    await guest.getByRole('dialog').getByText('You can only come back if somebody').waitFor();
    await guest.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await guest.close();
  });

  it('renames a topic whole from its menu, and back', async () => {
    for (const text of ['one', 'two']) await demo.send('member2', DESIGN, 'whole', text);
    await open('whole');
    await page.getByRole('button', { name: 'Topic menu' }).first().click();
    await page.getByRole('menuitem', { name: 'Move or rename …' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    expect(await dialog.getByRole('radio').count()).toBe(1);
    await dialog.getByLabel('Topic', { exact: true }).fill('renamed');
    await dialog.getByRole('button', { name: 'Move 2 messages' }).click();
    await expect.poll(async () => (await contents('renamed')).slice(0, 2)).toEqual(['one', 'two']);
    await undo(/moved to “renamed”/);
    await expect.poll(async () => (await contents('whole')).slice(0, 2)).toEqual(['one', 'two']);
  });

  it('marks a conversation unread from its menu, also a direct one, while it is open, and takes that back', async () => {
    const { user_id: me } = await demo.call('member', 'GET', '/users/me');
    await demo.send('owner', DESIGN, 'once more', 'first');
    await demo.send('owner', DESIGN, 'once more', 'second');
    await demo.call('owner', 'POST', '/messages', { type: 'direct', to: JSON.stringify([me]), content: 'just you' });
    const unread = async () => {
      const asked = { fetch_event_types: ['message', 'update_message_flags'], event_types: [] };
      const { unread_msgs } = await demo.call('member', 'POST', '/register', asked);
      const { streams, pms } = unread_msgs as {
        streams: { topic: string; unread_message_ids: number[] }[];
        pms: { unread_message_ids: number[] }[];
      };
      const inTopic = streams.find(({ topic }) => topic === 'once more')?.unread_message_ids.length ?? 0;
      return [inTopic, pms.flatMap((one) => one.unread_message_ids).length];
    };
    await open('once more');
    await expect.poll(async () => (await unread())[0]).toBe(0);
    await page.getByRole('button', { name: 'Topic menu' }).click();
    await page.getByRole('menuitem', { name: 'Mark as unread' }).click();
    await expect.poll(async () => (await unread())[0]).toBe(1);
    await undo('“once more” was marked as unread.');
    await expect.poll(async () => (await unread())[0]).toBe(0);
    const [, before = 0] = await unread();
    await goTo(page, '#recent', 'Recent conversations');
    const direct = page.locator('main .recent-row, main li', { hasText: 'just you' }).first();
    for (const item of ['Mark as read', 'Mark as unread']) {
      await direct.getByRole('button', { name: /^More/ }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('menuitem', { name: item }).click();
      await expect.poll(async () => (await unread())[1]).toBe(item === 'Mark as read' ? before - 1 : before);
    }
  });

  it('deletes a topic whole, for whoever may delete any message, after saying how much goes', async () => {
    for (const text of ['one', 'two']) await demo.send('member2', DESIGN, 'doomed', text);
    await open('doomed');
    await page.getByRole('button', { name: 'Topic menu' }).click();
    await page.getByRole('menuitem', { name: 'Copy link' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Delete topic' }).count()).toBe(0);
    await page.keyboard.press('Escape');
    const owner = await demo.logIn('owner');
    await goTo(owner, '#narrow/channel/2-design/topic/doomed', 'doomed');
    const ask = async () => {
      await owner.getByRole('button', { name: 'Topic menu' }).focus();
      await owner.keyboard.press('Enter');
      await owner.getByRole('menuitem', { name: 'Delete topic' }).focus();
      await owner.keyboard.press('Enter');
      await owner.getByRole('dialog').getByRole('button', { name: 'Delete 2 messages' }).waitFor();
    };
    await ask();
    await owner.keyboard.press('Escape');
    expect(await contents('doomed')).toEqual(['one', 'two']);
    await ask();
    await owner.getByRole('button', { name: 'Delete 2 messages' }).click();
    await expect.poll(() => contents('doomed')).toEqual([]);
    await page.getByText('Nothing here yet').waitFor();
    await owner.context().close();
  });
});
