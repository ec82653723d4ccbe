import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inspect } from '../support/accessibility.ts';
import { hasBrowser } from '../support/browser.ts';
import { DemoPages, goTo } from '../support/demo-pages.ts';

const [GENERAL, DESIGN] = [1, 2];

// What is asked of the server here is asked on both databases by the tests of its slices.
describe.skipIf(!hasBrowser())('the recipients of a message, chosen with keys', () => {
  let demo: DemoPages;
  let page: Page;
  beforeAll(async () => {
    demo = await DemoPages.open();
    page = await demo.logIn('member');
  });
  afterAll(() => demo.close());

  const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  const press = (...keys: string[]) =>
    keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());
  const contents = async (channel: number, topic: string) =>
    (await demo.topic(channel, topic)).map(({ content }) => content);
  /** Waits until the field of that name has the focus: what is typed before goes elsewhere. */
  const inField = (label: string) =>
    expect.poll(() => page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe(label);
  const chips = (count: number) => expect.poll(() => page.locator('.dock .chip').count()).toBe(count);
  const violations = async () => (await inspect(page)).found;
  const begin = async (topic: string) => {
    await goTo(page, `#narrow/channel/2-design/topic/${topic}`, topic);
    await page.locator('.dock textarea').focus();
  };

  it('another topic of the same channel, as it is typed or as it is offered', async () => {
    await demo.send('owner', DESIGN, 'feathers', 'soft');
    await begin('one');
    await press('Shift+Tab', 'Control+a');
    await page.keyboard.type('two');
    await press('Enter');
    await page.keyboard.type('hello two');
    await press('Control+Enter');
    await heading('two');
    await expect.poll(() => contents(DESIGN, 'two')).toEqual(['hello two']);
    await begin('one');
    await press('Shift+Tab', 'Control+a');
    await page.keyboard.type('feat');
    await page.getByRole('option', { name: 'feathers' }).waitFor();
    expect(await violations()).toEqual([]);
    await press('ArrowDown', 'Enter');
    await page.keyboard.type('and light');
    await press('Control+Enter');
    await heading('feathers');
    await expect.poll(() => contents(DESIGN, 'feathers')).toEqual(['soft', 'and light']);
    expect(await contents(DESIGN, 'one')).toEqual([]);
  });

  it('a new topic, from which Tab leads to the text, and back', async () => {
    await goTo(page, '#narrow/channel/2-design', 'design');
    await page.locator('.rest-field').click();
    await inField('Topic');
    await page.keyboard.type('three');
    await press('Tab');
    await inField('Message');
    await page.keyboard.type('hello three');
    await press('Shift+Tab');
    await inField('Topic');
    await press('Shift+Tab');
    await inField('Channel: design');
    const [close, topic] = await Promise.all([
      page.getByRole('button', { name: 'Close and keep draft' }).boundingBox(),
      page.getByRole('combobox', { name: 'Topic' }).boundingBox(),
    ]);
    expect(close?.x).toBeGreaterThan(topic?.x ?? 0);
    await press('Tab', 'Tab', 'Control+Enter');
    await heading('three');
    await expect.poll(() => contents(DESIGN, 'three')).toEqual(['hello three']);
  });

  it('another channel, and nobody is led where they may not write', async () => {
    const { streams } = await demo.call('member', 'GET', '/streams');
    const closed = await demo.call('owner', 'POST', '/users/me/subscriptions', {
      subscriptions: [{ name: 'news from above' }],
      principals: [(await demo.call('member', 'GET', '/users/me'))['user_id']],
    });
    expect([streams.length > 1, closed['result']]).toEqual([true, 'success']);
    const { stream_id } = await demo.call('owner', 'GET', '/get_stream_id', { stream: 'news from above' });
    const { realm_user_groups: groups } = await demo.call('owner', 'POST', '/register', {
      fetch_event_types: ['realm_user_groups'],
      event_types: [],
    });
    const owners = groups.find(({ name }: { name: string }) => name === 'role:owners').id;
    await demo.call('owner', 'PATCH', `/streams/${stream_id}`, { can_send_message_group: { new: owners } });
    await begin('one');
    await press('Shift+Tab', 'Shift+Tab', 'ArrowDown');
    await page.getByRole('option', { name: /news from above/ }).waitFor();
    expect(await page.getByRole('option', { name: /news from above/ }).getAttribute('aria-disabled')).toBe('true');
    expect(await violations()).toEqual([]);
    await page.keyboard.type('news');
    await press('Enter');
    await page.getByRole('combobox', { name: 'Channel or direct message' }).fill('gener');
    await press('Enter');
    await page.getByRole('button', { name: 'Channel: general' }).waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Topic');
    await press('Enter');
    await page.keyboard.type('from afar');
    await press('Control+Enter');
    await expect.poll(() => contents(GENERAL, 'one')).toEqual(['from afar']);
  });

  it('people instead of a channel, and others instead of those', async () => {
    await begin('one');
    await page.keyboard.type('between us');
    await press('Shift+Tab', 'Shift+Tab', 'ArrowDown');
    await inField('Channel or direct message');
    await page.keyboard.type('direct');
    await page.getByRole('option', { name: 'A direct message instead' }).waitFor();
    await press('Enter');
    await inField('Add a person');
    await page.keyboard.type('mona');
    await page.getByRole('option', { name: /Mona Moderator/ }).waitFor();
    await press('Enter');
    await chips(1);
    await page.keyboard.type('olive');
    await page.getByRole('option', { name: /Olive/ }).waitFor();
    await press('Enter');
    await chips(2);
    await page.keyboard.type('gus');
    await page.getByRole('option', { name: /Gus/ }).waitFor();
    await press('Enter');
    await chips(3);
    await press('Backspace');
    await chips(2);
    expect(await violations()).toEqual([]);
    expect(await page.locator('.dock .chip').allTextContents()).toEqual([
      expect.stringContaining('Mona'),
      expect.stringContaining('Olive'),
    ]);
    await press('Enter', 'Control+Enter');
    await page.locator('main article', { hasText: 'between us' }).waitFor();
    const sent = await demo.call('moderator', 'GET', '/messages', {
      anchor: 'newest',
      num_before: 1,
      num_after: 0,
      apply_markdown: false,
    });
    expect(sent['messages'][0]).toMatchObject({ content: 'between us', type: 'private' });
    expect(sent['messages'][0].display_recipient.length).toBe(3);
  });

  it('loses nothing that was begun at either place, and says what is missing', async () => {
    await begin('begun');
    await page.keyboard.type('begun there');
    await page.getByText('Draft saved').waitFor();
    await begin('here');
    await page.keyboard.type('begun here');
    await press('Shift+Tab');
    await inField('Topic');
    await press('Control+a');
    await page.keyboard.type('begun');
    await press('Enter');
    await expect.poll(() => page.locator('.dock textarea').inputValue()).toBe('begun there\n\nbegun here');
    await page.getByRole('button', { name: 'Write here again' }).click();
    await page.getByRole('button', { name: /Channel: design/ }).click();
    await page.getByRole('option', { name: 'A direct message instead' }).click();
    const send = page.getByRole('button', { name: 'Send', exact: true });
    expect(await send.getAttribute('title')).toBe('Choose a recipient.');
    expect(demo.complaints).toEqual([]);
  });

  it('is the topic without a name, in italics wherever it is named', async () => {
    await demo.send('owner', GENERAL, '', 'about anything');
    await goTo(page, '#narrow/channel/1-general/topic/', 'general chat');
    await page.getByText('about anything').first().waitFor();
    const styleOf = (place: string, part = '') =>
      page.evaluate(`getComputedStyle(document.querySelector(${JSON.stringify(place)}), '${part}').fontStyle`);
    await press('Control+k');
    await page.keyboard.type('chat');
    await page.getByRole('option', { name: 'general chat' }).first().waitFor();
    expect(await styleOf('.palette .option b u')).toBe('italic');
    await press('Escape');
    const message = page.locator('main article', { hasText: 'about anything' }).last();
    await message.focus();
    await press('f');
    await page.getByRole('dialog', { name: 'Forward' }).waitFor();
    expect(await styleOf('dialog figcaption a em')).toBe('italic');
    await press('Escape');
    await goTo(page, '#narrow/channel/1-general/topic/lunch', 'lunch');
    await page.getByRole('button', { name: 'Topic menu' }).click();
    await page.getByRole('menuitem', { name: 'Move or rename …' }).click();
    const topic = page.getByRole('dialog').getByRole('textbox', { name: 'Topic' });
    await topic.fill('');
    expect(await topic.getAttribute('placeholder')).toBe('general chat');
    expect(await styleOf('dialog input.unnamed', '::placeholder')).toBe('italic');
    await press('Escape');
  });
});
