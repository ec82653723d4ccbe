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

/** What the network does with one request. `late`: the answer is lost, and the server gets the request long after. */
type Weather = 'fine' | 'lost' | 'answerLost' | 'late';

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
  /** Whether all answers are lost, also those to requests that were sent before. */
  isCut = false;
  /** Answers in place of the server. */
  answer: (url: string) => object | undefined = () => undefined;
  isClosed = false;
  /** Requests that have not reached the server yet. */
  readonly late: (() => Promise<unknown>)[] = [];

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
      newest: () => this.model.facts.peek('max_message_id'),
      isLeading: () => this.sync.isLeading.peek(),
      onUnstored: () => void this.sync.poll(),
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
    // A closed page gets no more answers.
    if (this.isClosed) return new Promise(() => undefined);
    const weather = this.weather(url, method);
    if (weather === 'lost') throw new TypeError('Failed to fetch');
    if (weather === 'late') {
      this.late.push(() => this.#reach(world, client, url, init));
      throw new TypeError('Failed to fetch');
    }
    const answer = this.answer(url);
    if (answer) return Response.json(answer);
    const response = await Promise.race([this.#reach(world, client, url, init), aborted(init.signal)]);
    if (this.isClosed) return new Promise(() => undefined);
    if (weather === 'answerLost' || this.isCut) throw new TypeError('Failed to fetch');
    return new Response(response.body, { status: response.statusCode });
  }

  #reach(world: World, client: Client, url: string, init: RequestInit) {
    const { method = 'GET', body } = init;
    return world.server.listener.inject({
      method: method as 'GET',
      url,
      headers: {
        authorization: client.authorization,
        ...(method !== 'GET' && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(body instanceof URLSearchParams && { payload: body.toString() }),
    });
  }

  /** Resolves when the condition holds. */
  until(holds: () => boolean): Promise<void> {
    return until(holds);
  }
}

/** Signals of requests: Node frees one that combines others while it is listened to, which browsers do not. */
const signals = new Set<AbortSignal>();

function aborted(signal: AbortSignal | null | undefined): Promise<never> {
  if (signal?.aborted === true) return Promise.reject(new Error('aborted'));
  if (signal) signals.add(signal);
  return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(new Error('aborted'))));
}

/** Waits are short, because the tests' server runs on this machine. */
const quick = {
  now: () => performance.now(),
  random: () => 0.5,
  sleep: (ms: number, signal?: AbortSignal) =>
    pause(Math.min(ms / 50, 50), undefined, signal && { signal }).catch(() => undefined),
};

/** Waits of full length, so that a tab waits for another one's state long enough on a slow machine. */
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
  return (
    await api.call('POST', '/messages', { ...to, content, queue_id, local_id: localId, idempotency_key: localId })
  ).id;
}

async function find(
  api: Api,
  { conversation, content, after = 0 }: OutboxEntry,
  me: number,
): Promise<number | undefined> {
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
  return messages.find((message) => message.content === content && message.id > after)?.id;
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
      leave: () => Promise.resolve(),
      left: () => Promise.resolve(),
    };
  }

  /** Gives the lock to the next tab, as when the tab that polls is closed. */
  passOn(): void {
    this.#waiting.shift()?.();
  }
}

