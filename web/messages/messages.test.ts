import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AnyEvent, Model } from '../model/index.ts';
import { inConversation, type Message, Messages, type MessageWindow, type Narrow } from './index.ts';
import { matches } from './narrow.ts';

const ME = 1;
const PLACES = [
  { channelId: 1, topic: 'a' },
  { channelId: 1, topic: 'b' },
  { channelId: 2, topic: 'a' },
] as const;
const NARROWS: readonly Narrow[] = [
  [],
  ...PLACES.map(inConversation),
  [{ operator: 'channel', operand: 1 }],
  [{ operator: 'is', operand: 'starred' }],
  // Only the server can tell.
  [{ operator: 'has', operand: 'link' }],
  [
    { operator: 'channel', operand: 1 },
    { operator: 'has', operand: 'link', negated: true },
  ],
];

/** A server that keeps everything in one list, and forgets nothing that it said. */
class NaiveServer {
  readonly messages = new Map<number, Message>();
  readonly log: AnyEvent[] = [];
  #next = 1;

  send(place: (typeof PLACES)[number], hasLink: boolean): void {
    const id = this.#next++;
    const message = {
      id,
      stream_id: place.channelId,
      subject: place.topic,
      display_recipient: 'c',
      sender_id: 9,
      content: hasLink ? '<a href="#">x</a>' : 'x',
      reactions: [],
      submessages: [],
      flags: [],
    } as unknown as Message;
    this.messages.set(id, message);
    this.#tell({ type: 'message', message, flags: [] });
  }

