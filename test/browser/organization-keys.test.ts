import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { organizationPages } from '../../web/views/manage/settings-pages.ts';
import { hasBrowser } from '../support/browser.ts';
import { DemoPages, goTo } from '../support/demo-pages.ts';
import { Furnishing, furnish } from '../support/furnished.ts';
import { runCommand } from '../support/process.ts';

/** Most presses of Tab on one page. */
const MOST = 250;
const OVER = 'dialog[open], [popover]:popover-open';
const CONTROLS = 'a[href], button, input, select, textarea, [tabindex]';

/** Each dialog of the organization's settings: the page, and the name of the button that opens it. */
const DIALOGS = [
  ['users/active', 'Deactivate Gus'],
  ['domains', 'Add a domain'],
  ['auth-methods', 'Create a token'],
  ['linkifier-settings', 'Add linkifier'],
  ['linkifier-settings', 'Edit'],
  ['profile-field-settings', 'Add field'],
  ['profile-field-settings', 'Edit'],
  ['channel-folders', 'Add folder'],
  ['channel-folders', 'Edit'],
  ['playground-settings', 'Add playground'],
  ['emoji-settings', 'Add'],
  ['emoji-settings', 'Remove'],
  ['data-exports-admin', 'New export'],
  ['organization-profile', 'Deactivate organization'],
] as const;