/** The storage of a browser that has no room left, for as long as `isFull`. */
class FullStorage extends Memory {
  isFull = true;
  override putEntry(entry: OutboxEntry): Promise<void> {
    return this.isFull ? FULL() : super.putEntry(entry);
  }
  override append(events: Parameters<Memory['append']>[0]): Promise<void> {
    return this.isFull ? FULL() : super.append(events);
  }
  override saveState(...state: Parameters<Memory['saveState']>): Promise<void> {
    return this.isFull ? FULL() : super.saveState(...state);
  }
}
const FULL = () => Promise.reject(new DOMException('no room', 'QuotaExceededError'));

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

  it('sends once, where the server comes to a request after the same one was sent again', async () => {
    const browser = open(world.max);
    await browser.sync.start();
    await browser.until(() => browser.sync.connection.value.is === 'live');
    const to = { channelId: general, topic: 'late' };
    const bad: Weather[] = ['late', 'late', 'fine', 'late'];
    browser.weather = (url, method) =>
      method === 'POST' && url.endsWith('/messages') ? (bad.shift() ?? 'fine') : 'fine';
    for (const content of ['a', 'b']) await browser.outbox.add(to, content);
    await browser.until(() => browser.outbox.entries.value.length === 0);
    expect(browser.late).toHaveLength(3);
    for (const reach of browser.late) await reach();
    await say('behind', 'late');
    expect(await contents('late')).toEqual(['a', 'b', 'behind']);
  });

  it.each([
    ['before', 'answerLost'],
    ['while', 'fine'],
  ] as const)(
    'sends once at a later visit, without its queue, %s the server comes to the first request',
    async (when, first) => {
      const browser = open(world.max);
      await browser.sync.start();
      await browser.until(() => browser.sync.connection.value.is === 'live');
      const isSend = (url: string, method: string) => method === 'POST' && url.endsWith('/messages');
      browser.weather = (url, method) => (isSend(url, method) ? 'late' : 'lost');
      await browser.outbox.add({ channelId: general, topic: when }, 'a');
      await browser.until(() => browser.late.length > 0);
      browser.isClosed = true;
      await world.max.delete('/events', { queue_id: (await browser.storage.load())?.queueId ?? '' });
      const later = open(world.max, browser.storage);
      let tries = 0;
      later.weather = (url, method) => {
        if (!isSend(url, method) || tries++ > 0) return 'fine';
        if (when === 'while') for (const reach of browser.late) void reach();
        return first;
      };
      await later.sync.start();
      await later.until(() => later.outbox.entries.value.length === 0);
      expect(tries).toBe(1);
      for (const reach of browser.late) await reach();
      expect(await contents(when)).toEqual(['a']);
    },
  );

  it.each([0, 1])(
    'looks for a message that may have been sent when the queue is gone, too; %i searches fail',
    async (failing) => {
      const browser = open(world.max);
      await browser.sync.start();
      // After the poll that catches up, messages go out.
      await browser.until(() => browser.asked.filter((one) => /^GET .*\/events$/.test(one)).length > 1);
      const to = { channelId: general, topic: `doubt ${failing}` };
      let isBroken = true;
      let searches = 0;
      browser.weather = (url, method) => {
        if (!isBroken) return url.includes('/messages?') && ++searches <= failing ? 'lost' : 'fine';
        if (method !== 'POST' || !url.endsWith('/messages')) return browser.isCut ? 'lost' : 'fine';
        // Otherwise the waiting poll would deliver the message before the loss of the answer is noticed.
        browser.isCut = true;
        return 'answerLost';
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
      expect(await contents(`doubt ${failing}`)).toEqual(['arrived', 'and more']);
      expect(searches).toBe(failing + 1);
    },
  );

  it('sends the same words twice, where the answer is lost and the queue is gone', async () => {
    const browser = open(world.max);
    await browser.sync.start();
    const to = { channelId: general, topic: 'same words' };
    await browser.outbox.add(to, 'ok');
    await browser.until(() => browser.outbox.entries.value.length === 0);
    let isBroken = true;
    browser.weather = () => (isBroken ? 'lost' : 'fine');
    browser.sync.wake();
    await browser.outbox.add(to, 'ok');
    await browser.until(() => browser.sync.connection.value.is === 'away');
    await world.max.delete('/events', { queue_id: (await browser.storage.load())?.queueId ?? '' });
    isBroken = false;
    await browser.until(() => browser.outbox.entries.value.length === 0);
    expect(await contents('same words')).toEqual(['ok', 'ok']);
  });

  it('does not wait for the event of a message whose queue is gone', async () => {
    const browser = open(world.max);
    await browser.sync.start();
    await browser.until(() => browser.asked.filter((one) => /^GET .*\/events$/.test(one)).length > 1);
    browser.isCut = true;
    browser.weather = (url, method) => (method === 'GET' ? 'lost' : 'fine');
    browser.sync.wake();
    await browser.until(() => browser.sync.connection.value.is === 'away');
    const entry = { conversation: { channelId: general, topic: 'known' }, content: 'known', createdAt: 1 };
    const messageId = (
      await world.max.post('/messages', { type: 'stream', to: general, topic: 'known', content: 'known' })
    )['id'];
    const queueId = (await browser.storage.load())?.queueId ?? '';
    await browser.storage.putEntry({ ...entry, localId: 'known', status: 'sent', queueId, messageId });
    await browser.outbox.load();
    await world.max.delete('/events', { queue_id: queueId });
    browser.isCut = false;
    browser.weather = () => 'fine';
    await browser.until(() => browser.outbox.entries.value.length === 0);
    expect(await contents('known')).toEqual(['known']);
  });

  it('goes on where the browser has no room, says so once, and comes back whole at a later visit', async () => {
    const storage = new FullStorage();
    const browser = open(world.max, storage);
    await browser.sync.start();
    await browser.outbox.add({ channelId: general, topic: 'full' }, 'one');
    await browser.outbox.add({ channelId: general, topic: 'full' }, 'two');
    await browser.until(() => browser.outbox.entries.value.length === 0);
    expect(await contents('full')).toEqual(['one', 'two']);
    // There is room again, but the stored state would lack what could not be stored before.
    storage.isFull = false;
    await say('three', 'full');
    await browser.until(() => unreadIn(browser, 'full') === 3);
    browser.isClosed = true;
    const later = open(world.max, storage);
    await later.sync.start();
    await later.until(() => unreadIn(later, 'full') === 3);
    expect(later.asked).toContain('POST /api/v1/register');
  });

  it('does not send again at a later visit what was stored before there was no room', async () => {
    const storage = new FullStorage();
    storage.isFull = false;
    const browser = open(world.max, storage);
    await browser.sync.start();
    await browser.until(() => browser.sync.connection.value.is === 'live');
    const isSent = new Promise<void>((resolve) => {
      browser.weather = (url, method) => {
        if (method === 'POST' && url.endsWith('/messages')) browser.isCut = true;
        if (browser.isCut) resolve();
        return browser.isCut ? 'answerLost' : 'fine';
      };
    });
    const adding = browser.outbox.add({ channelId: general, topic: 'full later' }, 'once');
    storage.isFull = true;
    await Promise.all([adding, isSent]);
    await browser.until(() => browser.outbox.entries.value[0]?.status === 'doubtful');
    browser.isClosed = true;
    storage.isFull = false;
    const later = open(world.max, storage);
    await later.sync.start();
    await later.outbox.add({ channelId: general, topic: 'full later' }, 'and more');
    await later.until(() => later.outbox.entries.value.length === 0);
    expect(await contents('full later')).toEqual(['once', 'and more']);
  });

  it('keeps what is written, and forgets what has come, while the entries of other tabs are read', async () => {
    const storage = new Memory();
    const { outbox } = open(world.max, storage);
    const read = storage.outbox.bind(storage);
    vi.spyOn(storage, 'outbox').mockImplementation(async () => {
      const found = await read();
      await pause(20);
      return found;
    });
    const to = { channelId: general, topic: 'read meanwhile' };
    const gone = await outbox.add(to, 'gone');
    const loading = outbox.load();
    await outbox.discard(gone.localId);
    await outbox.add(to, 'kept');
    await loading;
    expect(outbox.entries.value.map(({ content }) => content)).toEqual(['kept']);
  });

  it('registers anew at a later visit where an event could not be stored', async () => {
    const storage = new FullStorage();
    storage.isFull = false;
    const browser = open(world.max, storage);
    await browser.sync.start();
    await say('stored', 'gap');
    await browser.until(() => unreadIn(browser, 'gap') === 1);
    storage.isFull = true;
    await say('not stored', 'gap');
    await browser.until(() => unreadIn(browser, 'gap') === 2);
    storage.isFull = false;
    await say('stored again', 'gap');
    await browser.until(() => unreadIn(browser, 'gap') === 3);
    browser.isClosed = true;
    const later = open(world.max, storage);
    await later.sync.start();
    await later.until(() => later.sync.connection.value.is === 'live');
    expect(unreadIn(later, 'gap')).toBe(3);
  });

  it('gets a queue of its own in a tab that the others cannot give what it missed', async () => {
    const browser = new TabsOfOneBrowser();
    const storage = new FullStorage();
    const first = open(world.max, storage, browser.tab());
    await first.sync.start();
    const second = open(world.max, storage, browser.tab(), patient);
    const started = second.sync.start();
    await say('to both', 'full tabs');
    await started;
    await second.until(() => unreadIn(second, 'full tabs') === 1 && unreadIn(first, 'full tabs') === 1);
    const to = { channelId: general, topic: 'full tabs' };
    await Promise.all([first.outbox.add(to, 'of the first'), second.outbox.add(to, 'of the second')]);
    await second.until(() => [first, second].every(({ outbox }) => outbox.entries.value.length === 0));
    expect((await contents('full tabs')).toSorted()).toEqual(['of the first', 'of the second', 'to both']);
  });

  it('sends from one tab only, also where another one has a queue of its own', async () => {
    const browser = new TabsOfOneBrowser();
    const storage = new Memory();
    const first = open(world.max, storage, browser.tab());
    await first.sync.start();
    await first.until(() => first.sync.connection.value.is === 'live');
    const second = open(world.max, storage, browser.tab());
    await second.sync.start();
    void second.sync.poll();
    await second.until(() => second.asked.includes('POST /api/v1/register'));
    const texts = Array.from({ length: 8 }, (_none, index) => `number ${index}`);
    for (const [index, text] of texts.entries())
      await (index % 2 === 0 ? first : second).outbox.add({ channelId: general, topic: 'two queues' }, text);
    await second.until(() => [first, second].every(({ outbox }) => outbox.entries.value.length === 0));
    expect((await contents('two queues')).toSorted()).toEqual(texts);
  });

  it('goes on after events and states that make no sense, now and at a later visit', async () => {
    const browser = open(world.max);
    await browser.sync.start();
    await browser.until(() => browser.sync.connection.value.is === 'live');
    const odd = [
      'realm_user',
      'subscription',
      'stream',
      'message',
      'update_message',
      'user_topic',
      'reaction',
      'drafts',
    ];
    let isDone = false;
    browser.answer = (url) => {
      if (isDone || !url.includes('/events')) return undefined;
      isDone = true;
      const id = browser.model.position.peek();
      return {
        result: 'success',
        events: odd.flatMap((type, index) => [
          { type, id: id + (2 * index + 1) / 100 },
          { type, id: id + (2 * index + 2) / 100, op: 'add', person: null, message: null, message_ids: [null] },
        ]),
      };
    };
    browser.sync.wake();
    await browser.until(() => isDone);
    await say('afterwards', 'odd events');
    await browser.until(() => unreadIn(browser, 'odd events') === 1);
    expect(browser.oddities.length).toBeGreaterThan(2);
    browser.isClosed = true;
    const later = open(world.max, browser.storage);
    await later.sync.start();
    await later.until(() => later.sync.connection.value.is === 'live');
    expect(unreadIn(later, 'odd events')).toBe(1);
    later.isClosed = true;
    await browser.storage.saveState({ user_topics: 7 } as never, 'q');
    const last = open(world.max, browser.storage);
    await last.sync.start();
    expect(unreadIn(last, 'odd events')).toBe(1);
  });

  it('fetches the state again with another role, of which others become visible without events', async () => {
    const shy = await world.user({ email_address_visibility: 3 });
    const climber = await world.user();
    const browser = open(climber);
    await browser.sync.start();
    await browser.until(() => browser.sync.connection.value.is === 'live');
    const addressOf = () => browser.model.people.table.peek(shy.userId)?.user.delivery_email;
    expect(addressOf()).toBeNull();
    await world.olive.patch(`/users/${climber.userId}`, { role: 200 });
    await browser.until(() => typeof addressOf() === 'string');
    expect(browser.asked.filter((one) => one === 'POST /api/v1/register')).toHaveLength(2);
  });

  describe('events that have no ID', () => {
    let number = 0;
    const unreadable = [null, 7, 'text', [], {}, { type: 'message' }, { type: 'heartbeat', id: '9' }, { id: null }];

    it.each(unreadable.map((event) => ({ event })))(
      'lead to one registration, and are followed by others: $event',
      async ({ event }) => {
        const browser = open(world.max);
        await browser.sync.start();
        await browser.until(() => browser.sync.connection.value.is === 'live');
        const topic = `without id ${number++}`;
        let times = 0;
        browser.answer = (url) =>
          url.includes('/events') && times++ === 0 ? { result: 'success', events: [event] } : undefined;
        browser.sync.wake();
        await browser.until(() => times > 1);
        await say('afterwards', topic);
        await browser.until(() => unreadIn(browser, topic) === 1);
        expect(browser.oddities).toHaveLength(1);
        expect(browser.sync.connection.value).toEqual({ is: 'live' });
        expect(browser.asked.filter((one) => one === 'POST /api/v1/register')).toHaveLength(2);
      },
    );

    it('are passed over where they come again, and events beside them count, now and at a later visit', async () => {
      const browser = open(world.max);
      await browser.sync.start();
      await browser.until(() => browser.sync.connection.value.is === 'live');
      const registers = () => browser.asked.filter((one) => one === 'POST /api/v1/register').length;
      const seen: number[] = [];
      browser.answer = (url) => {
        if (!url.includes('/events') || seen.length === 5) return undefined;
        seen.push(registers());
        const between = { type: 'heartbeat', id: browser.model.position.peek() + 0.01 };
        return { result: 'success', events: [...unreadable, between, ...unreadable] };
      };
      browser.sync.wake();
      await browser.until(() => seen.length === 5);
      expect(seen).toEqual([1, 2, 2, 2, 2]);
      await say('afterwards', 'without ids');
      await browser.until(() => unreadIn(browser, 'without ids') === 1);
      browser.isClosed = true;
      const later = open(world.max, browser.storage);
      await later.sync.start();
      await later.until(() => unreadIn(later, 'without ids') === 1);
    });

    it.each([{ events: null }, { events: 7 }, {}])(
      'wait longer each time where there is no list: %j',
      async (answer) => {
        const browser = open(world.max);
        await browser.sync.start();
        await browser.until(() => browser.sync.connection.value.is === 'live');
        let times = 0;
        browser.answer = (url) =>
          url.includes('/events') && times++ < 2 ? { result: 'success', ...answer } : undefined;
        browser.sync.wake();
        await browser.until(() => browser.sync.connection.value.is === 'away');
        await browser.until(() => browser.sync.connection.value.is === 'live');
        expect(browser.asked.filter((one) => one === 'POST /api/v1/register')).toHaveLength(1);
      },
    );
  });

  it.each([{}, { last_event_id: 3 }, { last_event_id: 3, queue_id: 'q', user_topics: 'none', realm_users: 7 }])(
    'tries again where what it registers with is no state: %j',
    async (answer) => {
      const browser = open(world.max);
      let times = 0;
      browser.answer = (url) =>
        url.includes('/register') && ++times < 3 ? { result: 'success', ...answer } : undefined;
      await browser.sync.start();
      await browser.until(() => browser.sync.connection.value.is === 'live');
      expect(browser.model.me).toBe(world.max.userId);
    },
  );

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
