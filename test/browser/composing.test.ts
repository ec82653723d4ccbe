import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { DemoPages, goTo } from '../support/demo-pages.ts';

const DESIGN = 2;
const HERE = `#narrow/channel/${DESIGN}-design/topic/composing`;

// What is asked of the server here is asked on both databases by the tests of its slices.
describe.skipIf(!hasBrowser())('in a conversation', () => {
  let demo: DemoPages;
  let page: Page;
  beforeAll(async () => {
    demo = await DemoPages.open();
    page = await demo.logIn('member');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await goTo(page, HERE, 'composing');
  });
  afterAll(() => demo.close());

  const text = () => page.locator('.dock textarea');
  const warning = () => page.locator('.dock .warn');
  const statuses = () => page.getByRole('status').allTextContents();

  it('somebody who is mentioned and would not be notified can be subscribed beside the text', async () => {
    const { user_id } = await demo.call('guest', 'GET', '/users/me');
    await text().fill('What does @**Gus Guest** say?');
    await warning().getByText('Gus Guest is not subscribed to design').waitFor();
    await warning().getByRole('button', { name: 'Subscribe Gus Guest' }).click();
    await warning().waitFor({ state: 'detached' });
    const asked = await demo.call('member', 'GET', `/users/${user_id}/subscriptions/${DESIGN}`);
    expect(asked['is_subscribed']).toBe(true);
    await goTo(page, '#inbox', 'Inbox');
    await goTo(page, HERE, 'composing');
    const answered = page.waitForResponse(/subscriptions/);
    await text().fill('And what does @**Gus Guest** say, and @**Adam Admin**?');
    await answered;
    expect(await warning().count()).toBe(0);
    await text().fill('');
  });

  it('the author is told that a link will tell the name of a private channel to others', async () => {
    const made = { subscriptions: [{ name: 'owl nest' }, { name: 'rook nest' }], invite_only: true };
    expect(await demo.call('member', 'POST', '/users/me/subscriptions', made)).toMatchObject({ result: 'success' });
    await text().fill('See #**owl nest>eggs**, #**rook nest** and #**design**');
    for (const name of ['owl nest', 'rook nest']) {
      await warning().getByText(`${name} is private. Everybody in design will see its name.`).waitFor();
      await warning().getByRole('button', { name: 'Ignore' }).click();
    }
    await warning().waitFor({ state: 'detached' });
    await text().fill('');
  });

  it('the author is told how many a wildcard would notify, and that they may not mention so many', async () => {
    const bots: number[] = [];
    while (bots.length < 12) {
      const number = bots.length + 1;
      const names = { full_name: `Crow ${number}`, short_name: `crow${number}`, bot_type: '1' };
      bots.push(Number((await demo.call('owner', 'POST', '/bots', names))['user_id']));
    }
    const subscribed = { subscriptions: [{ name: 'design' }], principals: bots };
    expect(await demo.call('owner', 'POST', '/users/me/subscriptions', subscribed)).toMatchObject({
      result: 'success',
    });
    await text().fill('@**all** lunch');
    await warning().getByText('You may not mention everybody in design.').waitFor();
    const { user_groups } = await demo.call('owner', 'GET', '/user_groups', {});
    const everyone = user_groups.find(({ name }: { name: string }) => name === 'role:everyone').id;
    const allowed = { can_mention_many_users_group: { new: everyone } };
    expect(await demo.call('owner', 'PATCH', '/realm', allowed)).toMatchObject({ result: 'success' });
    await warning()
      .getByText(/^This notifies \d+ people in design\.$/)
      .waitFor();
    await text().fill('@**topic** lunch');
    await warning().waitFor({ state: 'detached' });
    await text().fill('');
  });

  it('a text is saved as a snippet, and put into another text with keys', async () => {
    await text().fill('We meet under the oak.');
    const snippets = page.getByRole('dialog', { name: 'Saved snippets' });
    await page.getByRole('button', { name: 'Saved snippets' }).click();
    await snippets.getByRole('button', { name: /Save this text/ }).click();
    await snippets.getByLabel('Title').fill('Meeting');
    await page.keyboard.press('Enter');
    await snippets.getByRole('option', { name: /Meeting/ }).waitFor();
    await page.keyboard.press('Escape');
    await text().fill('');
    await page.getByRole('button', { name: 'Saved snippets' }).click();
    await page.keyboard.type('meet');
    await page.keyboard.press('Enter');
    await expect.poll(() => text().inputValue()).toBe('We meet under the oak.');
    await text().fill('');
  });

  it('the preview takes the focus of the text, and the text that of the preview', async () => {
    await text().fill('The **oak**');
    await page.keyboard.press('Alt+p');
    await page.locator('.dock .preview strong').waitFor();
    await page.keyboard.press('Control+b');
    await page.keyboard.press('Alt+p');
    await page.keyboard.type(' tree');
    expect(await text().inputValue()).toBe('The **oak** tree');
    await text().fill('');
  });

  it('a text that was begun here and continued in another tab is shown here, where nobody writes', async () => {
    await text().fill('Half a');
    await page.evaluate('document.hasFocus = () => false');
    const other = await page.context().newPage();
    await other.goto(`${demo.server.url}/${HERE}`);
    await other.locator('.dock textarea').fill('Half a nest');
    await expect.poll(() => text().inputValue()).toBe('Half a nest');
    await other.close();
    await page.evaluate('delete document.hasFocus');
    await text().fill('');
  });

  it('files can be dropped anywhere on the messages', async () => {
    await page.evaluate(`(() => {
      const data = new DataTransfer();
      data.items.add(new File(['a nest'], 'nest.txt', { type: 'text/plain' }));
      for (const type of ['dragover', 'drop'])
        document.querySelector('main').dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
    })()`);
    await expect.poll(() => text().inputValue()).toMatch(/^\[nest.txt\]\(\/user_uploads\//);
    await text().fill('');
  });

  it('others are seen typing, and what they write is read out, one sentence at a time', async () => {
    await demo.call('owner', 'POST', '/typing', { op: 'start', type: 'stream', stream_id: DESIGN, topic: 'composing' });
    await page.getByText('Olive Owner is typing').waitFor();
    await demo.send('owner', DESIGN, 'composing', 'The **oak** is gone');
    await expect.poll(statuses).toContain('Olive Owner: The oak is gone');
    await demo.send('owner', DESIGN, 'composing', 'so is');
    await demo.send('owner', DESIGN, 'composing', 'the nest');
    await expect.poll(statuses).toContain('2 new messages');
  });

  it('what is hidden opens, and code is copied', async () => {
    await demo.send('owner', DESIGN, 'composing', '```spoiler What the end is\nThe rook wins.\n```');
    await demo.send('owner', DESIGN, 'composing', '```python\ncaw = 1\n```');
    const end = page.locator('article').getByText('The rook wins.');
    await page.getByText('What the end is').last().waitFor();
    expect(await end.isVisible()).toBe(false);
    // Neither is it in a preview, nor read out.
    await goTo(page, '#recent', 'Recent conversations');
    await page
      .getByRole('main')
      .getByRole('link', { name: /composing/ })
      .first()
      .waitFor();
    expect(await page.getByText('The rook wins.').count()).toBe(0);
    await goTo(page, HERE, 'composing');
    await page.getByRole('button', { name: /Show/ }).last().click();
    await end.waitFor();
    await page.getByRole('button', { name: 'Copy', exact: true }).last().click();
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe('caw = 1');
  });

  it('a very long text is not laid out twice, and fills the field to its greatest height', async () => {
    await text().evaluate((field, typed) => {
      Object.assign(field, { value: typed });
      field.dispatchEvent(new Event('input', { bubbles: true }));
    }, 'A rook and an owl.\n'.repeat(10_000));
    await page.getByText('179,999 characters too long').waitFor();
    expect((await page.locator('.dock .shadow').textContent())?.length).toBeLessThan(11_000);
    const height = await text().evaluate((field) => field.clientHeight);
    expect(height).toBeCloseTo(0.4 * (page.viewportSize()?.height ?? 0), -1);
    await text().fill('');
  });

  it('a changed message that was not saved is offered again after the page was closed', async () => {
    const words = 'The nest is empty.';
    await demo.send('member', DESIGN, 'composing', words);
    const article = () => page.locator('article', { hasText: words }).last();
    await article().focus();
    await page.keyboard.press('e');
    const form = page.getByRole('form', { name: 'Edit message' });
    await form.getByRole('textbox').fill('The nest is full.');
    await page.reload();
    await article().getByText('You changed this message, but did not save it.').waitFor();
    await article().getByRole('button', { name: 'Continue' }).click();
    await expect.poll(() => form.getByRole('textbox').inputValue()).toBe('The nest is full.');
    await form.getByRole('button', { name: 'Save' }).click();
    await page.locator('article').getByText('The nest is full.').last().waitFor();
    expect(await page.getByText('You changed this message').count()).toBe(0);
    await page.reload();
    await page.locator('article').getByText('The nest is full.').last().waitFor();
    expect(await page.getByText('You changed this message').count()).toBe(0);
  });

  it('what was changed in a message that somebody deletes is left to send', async () => {
    const id = await demo.send('member', DESIGN, 'composing', 'An egg.');
    await page.locator('article', { hasText: 'An egg.' }).last().focus();
    await page.keyboard.press('e');
    await page.getByRole('form', { name: 'Edit message' }).getByRole('textbox').fill('An egg or two.');
    await demo.call('owner', 'DELETE', `/messages/${id}`);
    await expect.poll(() => text().inputValue()).toBe('An egg or two.');
    await text().fill('');
  });

  it('the first key leads past the lists to the messages, which stay open', async () => {
    await page.evaluate('document.activeElement.blur(); getSelection().removeAllRanges()');
    await page.locator('.skip').focus();
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.localName')).toBe('main');
    expect(await page.evaluate('location.hash')).toBe(HERE);
  });
});