// What is asked of the server here is asked on both databases by the tests of its slices.
describe.skipIf(!hasBrowser())('by the keyboard alone, the settings of the organization', () => {
  let demo: DemoPages;
  let page: Page;
  beforeAll(async () => {
    demo = await DemoPages.open();
    await runCommand(demo.place, ['account', 'permit', '--email=owner@roost.test']);
    await furnish(new Furnishing(demo.server));
    page = await demo.logIn('owner');
  });
  afterAll(() => demo.close());

  /** Begins before the first control of the page. */
  const begin = () =>
    page.evaluate(`(() => {
      const start = document.querySelector('main h1, main');
      for (const one of document.querySelectorAll('[data-seen]')) one.removeAttribute('data-seen');
      start.tabIndex = -1;
      start.focus();
    })()`);
  /** The name of what has the focus, which is marked as seen; null outside of the part, undefined if it was seen before. */
  const see = (part: string) =>
    page.evaluate<string | null | undefined>(`(() => {
      const one = document.activeElement;
      if (!one?.closest(${JSON.stringify(part)})) return null;
      if (one.hasAttribute('data-seen')) return undefined;
      one.setAttribute('data-seen', '');
      return (one.ariaLabel ?? one.labels?.[0]?.textContent ?? one.textContent ?? '').trim();
    })()`);
  /** Whether arrow keys move on from what has the focus. */
  const isInGroup = () =>
    page.evaluate<boolean>(
      `document.activeElement.matches('[data-rest], [type=radio], [role=radio]') && !document.activeElement.matches('select, textarea')`,
    );
  /** Presses keys until something has the focus whose name begins so, or until all of a part had it. */
  async function walk(part: string, until = 'nothing is called that'): Promise<boolean> {
    for (let presses = 0, outside = 0, known = 0; presses < MOST && outside < 2; presses++) {
      await page.keyboard.press('Tab');
      const name = await see(part);
      if (name?.startsWith(until) === true) return true;
      known = name === undefined ? known + 1 : 0;
      // What arrow keys chose is saved, and one more of its group may be a tab stop until then.
      if (known > 2) return false;
      if (name === undefined) continue;
      outside = name === null ? outside + 1 : 0;
      if (name !== null && (await isInGroup()) && (await walkGroup(part, until))) return true;
    }
    return false;
  }
  /** Goes through all of a group from its first; what had the focus before has been seen. */
  async function walkGroup(part: string, until: string): Promise<boolean> {
    await page.keyboard.press('Home');
    if ((await see(part))?.startsWith(until) === true) return true;
    for (const key of ['ArrowDown', 'ArrowRight'])
      for (let presses = 0, seen = 0; presses < MOST && seen < 2; presses++) {
        await page.keyboard.press(key);
        const name = await see(part);
        if (name?.startsWith(until) === true) return true;
        // One in the middle may have been the tab stop of the group.
        seen = name === undefined ? seen + 1 : 0;
        if (name === null) break;
      }
    return false;
  }
  /** Controls in sight that never had the focus. */
  const missed = (part: string) =>
    page.evaluate<string[]>(`(() => {
      const shown = [...document.querySelectorAll(${JSON.stringify(part)})].at(-1);
      const isSeen = (one) => one.hasAttribute('data-seen') || one.querySelector('[data-seen]') !== null;
      return [...shown.querySelectorAll(${JSON.stringify(CONTROLS)})]
        .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.disabled && !one.matches('h1, [hidden]'))
        .filter((one) => !isSeen(one))
        .map((one) => one.outerHTML.slice(0, 160));
    })()`);
  const focused = () =>
    page.evaluate<string>('document.activeElement?.ariaLabel ?? document.activeElement?.textContent');

  /** Shows a page, and waits until it is whole: its parts come one after another. */
  async function show(href: string): Promise<void> {
    await goTo(page, href);
    await page.getByRole('main').locator('h1').first().waitFor();
    await page.evaluate(
      `new Promise((done) => {
      let timer = setTimeout(done, QUIET);
      new MutationObserver((_changes, watch) => {
        clearTimeout(timer);
        timer = setTimeout(() => { watch.disconnect(); done(); }, QUIET);
      }).observe(document.body, { childList: true, subtree: true });
    })`.replaceAll('QUIET', '400'),
    );
  }

  it.each(organizationPages().map(({ href }) => href))('reach each control of %s', async (href) => {
    await show(href);
    await begin();
    await walk('main');
    expect(await missed('main')).toEqual([]);
  });

  it.each(DIALOGS)('open a dialog on %s by “%s”, go through it, and come back', async (where, name) => {
    await show(`#organization/${where}`);
    await begin();
    expect(await walk('main', name)).toBe(true);
    const opener = await focused();
    await page.keyboard.press('Enter');
    await page.locator(OVER).first().waitFor();
    await see(OVER);
    await walk(OVER);
    expect(await missed(OVER)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator(OVER).count()).toBe(0);
    await expect.poll(focused).toBe(opener);
  });

  it('change a role once, in the list and on the page of a person, whatever lies between', async () => {
    const { user_id: id } = await demo.call('guest', 'GET', '/users/me');
    const stored = async () => (await demo.call('owner', 'GET', `/users/${id}`))['user'].role as number;
    const { queue_id } = await demo.call('owner', 'POST', '/register', { event_types: ['realm_user'] });
    const roles = async () => {
      const { events } = await demo.call('owner', 'GET', '/events', { queue_id, last_event_id: -1, dont_block: true });
      return (events as { person?: { role?: number } }[]).flatMap(({ person }) => person?.role ?? []);
    };
    const gus = (await demo.call('owner', 'GET', `/users/${id}`))['user'].full_name as string;
    await goTo(page, '#organization/users/active');
    await begin();
    expect(await walk('main', `Role of ${gus}`)).toBe(true);
    // From guest over member to moderator.
    for (const key of ['ArrowUp', 'ArrowUp', 'ArrowUp', 'Enter']) await page.keyboard.press(key);
    await expect.poll(stored).toBe(300);
    expect(await roles()).toEqual([300]);
    await begin();
    expect(await walk('main', gus)).toBe(true);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate('location.hash')).toBe(`#organization/users/${id}`);
    await page.getByLabel('Role', { exact: true }).waitFor();
    await begin();
    expect(await walk('main', 'Role')).toBe(true);
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
    await expect.poll(stored).toBe(600);
    expect(await roles()).toEqual([300, 600]);
  });
});
