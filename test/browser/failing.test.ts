import { setTimeout as pause } from 'node:timers/promises';
import type { Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { inspect } from '../support/accessibility.ts';
import { hasBrowser, openBrowser } from '../support/browser.ts';
import { DemoPages, goTo, INTERCEPTED } from '../support/demo-pages.ts';

const [GENERAL, DESIGN] = [1, 2];
const JOURNEY = '#narrow/channel/2-design/topic/journey';

// One test for each line of "When something fails" in docs/web-client.md. One database: what fails lies before it.
describe.skipIf(!hasBrowser())('what a person sees when something fails', () => {
  let demo: DemoPages;
  let page: Page;
  beforeAll(async () => {
    demo = await DemoPages.open();
    page = await demo.logIn('member', INTERCEPTED);
    await demo.send('owner', DESIGN, 'journey', 'said before');
    await goTo(page, JOURNEY, 'journey');
    await row('said before').waitFor();
  });
  afterAll(() => demo.close());
  afterEach(async () => {
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.context().setOffline(false);
  });

  const row = (text: string) => page.locator('main article', { hasText: text }).last();
  const field = () => page.locator('.dock textarea');
  const write = async (text: string) => {
    await field().fill(text);
    await page.keyboard.press('Control+Enter');
  };
  /** As if this browser had not been here before. */
  const forgetState = (tab: Page) =>
    tab.evaluate(`indexedDB.databases().then((all) => Promise.all(all.map(({ name }) => new Promise((done) => {
      const asked = indexedDB.deleteDatabase(name);
      asked.onsuccess = asked.onerror = asked.onblocked = done;
    }))))`);
  const contents = async () => (await demo.topic(DESIGN, 'journey')).map(({ content }) => content);
  /** Answers requests with something else; how often it did. */
  const answer = async (pattern: string, fulfill: (route: Route, count: number) => Promise<void>) => {
    const counted = { times: 0 };
    await page.route(pattern, (route) => fulfill(route, ++counted.times));
    return counted;
  };
  /** Answers the next poll as if the queue had ended long ago. */
  const loseQueue = () => {
    const gone = { result: 'error', code: 'BAD_EVENT_QUEUE_ID', msg: 'Bad event queue ID: 1', queue_id: '1' };
    return answer('**/api/v1/events?*', (route, count) =>
      count === 1 ? route.fulfill({ status: 400, json: gone }) : route.fallback(),
    );
  };
  /** Puts something into the next answer with events. */
  const addEvents = (events: readonly object[]) => {
    let isDone = false;
    return answer('**/api/v1/events?*', async (route) => {
      if (isDone) return route.fallback();
      const response = await route.fetch();
      const body = (await response.json()) as { events?: { id: number }[] };
      const last = body.events?.at(-1);
      if (!last) return route.fulfill({ response, json: body });
      isDone = true;
      const added = events.map((event, index) => ({ ...event, id: last.id - 0.5 + index / 100 }));
      await route.fulfill({
        response,
        json: { ...body, events: [...(body.events ?? []).slice(0, -1), ...added, last] },
      });
    });
  };

  it('the network is away: a quiet bar with the next try and a button; all still reads, and sends wait', async () => {
    await page.context().setOffline(true);
    await page.getByText('No connection to the server').waitFor();
    await page.getByText(/Next try in \d+ seconds?\./).waitFor();
    expect((await inspect(page)).found).toEqual([]);
    await row('said before').waitFor();
    await write('while away');
    await page.getByText('1 message is waiting to be sent.').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.context().setOffline(false);
    await expect.poll(() => page.locator('article.pending').count()).toBe(0);
    await page.getByText('No connection to the server').waitFor({ state: 'detached' });
    expect((await contents()).filter((text) => text === 'while away').length).toBe(1);
  });

  it('the queue is gone: nothing, but what was missed, and the place that was read stays', async () => {
    for (let number = 1; number <= 60; number++) await demo.send('member', GENERAL, 'long', `line ${number}`);
    await goTo(page, '#narrow/channel/1-general/topic/long', 'long');
    await page.getByText('line 3', { exact: true }).waitFor();
    await page.evaluate('document.querySelector("main .virtual").scrollTop = 400; globalThis.mark = 1');
    await page.waitForTimeout(300);
    const top = () =>
      page.evaluate(
        '[...document.querySelectorAll("main article")].find((one) => one.getBoundingClientRect().top > 80)?.dataset.message',
      );
    const before = await top();
    const registered = page.waitForRequest('**/api/v1/register');
    await loseQueue();
    await demo.send('owner', GENERAL, 'long', 'missed');
    await registered;
    await demo.send('owner', GENERAL, 'elsewhere', 'after');
    await page
      .getByRole('link', { name: /^elsewhere/ })
      .first()
      .waitFor();
    expect([await page.evaluate('globalThis.mark'), await top()]).toEqual([1, before]);
    expect(await page.getByText('No connection').count()).toBe(0);
    await page.evaluate('document.querySelector("main .virtual").scrollTop = 1e6');
    await row('missed').waitFor();
  });

  it('the queue is gone, and the open topic was renamed meanwhile: its messages and what is written stay', async () => {
    const id = await demo.send('owner', DESIGN, 'drifting', 'said on a raft');
    await goTo(page, '#narrow/channel/2-design/topic/drifting', 'drifting');
    await row('said on a raft').waitFor();
    await field().fill('half a word');
    await page.context().setOffline(true);
    await page.getByText('No connection to the server').waitFor();
    await demo.call('owner', 'PATCH', `/messages/${id}`, { topic: 'ashore', propagate_mode: 'change_all' });
    await loseQueue();
    await page.context().setOffline(false);
    await page.getByRole('heading', { level: 1, name: 'ashore' }).waitFor();
    await row('said on a raft').waitFor();
    expect(await field().inputValue()).toBe('half a word');
    await field().fill('');
  });

  it('an answer without what it must have: what is missing says so, and the rest of the page goes on', async () => {
    await answer('**/api/v1/streams/*/members', (route) => route.fulfill({ json: { result: 'success', msg: '' } }));
    await page.goto(`${demo.server.url}/#channels/2/design/subscribers`);
    const says = page.getByText('The server did not answer. Try again in a moment.');
    await says.waitFor();
    await answer('**/api/v1/push_*', (route) => route.fulfill({ json: { result: 'success', msg: '' } }));
    await page.goto(`${demo.server.url}/#settings/notifications`);
    await says.waitFor();
    await page.getByRole('switch').first().waitFor();
    expect(await page.getByText('This view could not be shown.').count()).toBe(0);
    expect(demo.complaints).toEqual([]);
    await page.keyboard.press('Escape');
  });

  it('somebody who is not there: a sentence of our own and a way on', async () => {
    await page.goto(`${demo.server.url}/#user/999999`);
    await page.getByText('No such person').waitFor();
    await page.locator('.dock').waitFor({ state: 'detached' });
    expect((await inspect(page)).found).toEqual([]);
    await page.getByRole('link', { name: 'Go to the inbox' }).click();
    await page.waitForURL(/#inbox$/);
  });

  it.each(['#topics/channel/4-leadership', '#topics/channel/999-gone', '#narrow/channel/999-gone'])(
    'a channel that is not there, or that one may not see: the same page at %s',
    async (hash) => {
      await goTo(page, hash, 'Not found');
      await page.getByText('No such channel').waitFor();
    },
  );

  it('too many requests: it waits as told, silently once, and says so from the second time on', async () => {
    await goTo(page, JOURNEY, 'journey');
    const limited = {
      result: 'error',
      code: 'RATE_LIMIT_HIT',
      msg: 'API usage exceeded rate limit',
      'retry-after': 0.2,
    };
    const times = async (most: number) =>
      answer('**/api/v1/messages', (route, count) =>
        route.request().method() === 'POST' && count <= most
          ? route.fulfill({ status: 429, json: limited })
          : route.fallback(),
      );
    await times(1);
    await write('limited once');
    await expect.poll(contents).toContain('limited once');
    expect(await page.getByText('Too many requests').count()).toBe(0);
    await page.unrouteAll();
    await times(2);
    await write('limited twice');
    await page.getByText('Too many requests.').waitFor();
    await expect.poll(contents).toContain('limited twice');
  });

  it('the server takes a request and says nothing: a word after a while, and what was typed stays', async () => {
    await goTo(page, '#settings/profile');
    await page.route('**/api/v1/settings', () => undefined);
    const name = page.getByLabel('Name', { exact: true });
    await name.fill('Max Waiting');
    await name.press('Enter');
    await page.getByText('The server has not answered yet. What you typed is kept.').waitFor();
    expect(await name.inputValue()).toBe('Max Waiting');
    await page.getByText('The server did not answer').waitFor({ timeout: 40_000 });
    expect(await name.inputValue()).toBe('Max Waiting');
    await name.press('Escape');
    await goTo(page, JOURNEY, 'journey');
  });

  it('an action is refused: the server’s own sentence beside it, and everything as it was', async () => {
    const refused = { result: 'error', code: 'BAD_REQUEST', msg: 'Not today, says the server.' };
    await answer('**/api/v1/messages', (route) =>
      route.request().method() === 'POST' ? route.fulfill({ status: 400, json: refused }) : route.fallback(),
    );
    await write('refused');
    await row('refused').getByText('Not sent: Not today, says the server.').waitFor();
    expect((await inspect(page)).found).toEqual([]);
    await page.unrouteAll();
    await row('refused').getByRole('button', { name: 'Edit' }).click();
    await expect.poll(() => field().inputValue()).toBe('refused');
    await field().fill('');
    const starred = page.getByRole('img', { name: 'Starred' });
    await answer('**/api/v1/messages/flags', (route) => route.fulfill({ status: 400, json: refused }));
    await row('said before').focus();
    await page.keyboard.press('*');
    await page.locator('.toast.error', { hasText: 'Not today, says the server.' }).waitFor();
    expect(await starred.count()).toBe(0);
  });

  it('a newer release: an offer, which forces nothing while somebody types', async () => {
    await field().fill('half a thought');
    await answer(`${demo.server.url}/`, async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace(/(name="release" content=")[^"]*/, '$1main-NEWER.js');
      await route.fulfill({ response, body });
    });
    await page.context().setOffline(true);
    await page.getByText('No connection to the server').waitFor();
    await page.context().setOffline(false);
    await page.getByText('A new version is ready.').waitFor();
    expect((await inspect(page)).found).toEqual([]);
    expect(await field().inputValue()).toBe('half a thought');
    await page.unrouteAll();
    await page.waitForTimeout(600);
    await page.getByRole('button', { name: 'Reload' }).click();
    await expect.poll(() => field().inputValue()).toBe('half a thought');
    await field().fill('');
  });

  it('what the client does not know: it is ignored or shown as text, and told once', async () => {
    const [before] = await demo.topic(DESIGN, 'journey');
    const found = await demo.call('member', 'GET', `/messages/${before?.id}`);
    const strange = (id: number, more: object) => ({
      type: 'message',
      flags: [],
      message: { ...found['message'], id, reactions: [], submessages: [], ...more },
    });
    await addEvents([
      { type: 'frobnicate', op: 'now', value: null },
      { type: 'realm', op: 'update_dict', property: 'default', data: { unheard_of: { of: 1 } } },
      { type: 'update_message_flags', op: 'add', flag: 'shining', messages: [before?.id], all: false },
      strange(1e9, { content: '<p>new <hologram src="x">kind</hologram> of <b onclick="x">text</b></p>' }),
      strange(1e9 + 1, {
        content: '<p>odd emoji</p>',
        reactions: [{ emoji_name: 'nope', emoji_code: 'zzz', reaction_type: 'hologram', user_id: 1, user: { id: 1 } }],
      }),
      strange(1e9 + 2, {
        content: '<p>odd widget</p>',
        submessages: [
          { id: 1, message_id: 1, sender_id: 1, msg_type: 'widget', content: '{"widget_type":"hologram"}' },
        ],
      }),
      strange(1e9 + 3, { content: '<p>broken</p>', reactions: null, submessages: 7, flags: null }),
    ]);
    await demo.send('owner', DESIGN, 'journey', 'and on it goes');
    for (const text of ['new kind of text', 'odd emoji', 'odd widget', 'broken', 'and on it goes'])
      await row(text).waitFor();
    await demo.send('owner', DESIGN, 'journey', 'and on');
    await row('and on').waitFor();
    const reports = demo.complaints.splice(0);
    expect(reports.filter((line) => /Content Security|TrustedHTML/.test(line))).toEqual([]);
    expect(reports.length).toBeLessThanOrEqual(3);
    await page.reload();
    await row('and on it goes').waitFor();
  });

  it('a view fails: it says so, with a retry, and the rest goes on', async () => {
    await demo.send('owner', DESIGN, 'planted', 'unread **words**');
    await goTo(page, '#narrow/is/starred', 'Starred');
    // The messages that the test before planted are shown again after its reload, and told again.
    demo.complaints.splice(0);
    // What shows the last words of a message needs this; the list of conversations beside it does not.
    await page.evaluate(`
      globalThis.kept = DOMParser.prototype.parseFromString;
      DOMParser.prototype.parseFromString = () => { throw new Error('planted') };
      location.hash = '#inbox'`);
    await page.getByRole('heading', { level: 1, name: 'This view could not be shown.' }).waitFor();
    expect((await inspect(page)).found).toEqual([]);
    await page
      .getByRole('navigation', { name: 'Conversations' })
      .getByRole('link', { name: /planted/ })
      .waitFor();
    await page.evaluate('DOMParser.prototype.parseFromString = globalThis.kept');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('main').getByText('unread words').waitFor();
    expect(demo.complaints.splice(0).filter((line) => !line.includes('planted'))).toEqual([]);
  });

  it.each([
    ['slow', (route: Route) => pause(1500).then(() => route.fallback())],
    ['cut', (route: Route) => route.fulfill({ body: '{"result":"success","messages":[{"id":1,' })],
    ['empty', (route: Route) => route.fulfill({ body: '' })],
    ['HTML', (route: Route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html><h1>Hello</h1>' })],
    [
      'HTML of a proxy',
      (route: Route) => route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }),
    ],
    ['JSON of another kind', (route: Route) => route.fulfill({ json: [1, 2, 3] })],
    ['lost', (route: Route) => route.abort('connectionreset')],
  ] as const)('an answer is %s: the view waits or says so, and goes on afterwards', async (kind, fulfill) => {
    const topic = `answers ${kind}`;
    await demo.send('owner', DESIGN, topic, `in ${topic}`);
    await goTo(page, '#inbox', 'Inbox');
    const isMessages = (route: Route) => route.request().method() === 'GET';
    await answer('**/api/v1/messages?*', (route) =>
      (isMessages(route) ? fulfill(route) : route.fallback()).then(() => undefined),
    );
    await goTo(page, `#narrow/channel/2-design/topic/${encodeURIComponent(topic).replaceAll('%', '.')}`, topic);
    if (kind === 'slow') await page.locator('.feed.loading').waitFor();
    else {
      await page.getByText('The messages could not be loaded.').waitFor();
      expect((await inspect(page)).found).toEqual([]);
      await page.unrouteAll();
      await page.getByRole('button', { name: 'Try again' }).click();
    }
    await row(`in ${topic}`).waitFor();
    const events = await answer('**/api/v1/events?*', (route, count) =>
      (count < 3 ? fulfill(route) : route.fallback()).then(() => undefined),
    );
    // The first one answers a request that was under way already.
    await demo.send('owner', DESIGN, topic, 'first');
    await row('first').waitFor();
    await demo.send('owner', DESIGN, topic, `after ${topic}`);
    await row(`after ${topic}`).waitFor({ timeout: 30_000 });
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    expect(events.times).toBeGreaterThanOrEqual(kind === 'slow' ? 1 : 2);
  });

  it('a first visit is not answered: the bar with the next try in place of an empty page, and then the client', async () => {
    for (const json of [{ result: 'success', msg: '' }, undefined]) {
      const mia = await demo.logIn('member2', INTERCEPTED);
      const lose = (route: Route) => (json ? route.fulfill({ json }) : route.abort('connectionreset'));
      await mia.route('**/api/v1/register', lose);
      await forgetState(mia);
      await mia.reload();
      await mia.getByText('No connection to the server').waitFor();
      expect((await inspect(mia)).found).toEqual([]);
      await mia.unrouteAll();
      await mia.getByRole('button', { name: 'Try again' }).click();
      await mia.getByRole('navigation', { name: 'Conversations' }).waitFor();
      await mia.close();
    }
  });

  it('the browser has no room: messages go out, the page says what that means, and the next visit is whole', async () => {
    const mia = await demo.logIn('member2', INTERCEPTED);
    await goTo(mia, JOURNEY, 'journey');
    await mia.evaluate(
      `IDBObjectStore.prototype.put = () => { throw new DOMException('no room', 'QuotaExceededError') }`,
    );
    await mia.locator('.dock textarea').fill('without room');
    await mia.keyboard.press('Control+Enter');
    await mia.getByText('This browser has no storage left.').waitFor();
    await expect.poll(contents).toContain('without room');
    await expect.poll(() => mia.locator('article.pending').count()).toBe(0);
    await demo.send('owner', DESIGN, 'journey', 'not stored');
    await mia.getByText('not stored').first().waitFor();
    await mia.reload();
    await mia.getByText('not stored').first().waitFor();
    expect((await contents()).filter((text) => text === 'without room').length).toBe(1);
    await mia.close();
  });

  it('the clock is a day ahead: what one wrote just now can still be edited', async () => {
    const mia = await demo.logIn('member2', INTERCEPTED);
    await mia.addInitScript('{ const now = Date.now; Date.now = () => now() + 864e5; }');
    await mia.reload();
    await goTo(mia, JOURNEY, 'journey');
    await mia.locator('.dock textarea').fill('by an odd clock');
    await mia.keyboard.press('Control+Enter');
    const own = mia.locator('main article:not(.pending)', { hasText: 'by an odd clock' });
    await own.waitFor();
    await expect
      .poll(async () => {
        await own.focus();
        await mia.keyboard.press('e');
        return mia.locator('article textarea').count();
      })
      .toBe(1);
    await mia.close();
  });

  it('a view’s file is gone with its release: an offer to reload beside the way to try again', async () => {
    const browser = await openBrowser({ javaScriptEnabled: true, serviceWorkers: 'block' });
    const tab = await demo.openTab(browser, 'member');
    await tab.reload();
    await tab.getByRole('navigation', { name: 'Conversations' }).waitFor();
    await tab.route('**/web/*.js', (route) => route.fulfill({ status: 404, body: '' }));
    await tab.route(`${demo.server.url}/`, async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace(/(name="release" content=")[^"]*/, '$1main-NEWER.js');
      await route.fulfill({ response, body });
    });
    await goTo(tab, '#settings/profile');
    await tab.getByText('A new version is ready.').waitFor();
    await tab.getByRole('main').getByText('This view could not be shown.').waitFor();
    await browser.close();
  });

  it('a list does not come: its view says why, with a way to try again', async () => {
    const refuse = (route: Route) =>
      route.fulfill({ status: 403, json: { result: 'error', code: 'BAD_REQUEST', msg: 'Not for you' } });
    for (const [path, hash, title] of [
      ['**/api/v1/messages?*', '#recent', 'The messages could not be loaded.'],
      ['**/api/v1/users/me/*/topics*', '#topics/channel/1-general', 'The topics could not be loaded.'],
    ] as const) {
      const tab = await page.context().newPage();
      await tab.route(path, refuse);
      await tab.goto(`${demo.server.url}/${hash}`);
      await tab.getByRole('heading', { name: title }).waitFor();
      await tab.getByText('Not for you.').waitFor();
      expect((await inspect(tab)).found).toEqual([]);
      await tab.unroute(path);
      await tab.getByRole('button', { name: 'Try again' }).click();
      await tab.getByRole('heading', { name: title }).waitFor({ state: 'detached' });
      await tab.getByText('long', { exact: true }).first().waitFor();
      await tab.close();
    }
  });

  describe('while an answer is awaited', () => {
    /** Keeps requests back; returns what lets them go. */
    const hold = async (pattern: string, method: string) => {
      let release = () => {};
      const released = new Promise<void>((resolve) => (release = resolve));
      await page.route(pattern, async (route) => {
        if (route.request().method() === method) await released;
        await route.fallback();
      });
      return release;
    };
    const attach = async (place: string) => {
      const chosen = page.waitForEvent('filechooser');
      await page.locator(place).getByRole('button', { name: 'Attach files' }).click();
      await (await chosen).setFiles({ name: 'nest.txt', mimeType: 'text/plain', buffer: Buffer.from('a nest') });
    };
    const form = () => page.locator('article textarea');
    const LINK = /\[nest\.txt\]\(\/user_uploads\/[^)]*\)/;

    it('a file is uploaded into the text that was left and opened again, where one goes on writing', async () => {
      await goTo(page, JOURNEY, 'journey');
      const release = await hold('**/api/v1/tus/**', 'PATCH');
      await field().fill('look: ');
      await attach('.dock');
      await goTo(page, '#narrow/channel/2-design/topic/aside', 'aside');
      expect(await field().inputValue()).toBe('');
      await goTo(page, JOURNEY, 'journey');
      await page.getByRole('button', { name: 'Cancel upload of nest.txt' }).waitFor();
      await field().press('Control+Home');
      await page.keyboard.type('Please ');
      await page.keyboard.press('Control+Enter');
      release();
      await expect.poll(() => field().inputValue()).toMatch(LINK);
      await page.keyboard.type('have a ');
      expect((await field().inputValue()).replace(LINK, 'it').trim()).toBe('Please have a look: it');
      await field().fill('');
    });

    it('a message is not saved without its file, and what is typed while it is saved stays', async () => {
      await demo.send('member', DESIGN, 'journey', 'to be changed');
      await row('to be changed').focus();
      await page.keyboard.press('e');
      await form().fill('changed ');
      const upload = await hold('**/api/v1/tus/**', 'PATCH');
      await attach('article');
      await form().press('Control+Enter');
      await page.locator('article').getByText('A file is still being uploaded.').waitFor();
      upload();
      await expect.poll(() => form().inputValue()).toMatch(LINK);
      await form().fill('changed');
      const save = await hold('**/api/v1/messages/*', 'PATCH');
      await form().press('Control+Enter');
      await page.keyboard.type(' twice');
      save();
      await expect.poll(contents).toContain('changed');
      await expect.poll(() => page.locator('article form [aria-busy=true]').count()).toBe(0);
      await form().press('Control+Enter');
      await expect.poll(contents).toContain('changed twice');
      await form().waitFor({ state: 'detached' });
    });

    it('a reaction is shown at once, and is as it was chosen last', async () => {
      const release = await hold('**/api/v1/messages/*/reactions', 'POST');
      await row('said before').focus();
      for (const shown of [1, 0, 1]) {
        await page.keyboard.press('+');
        await expect
          .poll(() => row('said before').getByRole('button', { name: /\+1/, pressed: true }).count())
          .toBe(shown);
      }
      release();
      await expect.poll(async () => (await demo.topic(DESIGN, 'journey'))[0]?.reactions.length).toBe(1);
      await answer('**/api/v1/messages/*/reactions', (route) => route.fulfill({ status: 503 }));
      await page.keyboard.press('+');
      await page.getByRole('alert').getByText('The server did not answer.').waitFor();
      await row('said before').getByRole('button', { name: /\+1/, pressed: true }).waitFor();
    });

    it('a topic is resolved once, however often that is pressed', async () => {
      await demo.send('owner', DESIGN, 'aside', 'That is all.');
      await goTo(page, '#narrow/channel/2-design/topic/aside', 'aside');
      await row('That is all.').waitFor();
      const release = await hold('**/api/v1/messages/*', 'PATCH');
      let asked = 0;
      page.on('request', (request) => (asked += request.method() === 'PATCH' ? 1 : 0));
      await page.getByRole('button', { name: 'Resolve topic' }).dblclick();
      await expect.poll(() => asked).toBe(1);
      release();
      await page.getByRole('button', { name: 'Reopen topic' }).waitFor();
      expect(asked).toBe(1);
      await goTo(page, JOURNEY, 'journey');
    });

    it('an option that could not be added, and what is typed while a message is scheduled, stay', async () => {
      await demo.send('member', DESIGN, 'journey', '/poll Which bird?\nRook');
      const option = row('Which bird?').getByLabel('New option');
      await answer('**/api/v1/submessage', (route) => route.fulfill({ status: 503 }));
      await option.fill('Owl');
      await option.press('Enter');
      await expect.poll(() => option.inputValue()).toBe('Owl');
      const release = await hold('**/api/v1/scheduled_messages', 'POST');
      await field().fill('for tomorrow');
      await page.getByRole('button', { name: 'Send later' }).click();
      await page.getByRole('menuitem', { name: /Tomorrow morning/ }).click();
      await field().press('End');
      await page.keyboard.type(' and now');
      release();
      await expect.poll(() => field().inputValue()).toBe('and now');
      await field().fill('');
    });
  });

  it('one logs out in another tab: the page to log in, and what was typed is there afterwards', async () => {
    const mona = await demo.logIn('moderator', INTERCEPTED);
    await goTo(mona, JOURNEY, 'journey');
    await mona.locator('.dock textarea').fill('half a word');
    const other = await demo.openTab({ context: mona.context() }, 'moderator');
    // A slow end of the session, in which the page to log in would lead back.
    await other.route('**/logout/', async (route) => {
      if (route.request().method() === 'POST') await pause(1500);
      await route.continue();
    });
    await other.getByRole('button', { name: /^Roost Demo/ }).click();
    await other.getByRole('menuitem', { name: 'Log out' }).click();
    await other.waitForURL(/\/login\//);
    await mona.getByRole('heading', { level: 1, name: 'Log in' }).waitFor();
    await mona.getByLabel('Email address').fill('moderator@roost.test');
    await mona.getByLabel('Password').fill('roost-demo-password');
    await mona.getByRole('button', { name: 'Log in', exact: true }).click();
    await mona.getByText('said before').waitFor();
    await expect.poll(() => mona.locator('.dock textarea').inputValue()).toBe('half a word');
  });

  it('one logs out in another tab and no answer comes: the page does not wait for ever', async () => {
    const mona = await demo.logIn('moderator', INTERCEPTED);
    await goTo(mona, JOURNEY, 'journey');
    const other = await demo.openTab({ context: mona.context() }, 'moderator');
    await other.route('**/logout/', (route) => (route.request().method() === 'POST' ? undefined : route.continue()));
    await mona.evaluate('window.isFirst = true');
    await other.getByRole('button', { name: /^Roost Demo/ }).click();
    await other.getByRole('menuitem', { name: 'Log out' }).click({ noWaitAfter: true });
    // The session goes on, so the page to log in leads back.
    await expect.poll(() => mona.evaluate('window.isFirst').catch(() => true)).toBeUndefined();
    await mona.context().close();
  });

  it('the session ends: a page to log in that says why; drafts and what was not sent are there afterwards', async () => {
    const mia = await demo.logIn('member2', INTERCEPTED);
    await goTo(mia, JOURNEY, 'journey');
    await mia.locator('.dock textarea').fill('a draft');
    await mia.getByText('Draft saved').waitFor();
    await goTo(mia, '#narrow/channel/2-design/topic/unsent', 'unsent');
    const isSending = (route: Route) => route.request().method() === 'POST';
    await mia.route('**/api/v1/messages', (route) => (isSending(route) ? route.abort() : route.fallback()));
    await mia.locator('.dock textarea').fill('not sent yet');
    await mia.keyboard.press('Control+Enter');
    await mia.locator('article.pending').waitFor();
    const { user_id } = await demo.call('member2', 'GET', '/users/me');
    await demo.call('owner', 'DELETE', `/users/${user_id}`);
    await mia.waitForURL(/\/login\/\?ended=\w+/);
    await mia
      .getByText(/deactivated|logged out|ended/i)
      .first()
      .waitFor();
    expect((await inspect(mia)).found).toEqual([]);
    await mia.unrouteAll();
    await demo.call('owner', 'POST', `/users/${user_id}/reactivate`);
    await mia.getByLabel('Email address').fill('member2@roost.test');
    await mia.getByLabel('Password').fill('roost-demo-password');
    await mia.getByRole('button', { name: 'Log in', exact: true }).click();
    await mia.getByRole('navigation', { name: 'Conversations' }).waitFor();
    await goTo(mia, JOURNEY, 'journey');
    await expect.poll(() => mia.locator('.dock textarea').inputValue()).toBe('a draft');
    await goTo(mia, '#narrow/channel/2-design/topic/unsent', 'unsent');
    await expect.poll(async () => (await demo.topic(DESIGN, 'unsent')).length).toBe(1);
  });

  it('reads the rest of a page of which a part cannot be loaded, writes below what cannot be read, and asks again', async () => {
    const browser = await openBrowser({ javaScriptEnabled: true, ...INTERCEPTED });
    const tab = await demo.openTab(browser, 'owner');
    await tab.setViewportSize({ width: 390, height: 600 });
    let isShut = true;
    const json = { result: 'error', code: 'BAD_REQUEST', msg: 'The nest is closed.' };
    await tab.route(/api\/v1\/(messages|users\/me\/api_keys)/, (route) =>
      isShut && route.request().method() === 'GET' ? route.fulfill({ status: 400, json }) : route.fallback(),
    );
    await goTo(tab, '#settings/account-and-privacy');
    await tab.getByText('The nest is closed.').waitFor();
    expect((await tab.getByRole('button', { name: 'Change email' }).boundingBox())?.y).toBeGreaterThan(0);
    isShut = false;
    await tab.getByRole('button', { name: 'Try again' }).click();
    await tab.getByText('The nest is closed.').waitFor({ state: 'detached' });
    isShut = true;
    await goTo(tab, '#narrow/channel/3-announcements/topic/holidays');
    await tab.getByText('The nest is closed.').waitFor();
    const dock = await tab.locator('.dock').boundingBox();
    expect((dock?.y ?? 0) + (dock?.height ?? 0)).toBeGreaterThan(590);
    await browser.close();
  });
});