  change(kind: string, ids: readonly number[], place: (typeof PLACES)[number]): void {
    const known = ids.filter((id) => this.messages.has(id));
    if (known.length === 0) return;
    const each = (edit: (message: Message) => object) => {
      for (const id of known) this.messages.set(id, { ...this.#get(id), ...edit(this.#get(id)) } as Message);
    };
    if (kind === 'delete') {
      for (const id of known) this.messages.delete(id);
      this.#tell({ type: 'delete_message', message_ids: known });
    } else if (kind === 'move') {
      each(() => ({ stream_id: place.channelId, subject: place.topic, last_moved_timestamp: 5 }));
      const where = { new_stream_id: place.channelId, subject: place.topic };
      const rest = { rendering_only: false, edit_timestamp: 5, propagate_mode: 'change_later', flags: [] };
      this.#tell({ type: 'update_message', message_id: known[0], message_ids: known, ...where, ...rest });
    } else if (kind === 'edit') {
      const [id = 0] = known;
      const content = `${this.#get(id).content}!`;
      this.messages.set(id, { ...this.#get(id), content, last_edit_timestamp: 6 });
      const rest = { rendering_only: false, edit_timestamp: 6, flags: this.#get(id).flags };
      this.#tell({ type: 'update_message', message_id: id, message_ids: [id], rendered_content: content, ...rest });
    } else if (kind === 'star' || kind === 'unstar') {
      const others = (message: Message) => message.flags.filter((flag) => flag !== 'starred');
      each((message) => ({ flags: [...others(message), ...(kind === 'star' ? ['starred'] : [])] }));
      const op = kind === 'star' ? 'add' : 'remove';
      this.#tell({ type: 'update_message_flags', op, flag: 'starred', messages: known, all: false });
    } else {
      const [id = 0] = known;
      const who = { email: 'e', full_name: 'n' };
      const emoji = { emoji_name: 'x', emoji_code: '1', reaction_type: 'unicode_emoji', user_id: 9 };
      const reaction = { ...emoji, user: { id: 9, ...who } };
      const has = this.#get(id).reactions.length > 0;
      this.messages.set(id, { ...this.#get(id), reactions: has ? [] : [reaction] } as unknown as Message);
      this.#tell({
        type: 'reaction',
        op: has ? 'remove' : 'add',
        message_id: id,
        ...emoji,
        user: { user_id: 9, ...who },
      });
    }
  }

  in(narrow: Narrow): readonly Message[] {
    return [...this.messages.values()].filter((message) => belongs(narrow, message)).toSorted((a, b) => a.id - b.id);
  }

  range(narrow: Narrow, anchor: string, before: number, after: number) {
    const all = this.in(narrow);
    const at = anchor === 'newest' ? Number.POSITIVE_INFINITY : Number(anchor);
    const older = all.filter((message) => message.id < at);
    const newer = all.filter((message) => message.id > at);
    const messages = [
      ...older.slice(Math.max(0, older.length - before)),
      ...all.filter((message) => message.id === at),
      ...newer.slice(0, after),
    ];
    return {
      messages,
      anchor: at === Number.POSITIVE_INFINITY ? 1e16 : at,
      found_oldest: before > 0 && older.length <= before,
      found_newest: newer.length === 0 && at === Number.POSITIVE_INFINITY ? true : after > 0 && newer.length <= after,
    };
  }

  #get(id: number): Message {
    const message = this.messages.get(id);
    if (!message) throw new Error(`there is no message ${id}`);
    return message;
  }

  #tell(event: object): void {
    this.log.push({ id: this.log.length + 1, ...event } as AnyEvent);
  }
}

function belongs(narrow: Narrow, message: Message): boolean {
  return narrow.every((term) => {
    const holds =
      term.operator === 'has'
        ? message.content.includes('<a')
        : matches([{ ...term, negated: false }], message, {} as never) === true;
    return holds !== (term.negated ?? false);
  });
}

/** A client whose answers come when the test says so; events come in order, when the test says so. */
class SlowClient {
  readonly model = new Model();
  readonly messages: Messages;
  readonly server: NaiveServer;
  #answers: (() => void)[] = [];
  #seen = 0;

  constructor(server: NaiveServer) {
    this.server = server;
    this.model.load({ user_id: ME, last_event_id: 0 } as never);
    this.messages = new Messages(this.model, {
      range: ({ narrow, anchor, num_before, num_after }) => {
        const found = server.range(narrow as Narrow, anchor, num_before, num_after);
        return this.#later(found);
      },
      named: (ids) => this.#later(ids.flatMap((id) => server.messages.get(id) ?? [])),
      matching: (narrow, ids) => {
        const inside = new Set(server.in(narrow as Narrow).map((message) => Number(message.id)));
        return this.#later(ids.filter((id) => inside.has(id)));
      },
    });
  }

  #later<T>(value: T): Promise<T> {
    return new Promise((resolve) => this.#answers.push(() => resolve(value)));
  }

  async answer(): Promise<void> {
    this.#answers.shift()?.();
    for (let turn = 0; turn < 8; turn++) await Promise.resolve();
  }

  see(count: number): void {
    for (const event of this.server.log.slice(this.#seen, this.#seen + count)) this.messages.apply(event);
    this.#seen = Math.min(this.#seen + count, this.server.log.length);
  }

  /** The log went on without this client: it goes on at the end. */
  skip(): void {
    this.#seen = this.server.log.length;
    this.messages.markStale();
  }

  async settle(): Promise<void> {
    for (let turn = 0; turn < 100 && (this.#answers.length > 0 || this.#seen < this.server.log.length); turn++) {
      this.see(1000);
      await this.answer();
    }
  }
}

/** What a window knows is what the server has there: nothing is missing, nothing is too much, nothing is old. */
function expectTrue(client: SlowClient, window: MessageWindow): void {
  const truth = client.server.in(window.narrow);
  for (const span of window.spans) {
    const there = truth.filter(({ id }) => id >= span.from && id <= span.to);
    expect(span.ids).toEqual(there.map(({ id }) => id));
    for (const message of there) expect(client.messages.table.peek(message.id)).toMatchObject(comparable(message));
  }
}

const comparable = ({ id, stream_id, subject, content, reactions, flags }: Message) => ({
  id,
  stream_id,
  subject,
  content,
  reactions,
  flags,
});

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('send'), place: fc.nat(2), link: fc.boolean() }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('move', 'delete', 'edit', 'star', 'unstar', 'react'),
      ids: fc.uniqueArray(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 5 }),
      place: fc.nat(2),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('open'),
      narrow: fc.nat(NARROWS.length - 1),
      at: fc.oneof(fc.constant('newest' as const), fc.integer({ min: 1, max: 30 })),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('older', 'newer'), narrow: fc.nat(NARROWS.length - 1) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('see'), count: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('answer') }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom('skip', 'sweep', 'trim'), narrow: fc.nat(NARROWS.length - 1) }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

async function take(client: SlowClient, made: Step): Promise<void> {
  const { server, messages } = client;
  const window = 'narrow' in made ? messages.window(NARROWS[made.narrow] ?? []) : undefined;
  const place = ('place' in made && PLACES[made.place]) || PLACES[0];
  if ('link' in made) return server.send(place, made.link);
  if ('ids' in made) return server.change(made.do, made.ids, place);
  if ('count' in made) return client.see(made.count);
  if ('at' in made && window) return void messages.open(window, made.at);
  switch (made.do) {
    case 'older':
    case 'newer':
      return void (window && messages[made.do](window));
    case 'trim':
      return window?.trim(3, 'newest');
    case 'skip':
      return client.skip();
    case 'sweep':
      return messages.sweep(window);
    default:
      return client.answer();
  }
}

describe('messages', () => {
  it('in every window are those of the server, whatever happens in whatever order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const client = new SlowClient(new NaiveServer());
        for (const made of steps) await take(client, made);
        await client.settle();
        for (const narrow of NARROWS) expectTrue(client, client.messages.window(narrow));
        // And opened anew each of them ends at the newest.
        const [narrow = []] = NARROWS;
        const window = client.messages.window(narrow);
        const opened = client.messages.open(window, 'newest');
        await client.settle();
        await opened;
        expect(window.foundNewest.value).toBe(true);
        expectTrue(client, window);
      }),
      { numRuns: 500 },
    );
  });

  it('that nothing shows any more go once a thousand have come, and are fetched again where they are looked at', async () => {
    const server = new NaiveServer();
    const client = new SlowClient(server);
    const [shown, hidden] = [inConversation(PLACES[0]), inConversation(PLACES[1])].map((one) =>
      client.messages.window(one),
    );
    if (!shown || !hidden) throw new Error('there are two windows');
    for (const window of [shown, hidden]) void client.messages.open(window, 'newest');
    await client.settle();
    const { table } = client.messages;
    const receive = (count: number, place: (typeof PLACES)[number]) => {
      for (let left = count; left > 0; left--) server.send(place, false);
      client.see(2 * count);
      client.messages.sweepIfMany(shown);
    };
    receive(300, PLACES[0]);
    receive(600, PLACES[1]);
    expect(table.peekAll().size).toBe(900);
    receive(300, PLACES[1]);
    // All that is in view, and the newest of the other.
    expect([shown.ids.value.length, hidden.ids.value.length, table.peekAll().size]).toEqual([300, 200, 500]);
    for (let round = 0; round < 5; round++) receive(900, PLACES[2]);
    expect(table.peekAll().size).toBeLessThan(500 + 2 * 1000);
    void client.messages.older(hidden);
    await client.settle();
    expect(hidden.ids.value.length).toBe(300);
    expectTrue(client, hidden);
  });

  it('of a page of history keep what is in view, and end where nothing is older', async () => {
    const server = new NaiveServer();
    for (let count = 0; count < 350; count++) server.send(PLACES[0], false);
    const client = new SlowClient(server);
    client.see(1000);
    const window = client.messages.window(inConversation(PLACES[0]));
    void client.messages.open(window, 200);
    await client.answer();
    expect([window.ids.value[0], window.ids.value.at(-1)]).toEqual([150, 250]);
    void client.messages.older(window);
    void client.messages.older(window);
    await client.answer();
    expect([window.ids.value[0], window.ids.value.at(-1), window.foundOldest.value]).toEqual([50, 250, false]);
    void client.messages.older(window);
    await client.answer();
    expect([window.ids.value[0], window.foundOldest.value]).toEqual([1, true]);
    void client.messages.newer(window);
    await client.answer();
    expect([window.ids.value.length, window.foundNewest.value]).toEqual([350, true]);
  });

  it('without events are looked at again: what came, what changed, what is gone, and no gap is hidden', async () => {
    const server = new NaiveServer();
    for (let count = 0; count < 20; count++) server.send(PLACES[0], false);
    const client = new SlowClient(server);
    const window = client.messages.window(inConversation(PLACES[0]));
    const opened = client.messages.open(window, 'newest');
    await client.answer();
    await opened;
    const refresh = async () => {
      const refreshed = client.messages.refresh(window);
      await client.answer();
      return refreshed;
    };
    const unchanged = client.messages.table.peek(1);
    expect(await refresh()).toBe(false);
    server.send(PLACES[0], true);
    server.change('delete', [3], PLACES[0]);
    server.change('edit', [5], PLACES[0]);
    expect(await refresh()).toBe(true);
    expect(window.ids.value).toEqual([1, 2, ...Array.from({ length: 18 }, (_, index) => index + 4)]);
    expect(client.messages.table.peek(5)).toEqual(server.messages.get(5));
    expect(client.messages.table.peek(1)).toBe(unchanged);
    for (let count = 0; count < 200; count++) server.send(PLACES[0], false);
    expect(await refresh()).toBe(true);
    expect([window.ids.value[0], window.ids.value.at(-1), window.foundOldest.value]).toEqual([172, 221, false]);
  });

  it('that were searched for have their words marked, until they say something else', async () => {
    const server = new NaiveServer();
    for (let count = 0; count < 2; count++) server.send(PLACES[0], true);
    for (const [id, message] of server.messages)
      server.messages.set(id, { ...message, match_content: `marked ${id}` } as Message);
    const client = new SlowClient(server);
    client.see(10);
    const window = client.messages.window([{ operator: 'has', operand: 'link' }]);
    void client.messages.open(window, 'newest');
    await client.answer();
    expect([...window.matches]).toEqual([
      [1, 'marked 1'],
      [2, 'marked 2'],
    ]);
    server.change('edit', [1], PLACES[0]);
    client.see(1);
    expect([...window.matches.keys()]).toEqual([2]);
  });

  it('take 50 new ones a second into a window of 5,000 without work that grows', () => {
    const server = new NaiveServer();
    const client = new SlowClient(server);
    const window = client.messages.window([]);
    window.add({ ids: [], anchor: Number.POSITIVE_INFINITY, foundOldest: true, foundNewest: true });
    for (let count = 0; count < 5000; count++) server.send(PLACES[0], false);
    client.see(5000);
    for (let count = 0; count < 500; count++) server.send(PLACES[0], false);
    const before = process.cpuUsage();
    client.see(500);
    expect(process.cpuUsage(before).user / 1000 / 500).toBeLessThan(1);
    expect(window.ids.value.length).toBe(5500);
  });
});
