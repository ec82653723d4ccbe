import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Client } from '../../test/support/client.ts';
import { databases } from '../../test/support/databases.ts';
import { openWorld, type World } from '../../test/support/world.ts';
import { Api, type Clock } from '../api/index.ts';
import { inConversation, type Message, Messages } from '../messages/index.ts';
import { Model } from '../model/index.ts';
import { aloneTab, Memory, Outbox, type OutboxEntry, Sync, type Tabs } from './index.ts';
import type { TabMessage } from './tabs.ts';

/** What the network does with one request. */
type Weather = 'fine' | 'lost' | 'answerLost';

/** A browser whose network can be broken, on the world's server. */
class Browser {
  readonly model = new Model();
  readonly storage: Memory;
  readonly oddities: unknown[] = [];
  readonly outbox: Outbox;
  readonly messages: Messages;
  readonly sync: Sync;
  readonly asked: string[] = [];
  weather: (url: string, method: string) => Weather = () => 'fine';
  /** Whether answers that come now are lost, also those that were asked for before. */
  isCut = false;
  /** Answers in place of the server. */
  answer: (url: string) => object | undefined = () => undefined;
  isClosed = false;

  constructor(world: World, client: Client, storage = new Memory(), tabs: Tabs = aloneTab, clock: Clock = quick) {
    this.storage = storage;
    const api = new Api({
      clock: quick,
      token: () => Promise.resolve(''),
      fetch: (url, init) => this.#fetch(world, client, url, init),
    });
    this.messages = new Messages(this.model, sourceOf(api));
    this.outbox = new Outbox({
      storage,
      clock: quick,
      announce: () => tabs.tell({ what: 'outbox' }),
      catchUp: () => this.sync.wake(),
      send: (entry, queueId) => send(api, entry, queueId),
      find: (entry) => find(api, entry, this.model.me),
    });
    this.sync = new Sync({
      api,
      clock,
      storage,
      tabs,
      model: this.model,
      messages: this.messages,
      outbox: this.outbox,
      onOddity: (_what, error) => this.oddities.push(error),
    });
  }

  async #fetch(world: World, client: Client, url: string, init: RequestInit): Promise<Response> {
    const method = init.method ?? 'GET';
    this.asked.push(`${method} ${url.split('?')[0] ?? ''}`);
    // A page that is gone never hears of anything again.
    if (this.isClosed) return new Promise(() => undefined);
    const weather = this.weather(url, method);
    if (weather === 'lost') throw new TypeError('Failed to fetch');
    const answer = this.answer(url);
    if (answer) return Response.json(answer);
    const response = await Promise.race([
      world.server.listener.inject({
        method: method as 'GET',
        url,
        headers: {
          authorization: client.authorization,
          ...(method !== 'GET' && { 'content-type': 'application/x-www-form-urlencoded' }),
        },
        ...(init.body instanceof URLSearchParams && { payload: init.body.toString() }),
      }),
      aborted(init.signal),
    ]);
    if (this.isClosed) return new Promise(() => undefined);
    if (weather === 'answerLost' || this.isCut) throw new TypeError('Failed to fetch');
    return new Response(response.body, { status: response.statusCode });
  }

  /** Resolves when what is looked for holds. */
  until(holds: () => boolean): Promise<void> {
    return until(holds);
  }
}

function aborted(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(new Error('aborted'))));
}

/** Waits are short, because the tests' server runs on this machine. */
const quick = {
  now: () => performance.now(),
  random: () => 0.5,
  sleep: (ms: number, signal?: AbortSignal) =>
    pause(Math.min(ms / 50, 50), undefined, signal && { signal }).catch(() => undefined),
};

/** Waits in full: a tab that waits for another one's state does not give up because this machine is slow. */
const patient = {
  ...quick,
  sleep: (ms: number, signal?: AbortSignal) => pause(ms, undefined, signal && { signal }).catch(() => undefined),
};

async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; !holds(); tries++) {
    if (tries > 2000) throw new Error('it did not come true');
    await pause(5);
  }
}

