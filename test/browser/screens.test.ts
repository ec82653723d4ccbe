import type { CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inspect, outside, tooSmall } from '../support/accessibility.ts';
import { hasBrowser } from '../support/browser.ts';
import { DemoPages } from '../support/demo-pages.ts';
import { dialogNames } from '../support/dialog-names.ts';
import { Furnishing, furnish } from '../support/furnished.ts';
import { addHostile } from '../support/hostile-organization.ts';
import { runCommand } from '../support/process.ts';
import { dialogs, type Screen, views } from '../support/screens.ts';

/** Pixels from which on there is a mouse instead of a finger. */
const DESK = 768;
/** One screen after the other has the next of them: all are seen in some, and each of them sees many. */
const LOOKS = [
  { width: 1440, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
  { width: 900, colorScheme: 'dark' },
  { width: 360, colorScheme: 'light' },
] as const;
/** What lies over the page. It hides the rest, which was gone through before, so it is gone through alone. */
const OVER = 'dialog[open], [popover]:popover-open';
/** Names of what opens over the page that somebody else sees, or only later: other tests go through these. */
const ELSEWHERE = { 'me.theme': 'visitor', 'confirm.title': 'settings' } as const;

// What is asked of the server here is asked on both databases by the tests of its slices.
describe.skipIf(!hasBrowser())(
  'every screen and dialog, in an organization in which everybody has chosen the worst of texts',
  () => {
    let demo: DemoPages;
    let pages: Readonly<Record<Screen['who'], Page>>;
    let screens: readonly Screen[];
    let opened: readonly Screen[];
    const asked: string[] = [];
    const touches = new Map<Page, CDPSession>();

    beforeAll(async () => {
      demo = await DemoPages.open();
      await runCommand(demo.place, ['account', 'permit', '--email=owner@roost.test']);
      const at = new Furnishing(demo.server);
      const found = await furnish(at);
      const hostile = await addHostile(at);
      screens = [
        ...views(found),
        ...hostile.hashes.map((hash): Screen => ({ name: `hostile ${hash}`, who: 'member', hash })),
      ];
      opened = dialogs(found);
      const [member, owner] = await Promise.all([demo.logIn('member'), demo.logIn('owner')]);
      pages = { member, owner };
      for (const page of [member, owner]) touches.set(page, await page.context().newCDPSession(page));
      for (const page of [member, owner]) {
        page.on('request', (request) => {
          if (/evil\.test|example\.com/.test(new URL(request.url()).hostname)) asked.push(request.url());
        });
        await page
          .context()
          .addInitScript("window.ran = []; localStorage.setItem('roost-asked-for-notifications', '1')");
        await page.reload();
        await page.getByRole('navigation').first().waitFor();
      }
    });
    afterAll(() => demo.close());

    async function show({ who, hash, open }: Screen, look: (typeof LOOKS)[number]): Promise<Page> {
      const page = pages[who];
      await page.setViewportSize({ width: look.width, height: 900 });
      await touches.get(page)?.send('Emulation.setTouchEmulationEnabled', { enabled: look.width < DESK });
      await page.emulateMedia({ colorScheme: look.colorScheme });
      await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
      await settle(page);
      await open?.(page);
      if (open) await settle(page);
      return page;
    }

    /** Waits until nothing has come into the page for a moment. */
    const settle = (page: Page) =>
      page.evaluate(`new Promise((done) => {
      const end = () => { watch.disconnect(); done(); };
      let timer = setTimeout(end, 150);
      const watch = new MutationObserver(() => { clearTimeout(timer); timer = setTimeout(end, 60); });
      watch.observe(document.body, { childList: true, subtree: true });
      setTimeout(end, 1500);
    })`);

    const isCovered = async (page: Page) => (await page.locator(OVER).count()) > 0;
    /** Leaves nothing open for the next screen. */
    async function close(page: Page): Promise<void> {
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
      if (await page.locator(`${OVER}, article form, .dock [aria-pressed=true]`).count()) await page.reload();
    }
    /** Where the focus is: in what lies over the page, in the page itself, or nowhere. */
    const focusOf = (page: Page) =>
      page.evaluate<'over' | 'page' | 'nowhere'>(`{
        const at = document.activeElement;
        at === document.body ? 'nowhere' : at.closest(${JSON.stringify(OVER)}) ? 'over' : 'page';
      }`);
    const namesOver = (page: Page) =>
      page.evaluate<string[]>(`[...document.querySelectorAll(${JSON.stringify(OVER)})].map((one) =>
        document.getElementById(one.getAttribute('aria-labelledby'))?.textContent ??
        (one.ariaLabel ?? one.querySelector('[aria-label]')?.ariaLabel ?? ''))`);

    // What is of the screen itself: the sidebar is the same beside all of them.
    const faults = async (page: Page) => ({
      ...(await inspect(page, (await isCovered(page)) ? OVER : 'main')),
      outside: await outside(page),
      tooSmall: (page.viewportSize()?.width ?? DESK) < DESK ? await tooSmall(page) : [],
      ran: await page.evaluate('window.ran.length'),
      complaints: demo.complaints.splice(0),
      asked: asked.splice(0),
    });
    /** On a phone, too: what is too small for a finger there, where it was looked at on a desk. */
    async function tooSmallOnPhone(page: Page): Promise<string[]> {
      await page.setViewportSize({ width: 360, height: 900 });
      await touches.get(page)?.send('Emulation.setTouchEmulationEnabled', { enabled: true });
      await settle(page);
      return tooSmall(page);
    }
    const NONE = { found: [], overflow: 0, outside: [], tooSmall: [], ran: 0, complaints: [], asked: [] };

    /** Goes through screens, each person's beside the other's; what is wrong with them. */
    async function goThrough(
      all: readonly Screen[],
      lookOf: (screen: Screen, index: number) => (typeof LOOKS)[number],
      afterwards: (page: Page, name: string) => Promise<void>,
    ): Promise<readonly unknown[]> {
      const wrong: unknown[] = [];
      const looks = new Map(all.map((screen, index) => [screen, lookOf(screen, index)]));
      await Promise.all(
        (['member', 'owner'] as const).map(async (person) => {
          for (const [screen, look] of looks) {
            if (screen.who !== person) continue;
            const page = await show(screen, look);
            const found = await faults(page);
            if (screen.open && screen.isWide !== true && look.width >= DESK)
              found.tooSmall = await tooSmallOnPhone(page);
            if (JSON.stringify(found) !== JSON.stringify(NONE)) wrong.push({ name: screen.name, ...look, ...found });
            await afterwards(page, screen.name);
          }
        }),
      );
      return wrong;
    }

    it('keeps nobody out, takes a finger, runs nothing, asks nobody else and stays in its frame: views', async () => {
      const lookOf = (_: Screen, index: number) => LOOKS[index % LOOKS.length] ?? LOOKS[0];
      expect(
        await goThrough(screens, lookOf, (page) => isCovered(page).then((is) => (is ? close(page) : undefined))),
      ).toEqual([]);
    }, 400_000);

    it('keeps nobody out, takes a finger, runs nothing, asks nobody else and stays in its frame: dialogs, menus and cards', async () => {
      const names: string[] = [];
      // Keys are pressed and things are pointed at, so the wide looks and the narrow ones take turns in pairs.
      const lookOf = ({ isWide }: Screen, index: number) =>
        (isWide === true ? undefined : LOOKS[index % 2]) ?? LOOKS[0];
      const focus: (readonly string[])[] = [];
      const wrong = await goThrough(opened, lookOf, async (page, screen) => {
        names.push(...(await namesOver(page)));
        if (await isCovered(page)) {
          const during = await focusOf(page);
          do await page.keyboard.press('Escape');
          while (await isCovered(page));
          focus.push([screen, during, await focusOf(page)]);
        }
        await close(page);
      });
      expect(wrong).toEqual([]);
      expect(focus.filter(([, during, after]) => during !== 'over' || after !== 'page')).toEqual([]);
      // Whatever the sources open by a name was open here, so that nothing new is left out.
      const missed = dialogNames().filter(
        ({ key, looks }) => !(key in ELSEWHERE) && !names.some((name) => looks.test(name)),
      );
      expect(missed.map(({ key }) => key)).toEqual([]);
    }, 400_000);

    it('notices what it looks for', async () => {
      const page = pages.member;
      await page.evaluate(`{
      const line = document.createElement('p');
      line.style.cssText = 'position: fixed; left: 99vw; white-space: nowrap';
      line.textContent = 'out of the window';
      const pale = document.createElement('p');
      pale.style.cssText = 'position: fixed; top: 10vh; left: 50vw; color: #888; background: #777';
      pale.textContent = 'pale';
      document.querySelector('main').append(line, pale);
      ran.push(1);
    }`);
      const found = await faults(page);
      expect(found.outside).toEqual(['out of the window']);
      expect(found.found.join()).toContain('color-contrast');
      expect(found.ran).toBe(1);
    });
  },
);
