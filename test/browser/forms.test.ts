import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { DemoPages, goTo, INTERCEPTED } from '../support/demo-pages.ts';

const HASH = '#narrow/channel/2-design/topic/colours';

// One database: what differs between them lies below the API, and has its tests there.
describe.skipIf(!hasBrowser())('what is typed into forms', () => {
  let demo: DemoPages;
  let olive: Page;

  beforeAll(async () => {
    demo = await DemoPages.open();
    olive = await demo.logIn('owner', INTERCEPTED);
  });
  afterAll(async () => {
    expect(demo.complaints).toEqual([]);
    await demo.close();
  });
  const dialog = () => olive.getByRole('dialog');
  /** Answers calls of a kind as a broken server would, until what it returns is called. */
  const refuse = async (path: string, status: number, body: string) => {
    await olive.route(`**${path}`, (route) =>
      route.request().method() === 'GET' ? route.continue() : route.fulfill({ status, body }),
    );
    return () => olive.unroute(`**${path}`);
  };
  const hasFocus = () => olive.evaluate('document.activeElement !== document.body');

  it('stays when a dialog is closed by Escape, and goes when it is cancelled or sent', async () => {
    await goTo(olive, '#organization/linkifier-settings');
    const add = olive.getByRole('button', { name: 'Add linkifier' });
    await add.click();
    await dialog().getByLabel('Pattern').fill('RST-(?P<id>[0-9]+)');
    await olive.keyboard.press('Escape');
    await add.click();
    await dialog().getByText('What you typed earlier is still here.').waitFor();
    expect(await dialog().getByLabel('Pattern').inputValue()).toBe('RST-(?P<id>[0-9]+)');
    await dialog().getByRole('button', { name: 'Start over' }).click();
    expect(await dialog().getByLabel('Pattern').inputValue()).toBe('');
    await dialog().getByLabel('Pattern').fill('RST-(?P<id>[0-9]+)');
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await add.click();
    expect(await dialog().getByLabel('Pattern').inputValue()).toBe('');
    await dialog().getByLabel('Pattern').fill('RST-(?P<id>[0-9]+)');
    await dialog().getByLabel('Address').fill('https://example.com/{id}');
    await dialog().getByRole('button', { name: 'Add linkifier' }).click();
    await dialog().waitFor({ state: 'detached' });
    await add.click();
    expect(await dialog().getByLabel('Pattern').inputValue()).toBe('');
    await olive.keyboard.press('Escape');
  });

  it('counts as typed no more once it is put back to how it was', async () => {
    const made = { pattern: 'TST-(?P<id>[0-9]+)', url_template: 'https://example.com/{id}' };
    await demo.call('owner', 'POST', '/realm/filters', made);
    await goTo(olive, '#organization/linkifier-settings');
    const change = olive.getByRole('button', { name: /^Edit.*TST/ });
    const pattern = dialog().getByLabel('Pattern');
    const before = dialog().getByText('What you typed earlier is still here.');
    for (const [typed, isKept] of [
      ['TST', true],
      [made.pattern, false],
    ] as const) {
      await change.click();
      await pattern.fill('something else');
      await pattern.fill(typed);
      await olive.keyboard.press('Escape');
      await change.click();
      expect(await pattern.inputValue()).toBe(typed);
      expect(await before.isVisible()).toBe(isKept);
      await olive.keyboard.press('Escape');
    }
  });

  it('stays when the server breaks, with what went wrong in sight, and the button can be pressed again', async () => {
    await olive.setViewportSize({ width: 900, height: 360 });
    await goTo(olive, '#channels/new');
    await dialog().getByLabel('Name', { exact: true }).fill('gardening');
    for (const [status, body] of [
      [502, '<html>Bad Gateway</html>'],
      [500, '{"result":"error","msg":"Internal server error","code":"INTERNAL"}'],
      [200, '<html>Log in to the Wi-Fi</html>'],
    ] as const) {
      const mend = await refuse('/api/v1/channels/create', status, body);
      await dialog().getByLabel('Name', { exact: true }).press('Enter');
      await dialog().getByText('this may not have been saved').waitFor();
      const box = await dialog().locator('.err').boundingBox();
      expect((box?.y ?? 999) + (box?.height ?? 0)).toBeLessThanOrEqual(360);
      await mend();
    }
    expect(await dialog().getByLabel('Name', { exact: true }).inputValue()).toBe('gardening');
    await dialog().getByRole('button', { name: 'Create channel' }).click();
    await olive.getByRole('heading', { level: 2, name: 'gardening' }).waitFor();
    await olive.setViewportSize({ width: 1280, height: 720 });
  });

  it('is saved although something else is on its way, or the page is left', async () => {
    const nameNow = async () =>
      ((await demo.call('owner', 'GET', '/users/me'))['full_name'] as string | undefined) ?? '';
    await goTo(olive, '#settings/profile');
    const name = olive.getByLabel('Name', { exact: true });
    let letOn: (() => void) | undefined;
    const isHeld = new Promise<void>((resolve) => (letOn = resolve));
    await olive.route('**/api/v1/settings', async (route) => {
      await isHeld;
      await route.continue();
    });
    await name.fill('Olive One');
    await name.press('Enter');
    await name.fill('Olive Two');
    await name.press('Enter');
    letOn?.();
    await expect.poll(nameNow).toBe('Olive Two');
    expect(await name.inputValue()).toBe('Olive Two');
    await olive.unroute('**/api/v1/settings');
    await name.fill('Olive Three');
    await goTo(olive, '#inbox', 'Inbox');
    await expect.poll(nameNow).toBe('Olive Three');
  });

  it('is there again where a page was left and the server would not have it', async () => {
    await goTo(olive, '#settings/profile');
    const name = olive.getByLabel('Name', { exact: true });
    const mend = await refuse(
      '/api/v1/settings',
      400,
      '{"result":"error","msg":"Not this name.","code":"BAD_REQUEST"}',
    );
    await name.fill('Olive Four');
    await goTo(olive, '#inbox', 'Inbox');
    await olive.getByRole('alert').getByText('Not this name.').waitFor();
    await goTo(olive, '#settings/profile');
    expect(await name.inputValue()).toBe('Olive Four');
    await mend();
    await name.press('Escape');
    expect(await name.inputValue()).toBe('Olive Three');
  });

  it('stays in the composer when the page is left at once, also when it is too long to be sent', async () => {
    await goTo(olive, HASH, 'colours');
    const field = olive.locator('.dock textarea');
    for (const text of ['half a word', 'too long '.repeat(10_000).trimEnd()]) {
      await field.fill(text);
      await olive.reload();
      await field.waitFor();
      expect((await field.inputValue()).length).toBe(text.length);
    }
    await field.fill('');
  });

  it('stays in a message that is edited, until it is saved or cancelled', async () => {
    await demo.send('owner', 2, 'colours', 'A note of mine');
    await goTo(olive, HASH);
    const row = olive.locator('main article', { hasText: 'A note of mine' });
    await row.focus();
    await olive.keyboard.press('e');
    const field = row.getByRole('textbox');
    await field.fill('A note of mine, with more to it');
    await olive.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
    await row.focus();
    await olive.keyboard.press('e');
    expect(await field.inputValue()).toBe('A note of mine, with more to it');
    await row.getByRole('button', { name: 'Cancel' }).click();
    await row.focus();
    await olive.keyboard.press('e');
    expect(await field.inputValue()).toBe('A note of mine');
    await olive.keyboard.press('Escape');
  });

  it('stays in a message that is edited when somebody else renames its topic, and so does the focus', async () => {
    await demo.send('owner', 2, 'nests', 'A note on nests');
    await goTo(olive, '#narrow/channel/2-design/topic/nests', 'nests');
    const row = olive.locator('main article', { hasText: 'A note on nests' });
    await row.focus();
    await olive.keyboard.press('e');
    await row.getByRole('textbox').waitFor();
    await olive.keyboard.type(', and eggs');
    const [note] = await demo.topic(2, 'nests');
    await demo.call('admin', 'PATCH', `/messages/${note?.id}`, {
      topic: 'nests and eggs',
      propagate_mode: 'change_all',
    });
    await olive.getByRole('heading', { level: 1, name: 'nests and eggs' }).waitFor();
    await row.getByRole('textbox').waitFor();
    await expect.poll(() => olive.evaluate('document.activeElement.tagName')).toBe('TEXTAREA');
    await olive.keyboard.type(', too');
    await olive.keyboard.press('Control+Enter');
    await expect
      .poll(async () => (await demo.topic(2, 'nests and eggs'))[0]?.content)
      .toBe('A note on nests, and eggs, too');
    await row.getByRole('textbox').waitFor({ state: 'detached' });
  });

  it('leaves the focus in the list when what had it is removed or moved', async () => {
    await goTo(olive, '#organization/users/active');
    const deactivate = olive.getByRole('button', { name: /^Deactivate Mia/ });
    await deactivate.press('Enter');
    await dialog().getByRole('button', { name: 'Deactivate' }).press('Enter');
    await deactivate.waitFor({ state: 'detached' });
    await expect.poll(hasFocus).toBe(true);
    expect(await olive.evaluate('document.activeElement.closest("ul.people") !== null')).toBe(true);
    for (const name of ['One', 'Two', 'Three'])
      await demo.call('owner', 'POST', '/realm/profile_fields', { name, field_type: 1 });
    await goTo(olive, '#organization/profile-field-settings');
    const names = () => olive.locator('.rows b').allTextContents();
    // An order made before the last field is known would lack it, and be refused.
    await expect.poll(names).toEqual(['One ', 'Two ', 'Three ']);
    for (const [way, order] of [
      ['Move One down', ['Two ', 'One ', 'Three ']],
      ['Move Three up', ['Two ', 'Three ', 'One ']],
    ] as const) {
      await olive.getByRole('button', { name: way }).press('Enter');
      await expect.poll(names).toEqual(order);
      expect(await olive.evaluate('document.activeElement.getAttribute("aria-label")')).toBe(way);
    }
    await goTo(olive, '#inbox', 'Inbox');
    await demo.send('member', 2, 'colours', 'unread');
    await olive.getByRole('button', { name: 'Mark all as read' }).press('Enter');
    await olive.getByRole('link', { name: 'Recent conversations' }).last().waitFor();
    await expect.poll(hasFocus).toBe(true);
  });

  it('leaves the focus on a message that was edited or deleted', async () => {
    await demo.send('owner', 2, 'colours', 'A second note of mine');
    await goTo(olive, HASH);
    const row = olive.locator('main article', { hasText: 'A second note of mine' });
    const focused = () => olive.evaluate('document.activeElement.textContent');
    for (const keys of [['e', 'Escape'], ['e', 'Control+Enter'], ['Delete']]) {
      await row.focus();
      for (const key of keys) {
        await olive.keyboard.press(key);
        await olive.waitForTimeout(300);
      }
      expect(await focused()).toMatch(keys[0] === 'e' ? /A second note of mine/ : /Deleted/);
    }
    await olive.locator('main article.gone').waitFor({ state: 'detached' });
    expect(await focused()).not.toMatch(/Deleted/);
    expect(await olive.evaluate('document.activeElement.tagName')).toBe('ARTICLE');
  });

  it('is refused beside the field that the refusal is about, which then has the focus', async () => {
    for (const [hash, add, values, field, sentence] of [
      ['#channels/new', 'Create channel', { Name: 'design' }, 'Name', /already exists/],
      [
        '#organization/linkifier-settings',
        'Add linkifier',
        { Pattern: '(', Address: 'https://x.test/' },
        'Pattern',
        /./,
      ],
      [
        '#organization/playground-settings',
        'Add playground',
        { Language: 'a', Name: 'b', Address: 'x' },
        'Address',
        /./,
      ],
    ] as const) {
      await goTo(olive, hash);
      if (hash !== '#channels/new') await olive.getByRole('button', { name: add }).click();
      for (const [label, value] of Object.entries(values))
        await dialog()
          .getByLabel(label, { exact: label === 'Name' })
          .fill(value);
      await dialog().getByRole('button', { name: add }).click();
      const beside = dialog()
        .locator('.field', { has: olive.getByLabel(field) })
        .locator('.err');
      await beside.getByText(sentence).waitFor();
      expect(await dialog().locator('.err').count()).toBe(1);
      const focused = () => olive.evaluate('document.activeElement.getAttribute("aria-describedby")');
      await expect.poll(focused).toBe(await beside.getAttribute('id'));
      await dialog().getByRole('button', { name: 'Cancel' }).click();
    }
  });

  it('is refused above the buttons where the refusal is about no field', async () => {
    await goTo(olive, '#channels/new');
    const body = '{"result":"error","msg":"Must be an organization owner","code":"UNAUTHORIZED_PRINCIPAL"}';
    const mend = await refuse('/api/v1/channels/create', 400, body);
    await dialog().getByLabel('Name', { exact: true }).fill('reeds');
    await dialog().getByLabel('Name', { exact: true }).press('Enter');
    await dialog().locator('#form-error', { hasText: 'Must be an organization owner' }).waitFor();
    expect(await dialog().locator('.field .err').count()).toBe(0);
    await mend();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
  });

  it('is refused below a switch on a phone, whose label keeps its line', async () => {
    await olive.setViewportSize({ width: 390, height: 844 });
    await goTo(olive, '#organization/organization-settings');
    const row = olive.locator('.set-row.inline').first();
    const label = row.locator('.label');
    await label.waitFor();
    const before = await label.boundingBox();
    const body = '{"result":"error","msg":"Must be an organization administrator","code":"UNAUTHORIZED_PRINCIPAL"}';
    const mend = await refuse('/api/v1/realm', 400, body);
    await row.getByRole('switch').click();
    const error = await row.locator('.err', { hasText: 'Must be an organization administrator' }).boundingBox();
    expect(await label.boundingBox()).toMatchObject({ height: before?.height, width: before?.width });
    expect(error?.y).toBeGreaterThan((before?.y ?? 999) + (before?.height ?? 0));
    await mend();
    await olive.setViewportSize({ width: 1280, height: 720 });
  });

  it('is no time that has passed, for a reminder as for a message that is sent later', async () => {
    await demo.send('owner', 2, 'colours', 'To be remembered');
    await goTo(olive, HASH);
    await olive.locator('main article', { hasText: 'To be remembered' }).press('i');
    await olive.getByRole('menuitem', { name: 'Remind me …' }).click();
    await dialog().getByLabel('Day and time').fill('2020-01-01T10:00');
    await dialog().getByText('Choose a time in the future.').waitFor();
    expect(await dialog().getByRole('button', { name: 'Set reminder' }).isDisabled()).toBe(true);
    await olive.keyboard.press('Escape');
  });
});