function sourceOf(api: Api) {
  return {
    range: async (query: { narrow: readonly object[]; anchor: string; num_before: number; num_after: number }) => {
      const found = await api.call('GET', '/messages', {
        ...query,
        client_gravatar: false,
        allow_empty_topic_name: true,
      });
      return { ...found, messages: found.messages as readonly Message[] };
    },
    named: () => Promise.resolve([]),
    matching: () => Promise.resolve([]),
  };
}

async function send(api: Api, { conversation, content, localId }: OutboxEntry, queue_id: string): Promise<number> {
  const to =
    'people' in conversation
      ? { type: 'direct' as const, to: JSON.stringify(conversation.people) }
      : { type: 'stream' as const, to: String(conversation.channelId), topic: conversation.topic };
  return (await api.call('POST', '/messages', { ...to, content, queue_id, local_id: localId })).id;
}

async function find(api: Api, { conversation, content }: OutboxEntry, me: number): Promise<number | undefined> {
  const narrow = [
    ...inConversation(conversation).map((term) => ({ ...term, negated: false })),
    { operator: 'sender', operand: me },
  ];
  const { messages } = await api.call('GET', '/messages', {
    narrow,
    anchor: 'newest',
    num_before: 20,
    num_after: 0,
    apply_markdown: false,
  });
  return messages.find((message) => message.content === content)?.id;
}

/** Tabs of one browser, with a lock that the next one gets when a tab is closed. */
class TabsOfOneBrowser {
  readonly #listeners: ((message: TabMessage) => void)[] = [];
  readonly #waiting: (() => void)[] = [];
  #isTaken = false;

