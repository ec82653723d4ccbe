import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { DemoPages, goTo } from '../support/demo-pages.ts';
import { demoAccount } from '../support/process.ts';

// What is asked of the server here is asked on both databases by the tests of its slices.
describe.skipIf(!hasBrowser())('people in the client', () => {
  let demo: DemoPages;
  let page: Page;
  beforeAll(async () => {
    demo = await DemoPages.open();
    page = await demo.logIn('owner');
    await page.setViewportSize({ width: 1440, height: 900 });
  });
  afterAll(() => demo.close());

  const idOf = async (person: string) => (await demoAccount(demo.server, `${person}@roost.test`)).user_id;
  const put = async (method: 'POST' | 'DELETE', person: string, name: string) =>
    demo.call('owner', method, '/users/me/subscriptions', {
      subscriptions: method === 'POST' ? [{ name }] : [name],
      principals: [await idOf(person)],
    });

  it('are those of the channel, also when somebody came while somebody left', async () => {
    await demo.call('owner', 'POST', '/users/me/subscriptions', { subscriptions: [{ name: 'tower' }] });
    await put('POST', 'member', 'tower');
    const { stream_id } = await demo.call('owner', 'GET', '/get_stream_id', { stream: 'tower' });
    await goTo(page, `#narrow/channel/${String(stream_id)}`, 'tower');
    const people = page.getByRole('complementary', { name: 'People' });
    await people.getByText('Max Member').waitFor();
    // Both changes come at once, so that the number of subscribers is never another one.
    await page.context().setOffline(true);
    await put('DELETE', 'member', 'tower');
    await put('POST', 'member2', 'tower');
    await page.context().setOffline(false);
    await people.getByText('Mia Member').waitFor();
    await expect.poll(() => people.getByText('Max Member').count()).toBe(0);
    await goTo(page, `#channels/${String(stream_id)}/-/subscribers`);
    const members = page.getByRole('main');
    await members.getByText('Mia Member').waitFor();
    await page.context().setOffline(true);
    await put('DELETE', 'member2', 'tower');
    await put('POST', 'member', 'tower');
    await page.context().setOffline(false);
    await members.getByText('Max Member').waitFor();
  });

  it('of a channel with a long name have a heading of one line', async () => {
    const name = 'releases and long-term maintenance of everything we do';
    await demo.call('owner', 'POST', '/users/me/subscriptions', { subscriptions: [{ name }] });
    await put('POST', 'member', name);
    const { stream_id } = await demo.call('owner', 'GET', '/get_stream_id', { stream: name });
    await goTo(page, `#narrow/channel/${String(stream_id)}`, name);
    const heading = page
      .getByRole('complementary', { name: 'People' })
      .getByRole('button', { name: `Others in ${name}` });
    expect((await heading.boundingBox())?.height).toBeLessThan(40);
  });

  it('whom one wrote to come first in the palette, bots after people, and the bots of the server not at all', async () => {
    await demo.call('owner', 'POST', '/bots', { full_name: 'Egg Bot', short_name: 'egg' });
    await demo.call('owner', 'POST', '/messages', {
      type: 'direct',
      to: JSON.stringify([await idOf('member2')]),
      content: 'hello',
    });
    await page.keyboard.press('Escape');
    const found = async (query: string) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox').fill(query);
      const names = await page.getByRole('group', { name: 'People' }).locator('b').allInnerTexts();
      await page.keyboard.press('Escape');
      return names;
    };
    await expect.poll(async () => (await found('m'))[0]).toBe('Mia Member');
    expect(await found('e')).toContain('Egg Bot');
    expect(await found('e')).not.toContain('Email Gateway');
    expect(await found('Gateway')).toEqual([]);
    const persons = await found('');
    expect(persons[0]).toBe('Mia Member');
  });

  it('have a page with their name as its title', async () => {
    await goTo(page, `#organization/users/${await idOf('member')}`);
    await page.getByRole('heading', { level: 2, name: 'Max Member', exact: true }).waitFor();
    await page.evaluate("location.hash = '#organization/users/active'");
    await page.getByRole('heading', { level: 2, name: 'People', exact: true }).waitFor();
  });
});
