import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { DemoPages, goTo } from '../support/demo-pages.ts';

const DESIGN = 2;

// What is asked of the server here is asked on both databases elsewhere.
describe.skipIf(!hasBrowser())('the last words of conversations', () => {
  let demo: DemoPages;
  beforeAll(async () => {
    demo = await DemoPages.open();
  });
  afterAll(() => demo.close());

  it('say what was meant, where the message has commands and marks', async () => {
    const page = await demo.logIn('member');
    const said: Readonly<Record<string, readonly [string, string]>> = {
      vote: ['/poll Which bird?\nRook\nOwl', 'Olive: Poll: Which bird?'],
      chores: ['/todo Before the release\nSweep', 'Olive: To-do list: Before the release'],
      sky: ['/me looks at the sky', 'Olive looks at the sky'],
      secret: ['```spoiler\nThe end\n```', 'Olive: Spoiler'],
      meeting: ['We meet <time:2027-02-01T12:00:00Z>.', 'Olive: We meet Monday, 1 February 2027'],
    };
    for (const [topic, [content]] of Object.entries(said)) await demo.send('owner', DESIGN, topic, content);
    const lines = (where: string) => page.locator('.lrow', { hasText: where }).locator('.last');
    for (const hash of ['#inbox', `#topics/channel/${DESIGN}-design`]) {
      await goTo(page, hash);
      for (const [topic, [, words]] of Object.entries(said))
        await expect.poll(() => lines(topic).first().textContent()).toContain(words);
    }
    const subscriptions = JSON.stringify([{ name: 'rookery', description: 'Where rooks nest' }]);
    await demo.call('member', 'POST', '/users/me/subscriptions', { subscriptions });
    const { stream_id } = await demo.call('member', 'GET', '/get_stream_id?stream=rookery');
    await goTo(page, `#topics/channel/${String(stream_id)}-rookery`);
    await expect.poll(() => lines('channel events').first().textContent()).toContain('Notification Bot: Public');
    await demo.call('owner', 'POST', '/messages', {
      type: 'direct',
      to: '["member@roost.test"]',
      content: '/me waves',
    });
    await goTo(page, '#recent', 'Recent conversations');
    await expect.poll(() => lines('Olive Owner').first().textContent()).toBe('Olive Owner waves');
    expect(demo.complaints).toEqual([]);
  });
});
