import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inspect } from '../support/accessibility.ts';
import { hasBrowser } from '../support/browser.ts';
import { DemoPages } from '../support/demo-pages.ts';
import { runCommand } from '../support/process.ts';

const MANY = 300;
const MANY_PEOPLE = 60;
const PASSWORD = 'roost-demo-password';
const nameOf = (index: number) => `zoe${String(index).padStart(3, '0')}`;

// What is asked of the server here is asked on both databases by the tests of its slices.
describe.skipIf(!hasBrowser())('lists of many', () => {
  let demo: DemoPages;
  let page: Page;
  beforeAll(async () => {
    demo = await DemoPages.open('sqlite', { ROOST_RATE_LIMITS: 'off' });
    const names = Array.from({ length: MANY }, (_, index) => ({ name: `many ${String(index).padStart(3, '0')}` }));
    // They are more than somebody who is no administrator may make in a day.
    const { user_id } = await demo.call('member', 'GET', '/users/me');
    await demo.call('owner', 'PATCH', `/users/${user_id}`, { role: 200 });
    await demo.call('member', 'POST', '/users/me/subscriptions', { subscriptions: JSON.stringify(names) });
    page = await demo.logIn('member');
  });
  afterAll(() => demo.close());

  const drawn = () => page.locator('.side-scroll .side-row').count();
  const row = (name: string) => page.locator('.side-scroll .side-row a', { hasText: name });

  it('channels in the sidebar draw those near the window, and the others when one comes there by the wheel or by keys', async () => {
    await row('many 000').waitFor();
    expect(await drawn()).toBeLessThan(MANY / 2);
    expect(await row('many 299').count()).toBe(0);
    await page.mouse.move(100, 500);
    await page.mouse.wheel(0, 100_000);
    await row('many 299').waitFor();
    await expect.poll(() => row('many 000').count()).toBe(0);
    expect(await drawn()).toBeLessThan(MANY / 2);

    // Browsing channels stands last; from there one goes up through all of them.
    await page.getByRole('link', { name: 'Browse channels' }).focus();
    const focused = () => page.evaluate<string>('document.activeElement.textContent');
    for (let presses = 0; !(await focused()).includes('many 200'); presses++) {
      expect(presses).toBeLessThan(150);
      await page.keyboard.press('ArrowUp');
      await page.waitForTimeout(20);
    }
    expect((await inspect(page, '.left')).found).toEqual([]);
    expect(demo.complaints).toEqual([]);
  });

  it('channels are kept in pieces, and are all there on a later visit without being asked for', async () => {
    const pieces = () =>
      page.evaluate<number>(`(async () => {
        const [{ name }] = (await indexedDB.databases()).filter((one) => one.name.startsWith('roost-'));
        const ask = (request) => new Promise((resolve) => (request.onsuccess = () => resolve(request.result)));
        const database = await ask(indexedDB.open(name));
        return (await ask(database.transaction('state').objectStore('state').getAllKeys())).length;
      })()`);
    await expect.poll(pieces).toBeGreaterThan(2);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.reload();
    await row('many 000').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('many 299');
    await page
      .getByRole('option', { name: /many 299/ })
      .first()
      .waitFor();
    await page.keyboard.press('Escape');
    expect(asked).toContain('/api/v1/events');
    expect(asked).not.toContain('/api/v1/register');
  });

  it('channels in the sidebar show the one that is open, however one came there', async () => {
    const isInSight = (name: string) =>
      page.evaluate<boolean>(`(() => {
        const found = [...document.querySelectorAll('.side-scroll .side-row a')].find((one) => one.textContent.includes(${JSON.stringify(name)}));
        const { top, bottom } = found?.getBoundingClientRect() ?? { top: -1, bottom: -1 };
        return top >= 0 && bottom <= innerHeight;
      })()`);
    for (const name of ['many 150', 'many 290', 'many 002']) {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox').fill(name);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name }).waitFor();
      await expect.poll(() => isInSight(name)).toBe(true);
    }
  });

  it('people in the settings are all there, and draw those near the window', async () => {
    await runCommand(demo.place, ['account', 'permit', '--email=owner@roost.test']);
    for (let index = 0; index < MANY_PEOPLE; index++) {
      const name = nameOf(index);
      await demo.call('owner', 'POST', '/users', { email: `${name}@roost.test`, full_name: name, password: PASSWORD });
    }
    const owner = await demo.logIn('owner');
    await owner.evaluate('location.hash = "#organization/users/active"');
    const rows = owner.locator('.rows.people > li');
    await rows.first().waitFor();
    await expect.poll(() => rows.count()).toBeLessThan(MANY_PEOPLE);
    await owner.locator('.set-main').hover();
    await owner.mouse.wheel(0, 100_000);
    await owner.getByText(`${nameOf(MANY_PEOPLE - 1)}@roost.test`).waitFor();
    expect(await owner.getByText(`${nameOf(0)}@roost.test`).count()).toBe(0);
    expect((await inspect(owner, '.set-main')).found).toEqual([]);
  }, 120_000);
});