  tab(): Tabs {
    let own: (message: TabMessage) => void = () => undefined;
    return {
      tell: (message) => {
        for (const listener of this.#listeners)
          if (listener !== own) queueMicrotask(() => listener(structuredClone(message)));
      },
      listen: (listener) => {
        own = listener;
        this.#listeners.push(listener);
      },
      lead: () =>
        new Promise((resolve) => {
          if (this.#isTaken) this.#waiting.push(resolve);
          else resolve();
          this.#isTaken = true;
        }),
    };
  }

  /** The tab that polls is gone. */
  passOn(): void {
    this.#waiting.shift()?.();
  }
}

describe.each(databases)('the web client in step with the server on %s', (database) => {
  let world: World;
  let general: number;
  beforeAll(async () => {
    world = await openWorld(database);
    const principals = [world.max.userId, world.mia.userId];
    await world.olive.post('/users/me/subscriptions', { subscriptions: [{ name: 'general' }], principals });
    general = (await world.max.get('/get_stream_id', { stream: 'general' }))['stream_id'];
  });
  afterAll(() => world.close());

  const opened: Browser[] = [];
  afterAll(() => {
    for (const browser of opened) browser.isClosed = true;
  });
  function open(client: Client, storage?: Memory, tabs?: Tabs, clock?: Clock): Browser {
    const browser = new Browser(world, client, storage, tabs, clock);
    opened.push(browser);
    return browser;
  }
  const say = (content: string, topic = 't') =>
    world.mia.post('/messages', { type: 'stream', to: general, topic, content });
  const contents = async (topic: string) =>
    (
      await world.max.get('/messages', {
        narrow: [
          { operator: 'channel', operand: general },
          { operator: 'topic', operand: topic },
        ],
        anchor: 'oldest',
        num_before: 0,
        num_after: 1000,
        apply_markdown: false,
      })
    )['messages'].map((message: { content: string }) => message.content);
  const unreadIn = (browser: Browser, topic: string) =>
    browser.model.unread.inConversation(`c${general}:${topic}`).unread;

  it('registers, follows the log, and shows what is new in an open conversation', async () => {
    const browser = open(world.max);
    await browser.sync.start();
    const window = browser.messages.window(inConversation({ channelId: general, topic: 'live' }));
    await browser.messages.open(window, 'newest');
    expect(window.ids.value).toEqual([]);
    await say('one', 'live');
    await browser.until(() => window.ids.value.length === 1);
    expect(browser.messages.table.peek(window.ids.value[0] ?? 0)?.content).toBe('<p>one</p>');
    expect(unreadIn(browser, 'live')).toBe(1);
    expect(browser.sync.connection.value).toEqual({ is: 'live' });
  });

  it('asks at most every fiftieth millisecond while much happens', async () => {
    const patient = { ...quick, sleep: (ms: number) => pause(ms) };
    const browser = new Browser(world, world.max, undefined, undefined, patient);
    opened.push(browser);
    await browser.sync.start();
    await browser.until(() => browser.sync.connection.value.is === 'live');
    const from = performance.now();
    const before = browser.asked.length;
    for (let count = 0; count < 20; count++) await say(String(count), 'burst');
    await browser.until(() => unreadIn(browser, 'burst') === 20);
    const polls = browser.asked.slice(before).filter((one) => one.endsWith('/events')).length;
    expect(polls).toBeLessThanOrEqual((performance.now() - from) / 50 + 2);
  });

  it('rests longer between polls once many in a row have found something', async () => {
    let now = 0;
    const rests: number[] = [];
    const sleep = (ms: number) => {
      now += ms;
      if (ms > 0) rests.push(ms);
      return Promise.resolve();
    };
    const browser = new Browser(world, world.max, undefined, undefined, { ...quick, now: () => now, sleep });
    opened.push(browser);
    let polls = 0;
    browser.answer = (url) => {
      const id = browser.model.position.peek() + 1;
      return url.includes('/events') && ++polls < 15
        ? { result: 'success', events: [{ type: 'heartbeat', id }] }
        : undefined;
    };
    await browser.sync.start();
    await browser.until(() => polls === 15);
    // The first is how long it waits for another tab.
    expect(rests.slice(1)).toEqual([...Array<number>(8).fill(50), ...Array<number>(6).fill(150)]);
  });

  it('goes on with its queue at a later visit, without registering and without doubting what it has fetched', async () => {
    const before = open(world.max);
    await before.sync.start();
    await before.until(() => before.sync.connection.value.is === 'live');
    before.isClosed = true;
    before.sync.wake();
    await say('while away', 'visit');
    const later = open(world.max, before.storage);
    const stale = vi.spyOn(later.messages, 'markStale');
    await later.sync.start();
    await later.until(() => unreadIn(later, 'visit') === 1);
    expect(stale).toHaveBeenCalledTimes(1);
    expect(later.asked).not.toContain('POST /api/v1/register');
  });

  it('waits while the server is away, and comes back by itself', async () => {
    const browser = open(world.max);
    await browser.sync.start();
    await browser.until(() => browser.sync.connection.value.is === 'live');
    browser.weather = () => 'lost';
    browser.sync.wake();
    await browser.until(() => browser.sync.connection.value.is === 'away');
    await say('in the dark', 'away');
    const asked = browser.asked.length;
    await browser.until(() => browser.asked.length > asked + 3);
    expect(browser.model.me).toBe(world.max.userId);
    browser.weather = () => 'fine';
    await browser.until(() => unreadIn(browser, 'away') === 1);
    expect(browser.sync.connection.value).toEqual({ is: 'live' });
  });

  it('registers anew when its queue is gone, and keeps what is in view', async () => {
    const browser = open(world.max);
    await browser.sync.start();
    await say('before', 'gone');
    const window = browser.messages.window(inConversation({ channelId: general, topic: 'gone' }));
    await browser.messages.open(window, 'newest');
    const [id] = window.ids.value;
    browser.weather = () => 'lost';
    browser.sync.wake();
    await browser.until(() => browser.sync.connection.value.is === 'away');
    const { queueId } = (await browser.storage.load()) ?? {};
    await world.max.delete('/events', { queue_id: queueId ?? '' });
    await say('missed', 'gone');
    browser.weather = () => 'fine';
    await browser.until(() => unreadIn(browser, 'gone') === 2);
    expect(window.ids.value).toEqual([id]);
    expect(window.isKnown.value).toBe(false);
    await browser.messages.open(window, 'newest');
    expect(window.ids.value.length).toBe(2);
    expect(browser.asked.filter((one) => one === 'POST /api/v1/register').length).toBe(2);
  });

  it('sends once, whether the request or its answer is lost', async () => {
    const browser = open(world.max);
    await browser.sync.start();
    const to = { channelId: general, topic: 'once' };
    const bad: Weather[] = ['lost', 'answerLost', 'answerLost', 'fine', 'lost', 'lost'];
    browser.weather = (url, method) =>
      method === 'POST' && url.endsWith('/messages') ? (bad.shift() ?? 'fine') : 'fine';
    for (const content of ['a', 'b', 'c', 'd']) await browser.outbox.add(to, content);
    await browser.until(() => browser.outbox.entries.value.length === 0);
    expect(await contents('once')).toEqual(['a', 'b', 'c', 'd']);
  });

  it('looks for a message that may have been sent when the queue is gone, too', async () => {
    const browser = open(world.max);
    await browser.sync.start();
    // After the poll that catches up, messages go out.
    await browser.until(() => browser.asked.filter((one) => /^GET .*\/events$/.test(one)).length > 1);
    const to = { channelId: general, topic: 'doubt' };
    let isBroken = true;
    // The poll that waits would bring the message before its sender hears that nothing is known of it.
    browser.isCut = true;
    browser.weather = (url, method) => {
      if (!isBroken) return 'fine';
      return method === 'POST' && url.endsWith('/messages') ? 'answerLost' : 'lost';
    };
    await browser.outbox.add(to, 'arrived');
    await browser.until(() => browser.outbox.entries.value[0]?.status === 'doubtful');
    await browser.until(() => browser.sync.connection.value.is === 'away');
    const { queueId } = (await browser.storage.load()) ?? {};
    await world.max.delete('/events', { queue_id: queueId ?? '' });
    isBroken = false;
    browser.isCut = false;
    await browser.outbox.add(to, 'and more');
    await browser.until(() => browser.outbox.entries.value.length === 0);
    expect(await contents('doubt')).toEqual(['arrived', 'and more']);
  });

  it('keeps what is refused, with the reason, and what waits, through a reload', async () => {
    const browser = open(world.max);
    await browser.sync.start();
    await browser.outbox.add({ channelId: general, topic: 'refused' }, ' ');
    await browser.until(() => browser.outbox.entries.value[0]?.status === 'refused');
    expect(browser.outbox.entries.value[0]?.reason).toBe('Message must not be empty');
    browser.weather = () => 'lost';
    await browser.outbox.add({ channelId: general, topic: 'reload' }, 'patience');
    browser.isClosed = true;
    const later = open(world.max, browser.storage);
    await later.sync.start();
    await later.until(() => later.outbox.entries.value.length === 1);
    expect(later.outbox.entries.value[0]?.status).toBe('refused');
    expect(await contents('reload')).toEqual(['patience']);
    expect((await later.outbox.discard(later.outbox.entries.value[0]?.localId ?? ''))?.content).toBe(' ');
    expect(later.outbox.entries.value).toEqual([]);
  });

  it('polls in one tab for all, and loses nothing when that tab is closed', async () => {
    const browser = new TabsOfOneBrowser();
    const storage = new Memory();
    const first = open(world.max, storage, browser.tab());
    await first.sync.start();
    const second = open(world.max, storage, browser.tab(), patient);
    await second.sync.start();
    await say('to both', 'tabs');
    await second.until(() => unreadIn(second, 'tabs') === 1 && unreadIn(first, 'tabs') === 1);
    expect(second.asked).toEqual([]);
    await second.outbox.add({ channelId: general, topic: 'tabs' }, 'from the second');
    await second.until(() => second.outbox.entries.value.length === 0);
    first.isClosed = true;
    await say('in between', 'tabs');
    browser.passOn();
    await second.until(() => unreadIn(second, 'tabs') === 2);
    expect(second.asked).not.toContain('POST /api/v1/register');
    expect(await contents('tabs')).toEqual(['to both', 'from the second', 'in between']);
  });

  it('ends when the session does, and keeps what was not sent', async () => {
    const gone = await world.user({ full_name: 'Gone' });
    const browser = open(gone);
    await browser.sync.start();
    await world.olive.delete(`/users/${gone.userId}`);
    browser.sync.wake();
    await browser.until(() => browser.sync.connection.value.is === 'signedOut');
    await browser.outbox.add({ people: [gone.userId, world.max.userId] }, 'unsent');
    expect(browser.outbox.entries.value[0]?.status).toBe('waiting');
  });
});
