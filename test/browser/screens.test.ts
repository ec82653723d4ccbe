import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inspect, outside } from '../support/accessibility.ts';
import { hasBrowser } from '../support/browser.ts';
import { DemoPages } from '../support/demo-pages.ts';
import { furnish, Furnishing } from '../support/furnished.ts';
import { addHostile } from '../support/hostile-organization.ts';
import { runCommand } from '../support/process.ts';
import { dialogs, type Screen, views } from '../support/screens.ts';

/** One screen after the other has the next of them: all are seen in some, and each of them sees many. */
const LOOKS = [
  { width: 1440, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
  { width: 900, colorScheme: 'dark' },
  { width: 360, colorScheme: 'light' },
] as const;
/** What is of the screen itself; the sidebar is the same beside all of them. */
const PARTS = 'main, dialog[open], [popover]';

// What is asked of the server here is asked on both databases by the tests of its slices.
describe.skipIf(!hasBrowser())(
  'every screen and dialog, in an organization in which everybody has chosen the worst of texts',
  () => {
    let demo: DemoPages;
    let pages: Readonly<Record<Screen['who'], Page>>;
    let screens: readonly Screen[];
    let opened: readonly Screen[];
    const asked: string[] = [];

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
      for (const page of [member, owner]) {
        page.setDefaultTimeout(15_000);
        page.on('request', (request) => {
          if (/evil\.test|example\.com/.test(new URL(request.url()).hostname)) asked.push(request.url());
        });
        await page
          .context()
          .addInitScript("window.ran = []; localStorage.setItem('roost-asked-for-notifications', '1')");
        await page.reload();
        await page.getByRole('navigation').first().waitFor();
      }
    }, 60_000);
    afterAll(() => demo.close());

    async function show({ who, hash, open }: Screen, look: (typeof LOOKS)[number]): Promise<Page> {
      const page = pages[who];
      await page.setViewportSize({ width: look.width, height: 900 });
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

    const faults = async (page: Page) => ({
      ...(await inspect(page, PARTS)),
      outside: await outside(page),
      ran: await page.evaluate('window.ran.length'),
      complaints: demo.complaints.splice(0),
      asked: asked.splice(0),
    });
    const NONE = { found: [], overflow: 0, outside: [], ran: 0, complaints: [], asked: [] };

    it('keeps nobody out, runs nothing, asks nobody else and stays in its frame: views', async () => {
      const wrong: unknown[] = [];
      for (const [index, screen] of screens.entries()) {
        const look = LOOKS[index % LOOKS.length] ?? LOOKS[0];
        const found = await faults(await show(screen, look));
        if (JSON.stringify(found) !== JSON.stringify(NONE)) wrong.push({ name: screen.name, ...look, ...found });
      }
      expect(wrong).toEqual([]);
    }, 180_000);

    it('keeps nobody out, runs nothing, asks nobody else and stays in its frame: dialogs, menus and cards', async () => {
      const wrong: unknown[] = [];
      for (const [index, screen] of opened.entries()) {
        // Keys are pressed and things are pointed at, so the wide looks and the narrow ones take turns in pairs.
        const look = (screen.isWide === true ? undefined : LOOKS[index % 2]) ?? LOOKS[0];
        const page = await show(screen, look);
        const found = await faults(page);
        if (JSON.stringify(found) !== JSON.stringify(NONE)) wrong.push({ name: screen.name, ...look, ...found });
        await page.reload();
      }
      expect(wrong).toEqual([]);
    }, 180_000);

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
