import type { CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Browser, hasBrowser, openOwnBrowser } from '../support/browser.ts';
import { makeDatabase, type TestDatabase } from '../support/databases.ts';
import { Phone } from '../support/phone.ts';
import { PushGateway } from '../support/push-gateway.ts';
import { call, demoAccount, freePort, type ServerProcess, startProcess } from '../support/process.ts';

const PASSWORD = 'roost-demo-password';
const now = () => Math.floor(Date.now() / 1000);

interface Shown {
  readonly title: string;
  readonly body: string;
  readonly tag: string;
  readonly actions: readonly string[];
}

// One database: what differs between them lies below the API, and has its tests there.
describe.skipIf(!hasBrowser())('notifications in a browser', () => {
  let database: TestDatabase;
  let gateway: PushGateway;
  let server: ServerProcess;
  let browser: Browser;
  let page: Page;
  let other: Page | undefined;
  let devtools: CDPSession;
  let registrationId = '';
  let me = 0;

  beforeAll(async () => {
    database = await makeDatabase('sqlite');
    gateway = await PushGateway.open(now);
    server = await startProcess(database, await freePort(), { ROOST_PUSH_GATEWAY_URL: gateway.url });
    browser = await openOwnBrowser({ javaScriptEnabled: true });
    await browser.context.grantPermissions(['notifications'], { origin: server.url });
    page = await browser.context.newPage();
    // There is no push service within reach; what a browser makes of one is stood in for.
    await page.addInitScript(`
      const key = new Uint8Array(65); key[0] = 4;
      const known = { value: null };
      const made = {
        endpoint: 'https://push.example.org/there',
        options: { applicationServerKey: null },
        toJSON: () => ({ endpoint: made.endpoint, keys: {
          p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
          auth: 'BTBZMqHH6r4Tts7J_aSIgg',
        } }),
        unsubscribe: async () => { known.value = null; return true; },
      };
      if ('PushManager' in window) {
        PushManager.prototype.getSubscription = async () => known.value;
        PushManager.prototype.subscribe = async (options) => {
          made.options.applicationServerKey = options.applicationServerKey.buffer;
          return (known.value = made);
        };
      }
    `);
    // Nobody presses what a browser asks.
    await page.exposeFunction('allowNotifications', () =>
      browser.context.grantPermissions(['notifications'], { origin: server.url }),
    );
    await page.addInitScript(`
      Notification.requestPermission = async () => { await window.allowNotifications(); return 'granted'; };
    `);
    await page.goto(`${server.url}/login/`);
    await page.getByLabel('Email address').fill('member@roost.test');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await page.getByRole('navigation', { name: 'Conversations' }).waitFor();
    devtools = await browser.context.newCDPSession(page);
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      registrationId = registrations.at(-1)?.registrationId ?? registrationId;
    });
    await devtools.send('ServiceWorker.enable');
    me = (await demoAccount(server, 'member@roost.test')).user_id;
  });
  afterAll(async () => {
    await browser.close();
    await server.kill('SIGKILL');
    await gateway.close();
    await database.remove();
  });

  const go = (hash: string) => page.evaluate(`location.hash = ${JSON.stringify(`#${hash}`)}`);
  const pushed: object[] = [];
  const push = async (payload: object) => {
    pushed.push(payload);
    await deliver(payload);
  };
  const deliver = (payload: object) =>
    devtools.send('ServiceWorker.deliverPushMessage', {
      origin: `${server.url}/`,
      registrationId,
      data: JSON.stringify(payload),
    });
  const shown = (): Promise<readonly Shown[]> =>
    page.evaluate(`navigator.serviceWorker.ready
      .then((registration) => registration.getNotifications())
      .then((all) => all.map(({ title, body, tag, actions }) => ({ title, body, tag, actions: actions.map((one) => one.action) })))`);
  const until = async (wanted: (all: readonly Shown[]) => boolean) => {
    for (let looks = 1; looks < 100; looks++) {
      const all = await shown();
      if (wanted(all)) return all;
      await page.waitForTimeout(100);
      // A browser without a desktop forgets notifications now and then. A push service brings things twice, too.
      if (looks % 20 === 0) for (const payload of pushed) await deliver(payload);
    }
    throw new Error(`what stands there: ${JSON.stringify(await shown())}`);
  };
  const message = (id: number, content: string, more: object = {}) => ({
    type: 'message',
    realm_name: 'Roost',
    realm_url: server.url,
    user_id: me,
    message_id: id,
    time: 1_790_000_000,
    sender_id: 1,
    sender_full_name: 'Olive Owner',
    content,
    recipient_type: 'direct',
    recipient_user_ids: [1, me],
    url: `${server.url}/#narrow/dm/1,${me}/near/${id}`,
    conversation: '5:',
    ...more,
  });
  /** Notifications are for who does not look: another page has the focus. */
  const lookAway = async () => {
    // The library has every page believe that it is looked at.
    await devtools.send('Emulation.setFocusEmulationEnabled', { enabled: false });
    other ??= await browser.context.newPage();
    await other.bringToFront();
    await expect.poll(() => page.evaluate('document.hasFocus()')).toBe(false);
  };

  /** Does in the service worker what pressing a notification does; the debugging protocol has no press. */
  const press = async (tag: string, how: { readonly action?: string; readonly reply?: string } = {}) => {
    const [worker] = browser.context.serviceWorkers();
    await worker?.evaluate(`(async () => {
      const [notification] = await registration.getNotifications({ tag: ${JSON.stringify(tag)} });
      const event = new NotificationEvent('notificationclick', { notification, action: ${JSON.stringify(how.action ?? '')} });
      Object.defineProperty(event, 'reply', { value: ${JSON.stringify(how.reply ?? null)} });
      const [done] = await new Promise((resolve) => {
        Object.defineProperty(event, 'waitUntil', { value: (promise) => resolve([promise]) });
        dispatchEvent(event);
      });
      await done;
    })()`);
  };
  const sendTo = async (content: string, as = 'owner@roost.test') => {
    const account = await demoAccount(server, as);
    const fields = { type: 'direct', to: [me], content };
    return { account, id: (await call(server, account, 'POST', '/messages', fields))['id'] as number };
  };
  const flagsOf = async (id: number) => {
    const account = await demoAccount(server, 'member@roost.test');
    const { message } = await call(server, account, 'GET', `/messages/${id}`);
    return (message as { readonly flags: readonly string[] }).flags;
  };

  it('are offered once the reader was mentioned, and not before', async () => {
    const account = await demoAccount(server, 'member@roost.test');
    await call(server, account, 'POST', '/mark_all_as_read');
    const ask = async (setting: string) =>
      devtools.send('Browser.setPermission', {
        origin: server.url,
        permission: { name: 'notifications' },
        setting: setting as 'prompt',
      });
    await ask('prompt');
    await page.reload();
    await page.getByRole('navigation', { name: 'Conversations' }).waitFor();
    const offer = page.getByText('You were mentioned.');
    await sendTo('for your eyes');
    await page.getByRole('navigation', { name: 'Conversations' }).getByText('Olive Owner').first().waitFor();
    expect(await offer.count()).toBe(0);
    const olive = await demoAccount(server, 'owner@roost.test');
    const mention = { type: 'channel', to: 'general', topic: 'lunch', content: '@**Max Member** soup?' };
    await call(server, olive, 'POST', '/messages', mention);
    await offer.waitFor();
    await call(server, account, 'POST', '/mark_all_as_read');
    await page.getByRole('button', { name: 'Allow' }).click();
    await offer.waitFor({ state: 'detached' });
    const listed = async () => (await call(server, account, 'GET', '/push_subscriptions'))['subscriptions'];
    expect(await listed()).toMatchObject([{ kind: 'web' }]);
    await go('settings/notifications');
    await page.getByRole('switch', { name: 'Notify me on this device' }).click();
    await expect.poll(listed).toEqual([]);
  });

  it('are turned on in the settings, which list this browser from then on', async () => {
    await go('settings/notifications');
    const toggle = page.getByRole('switch', { name: 'Notify me on this device' });
    await toggle.waitFor();
    expect(await toggle.isChecked()).toBe(false);
    await toggle.click();
    await page.getByText('No notification yet').waitFor();
    expect(await toggle.isChecked()).toBe(true);
    const account = await demoAccount(server, 'member@roost.test');
    const { subscriptions } = await call(server, account, 'GET', '/push_subscriptions');
    expect(subscriptions).toMatchObject([{ kind: 'web', name: expect.stringMatching(/^Chrome/) }]);
    await expect.poll(() => registrationId).not.toBe('');
  });

  it('show one notification for each conversation, which grows, and go when they were read', async () => {
    await lookAway();
    pushed.splice(0);
    await push(message(900_001, 'one'));
    await until((all) => all.length === 1);
    await push(message(900_002, 'two'));
    await push(message(900_002, 'two'));
    const place = {
      recipient_type: 'channel',
      channel_id: 1,
      channel_name: 'general',
      topic: 'lunch',
      conversation: '9:lunch',
    };
    await push(message(900_003, 'soup', place));
    const all = await until((now) => now.length === 2 && now.some(({ title }) => title.includes('(2)')));
    expect(all.toSorted((a, b) => a.tag.localeCompare(b.tag))).toEqual([
      { title: 'Olive Owner (2)', body: 'one\ntwo', tag: `${me}/5:`, actions: ['reply', 'read'] },
      { title: '#general > lunch', body: 'Olive Owner: soup', tag: `${me}/9:lunch`, actions: ['reply', 'read'] },
    ]);
    await push({ type: 'remove', user_id: me, message_ids: [900_001, 900_003] });
    expect(await until((now) => now.length === 1)).toMatchObject([{ title: 'Olive Owner', body: 'two' }]);
    await push({ type: 'remove', user_id: me + 1, message_ids: [900_002] });
    await push({ type: 'remove', user_id: me, message_ids: [900_002] });
    await until((now) => now.length === 0);
  });

  it('say something of a push that is no message of ours, and show markup as text', async () => {
    await lookAway();
    pushed.splice(0);
    await push({ type: 'test', realm_name: 'Roost', realm_url: server.url, user_id: me, time: 1 });
    await until((all) => all.some(({ title, body }) => title === 'Roost' && body === 'Notifications work.'));
    await push({ type: 'message' });
    await until((all) => all.some(({ title }) => title === 'New message'));
    await push(message(900_010, '<img src=x onerror=alert(1)>'));
    await until((all) => all.some(({ body }) => body === '<img src=x onerror=alert(1)>'));
    await push({ type: 'remove', user_id: me, message_ids: [900_010] });
    await until((all) => all.length === 1);
  });

  it('vanish when the page hears that their messages were read', async () => {
    const olive = await demoAccount(server, 'owner@roost.test');
    const max = await demoAccount(server, 'member@roost.test');
    const { id } = await call(server, olive, 'POST', '/messages', { type: 'direct', to: [me], content: 'knock' });
    await lookAway();
    pushed.splice(0);
    await push(message(id, 'knock', { conversation: 'real', recipient_user_ids: [olive.user_id, me] }));
    await until((all) => all.some(({ body }) => body === 'knock'));
    await call(server, max, 'POST', '/messages/flags', { messages: [id], op: 'add', flag: 'read' });
    await until((all) => all.every(({ body }) => body !== 'knock'));
  });

  it('mark as read, answer and open by their buttons, and count at the icon', async () => {
    const [worker] = browser.context.serviceWorkers();
    await worker?.evaluate('navigator.setAppBadge = async (count) => { self.badge = count; }');
    const badge = () => worker?.evaluate<number>('self.badge');
    const first = await sendTo('read me');
    const second = await sendTo('answer me');
    const third = await sendTo('open me');
    await lookAway();
    pushed.splice(0);
    const people = { recipient_user_ids: [first.account.user_id, me] };
    await push(message(first.id, 'read me', { ...people, conversation: 'a' }));
    await push(message(second.id, 'answer me', { ...people, conversation: 'b' }));
    const there = `#narrow/dm/${first.account.user_id},${me}/near/${third.id}`;
    await push(message(third.id, 'open me', { ...people, conversation: 'c', url: `${server.url}/${there}` }));
    const stands = (body: string) => (all: readonly Shown[]) => all.some((one) => one.body === body);
    await until((all) => ['read me', 'answer me', 'open me'].every((body) => stands(body)(all)));
    expect(await badge()).toBeGreaterThanOrEqual(3);
    await press(`${me}/a`, { action: 'read' });
    expect(await flagsOf(first.id)).toContain('read');
    expect(await flagsOf(second.id)).not.toContain('read');
    await press(`${me}/b`, { action: 'reply', reply: 'at once' });
    expect(await flagsOf(second.id)).toContain('read');
    const range = { narrow: [{ operator: 'dm', operand: [me] }], anchor: 'newest', num_before: 1, num_after: 0 };
    const { messages } = await call(server, first.account, 'GET', '/messages', { ...range, apply_markdown: false });
    expect(messages).toMatchObject([{ content: 'at once', sender_id: me }]);
    // A browser brings a page to the front only for a real press.
    await press(`${me}/c`).catch((error: unknown) => expect(String(error)).toMatch(/focus/i));
    await expect.poll(() => page.evaluate('location.hash')).toBe(there);
    const all = await shown();
    expect(all.filter(({ body }) => ['read me', 'answer me', 'open me'].includes(body))).toEqual([]);
  });

  it('say that an answer was not sent, and keep its words', async () => {
    await lookAway();
    pushed.splice(0);
    // Somebody else has logged in with this browser since.
    await push(message(900_020, 'hello?', { user_id: me + 1, conversation: 'd' }));
    await until((all) => all.some(({ body }) => body === 'hello?'));
    pushed.splice(0);
    await press(`${me + 1}/d`, { action: 'reply', reply: 'lost words' });
    expect(await shown()).toEqual(
      expect.arrayContaining([expect.objectContaining({ title: 'Your reply was not sent', body: 'lost words' })]),
    );
  });

  it('end when they are turned off', async () => {
    await page.bringToFront();
    await go('settings/notifications');
    await page.getByRole('switch', { name: 'Notify me on this device' }).click();
    await page.getByText('No notification yet').waitFor({ state: 'detached' });
    const account = await demoAccount(server, 'member@roost.test');
    expect((await call(server, account, 'GET', '/push_subscriptions'))['subscriptions']).toEqual([]);
    expect(await shown()).toEqual([]);
  });

  it('stand beside those of phones, of which it is said when they were reached last, on a narrow screen, too', async () => {
    const account = await demoAccount(server, 'member@roost.test');
    const phones = async () => (await call(server, account, 'GET', '/push_phones'))['phones'];
    await new Phone(gateway, now).register((path, fields = {}) => call(server, account, 'POST', path, { ...fields }));
    await expect.poll(phones).toHaveLength(1);
    await sendTo('for the phone');
    await expect.poll(phones).toMatchObject([{ delivered_at: expect.any(Number) }]);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.reload();
    await go('settings/notifications');
    const devices = page.getByRole('region', { name: 'Devices that are notified' });
    await devices.getByText('The app on an iPhone or iPad').waitFor();
    await devices.getByText(/^Last notification: \d\d?:\d\d/).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });
});
