import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settingsOf } from '../../web/views/manage/settings-contents.ts';
import { organizationPages, ownPages } from '../../web/views/manage/settings-pages.ts';
import { hasBrowser } from '../support/browser.ts';
import { DemoPages, goTo } from '../support/demo-pages.ts';

/** Labels of a page's sections and settings, but not of forms and of rows that stand for channels or devices. */
const LABELS = `[...document.querySelectorAll(
  '.set-main h3, .set-main .set-row:not(form *) .label, .set-main tr:not(.sub) .ch, .set-main .pic-row[aria-label]',
)].map((one) => one.getAttribute('aria-label') ?? one.innerText.trim())`;

/** The methods of log-in of a server, which are settings, too. */
const METHODS = ['Email address and password', 'Passkey', 'Dev'];

// One database: what differs between them lies below the API, and has its tests there.
describe.skipIf(!hasBrowser())('finding a setting in a browser', () => {
  let demo: DemoPages;
  let olive: Page;

  beforeAll(async () => {
    demo = await DemoPages.open();
    await demo.call('owner', 'POST', '/realm/profile_fields', { name: 'Birthday', field_type: 4 });
    olive = await demo.logIn('owner');
  });
  afterAll(() => demo.close());

  const index = (page: Page) => page.getByRole('navigation', { name: 'Settings' });
  const find = (page: Page, text: string) => index(page).getByRole('searchbox').fill(text);
  const shown = (page: Page) => index(page).getByRole('link').allInnerTexts();
  /** Waits until the setting that was looked for is in the window, with the focus on its control. */
  const isAt = (page: Page, label: string) =>
    expect
      .poll(() =>
        page.evaluate(`(() => {
          const row = document.querySelector('[data-sought]');
          const { top, bottom } = row?.getBoundingClientRect() ?? {};
          const isInSight = top >= 0 && bottom <= innerHeight;
          return isInSight && row.contains(document.activeElement) && row.innerText;
        })()`),
      )
      .toContain(label);

  it('lists all settings of each page', async () => {
    const pages = [...ownPages(), ...organizationPages()].filter(({ href }) => !/^#(channels|groups)$/.test(href));
    expect(pages.length).toBeGreaterThan(15);
    for (const { href, label } of pages) {
      await goTo(olive, href);
      await olive.getByRole('heading', { level: 2, name: label, exact: true }).waitFor();
      const own = (await olive.evaluate<string[]>(LABELS)).filter(
        (one) => one !== 'Birthday' && !METHODS.includes(one),
      );
      expect([href, own]).toEqual([href, settingsOf(href, true).map((one) => one.label)]);
    }
  });

  it('shows the settings that match with their page, and brings the chosen one into view', async () => {
    await goTo(olive, '#settings/profile');
    await find(olive, 'QUIET');
    expect(await shown(olive)).toEqual(['Notifications', 'Quiet hours', 'New people', 'Quiet hours']);
    await index(olive).getByRole('link', { name: 'Quiet hours' }).first().click();
    await isAt(olive, 'Quiet hours');
    expect(olive.url()).toContain('#settings/notifications/quiet');
    await find(olive, 'avatar');
    expect(await shown(olive)).toEqual(['Profile', 'Picture']);
    await find(olive, 'no such thing');
    await index(olive).getByText('No setting has that name.').waitFor();
    await find(olive, '');
    expect((await shown(olive)).length).toBe(ownPages().length + organizationPages().length);
  });

  it('offers nobody what only owners see', async () => {
    const max = await demo.logIn('member');
    await goTo(max, '#settings/profile');
    for (const [text, page] of [
      ['audit', 'Organization'],
      ['directories', 'Logging in'],
    ] as const) {
      await find(olive, text);
      expect((await shown(olive))[0]).toBe(page);
      await find(max, text);
      expect(await shown(max)).toEqual([]);
    }
  });

  it('opens a setting by its address, and its page by one that names none of its settings', async () => {
    const max = await demo.logIn('member');
    await max.goto(`${demo.server.url}/#organization/organization-permissions/can_add_custom_emoji_group`);
    await isAt(max, 'Add emoji');
    await goTo(max, '#settings/preferences/unknown');
    await max.getByRole('heading', { level: 2, name: 'Display' }).waitFor();
    expect(await max.locator('[data-sought]').count()).toBe(0);
  });

  it('keeps the field for settings in sight above the last page, and above what arrow keys lead to', async () => {
    await goTo(olive, '#organization/data-exports-admin');
    const last = index(olive).getByRole('link', { name: 'Exports', exact: true });
    await last.focus();
    const edges = async () => {
      const field = await index(olive).getByRole('searchbox').boundingBox();
      const focused = await index(olive).locator(':focus').boundingBox();
      const header = await olive.locator('.set-nav').boundingBox();
      return [header?.y ?? 0, field?.y ?? 0, (field?.y ?? 0) + (field?.height ?? 0), focused?.y ?? 0];
    };
    const inOrder = async () => {
      const found = await edges();
      expect(found).toEqual(found.toSorted((a, b) => a - b));
    };
    await inOrder();
    await olive.keyboard.press('Home');
    await inOrder();
    for (let step = 0; step < 12; step++) await olive.keyboard.press('ArrowDown');
    await olive.keyboard.press('End');
    for (let step = 0; step < 22; step++) await olive.keyboard.press('ArrowUp');
    await inOrder();
  });

  it('finds a setting by the palette', async () => {
    await goTo(olive, '#inbox');
    await olive.keyboard.press('ControlOrMeta+K');
    await olive.keyboard.type('density');
    const option = olive.getByRole('option', { name: 'Density Display' });
    await option.waitFor();
    await olive.keyboard.press('Enter');
    await olive.getByRole('heading', { level: 3, name: 'Density' }).waitFor();
    await isAt(olive, 'Density');
  });
});
