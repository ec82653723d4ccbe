import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Body, Client } from '../support/client.ts';
import { databases } from '../support/databases.ts';
import { openWorld, type World } from '../support/world.ts';

/** Milliseconds after which no further sequence is begun. */
const BUDGET_MS = 15_000;
const PEOPLE = 3;
const CHANNELS = 2;
const TOPICS = ['nests', 'NESTS', 'eggs', ''];

const person = fc.nat(PEOPLE - 1);
const channel = fc.nat(CHANNELS - 1);
const topic = fc.constantFrom(...TOPICS);
const flag = fc.constantFrom('read' as const, 'starred' as const, 'collapsed' as const);
const op = fc.constantFrom('add' as const, 'remove' as const);

const command = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('send' as const),
      who: person,
      channel,
      topic,
      isRead: fc.boolean(),
      mention: fc.constantFrom('nobody' as const, 'all' as const, 0, 1, 2),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('direct' as const),
      who: person,
      to: fc.uniqueArray(person, { minLength: 1, maxLength: PEOPLE }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('subscribe' as const), who: person, channel }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('unsubscribe' as const), who: person, channel }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('mark' as const),
      who: person,
      op,
      flag,
      picks: fc.uniqueArray(fc.nat(30), { minLength: 1, maxLength: 6 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('readTopic' as const), who: person, channel, topic }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('readChannel' as const), who: person, channel }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('readAll' as const), who: person }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('edit' as const), who: person, pick: fc.nat(30) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('rename' as const), who: person, pick: fc.nat(30), topic }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('move' as const), who: person, pick: fc.nat(30), channel }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('erase' as const), who: person, pick: fc.nat(30) }) },
);
type Command = typeof command extends fc.Arbitrary<infer T> ? T : never;

interface Sent {
  readonly id: number;
  readonly sender: number;
  /** Undefined for direct messages. */
  channel: number | undefined;
  topic: string;
  readonly people: readonly number[];
  forAll: boolean;
}

/** A subscription period, as IDs of the newest message when it began and ended. */
interface Stay {
  readonly after: number;
  until: number;
}

const WILDCARD = ['stream_wildcard_mentioned', 'wildcard_mentioned'];

/** One row for each receiver of each message: what the server must look like without having it. */
class Naive {
  messages: Sent[] = [];
  readonly stays = Array.from({ length: CHANNELS }, () =>
    Array.from({ length: PEOPLE }, (_, who): Stay[] => (who === 0 ? [{ after: 0, until: Infinity }] : [])),
  );
  readonly rows = Array.from({ length: PEOPLE }, () => new Map<number, Set<string>>());
  readonly subscribed = Array.from({ length: CHANNELS }, () => new Set<number>([0]));

  send(message: Sent, receivers: Iterable<number>, flagsOf: (who: number) => readonly string[]): void {
    this.messages.push(message);
    for (const who of receivers) this.rows[who]?.set(message.id, new Set(flagsOf(who)));
  }

  mayRead(who: number, message: Sent): boolean {
    return message.channel !== undefined || message.people.includes(who);
  }

  /** Whether the request succeeds. */
  mark(who: number, { op: operation, flag: name }: { op: string; flag: string }, messages: readonly Sent[]): boolean {
    const rows = this.#rowsOf(who);
    const needsRows = (operation === 'remove') === (name === 'read');
    if (needsRows && !messages.every((message) => this.mayRead(who, message))) return false;
    for (const message of messages) {
      const isOutside = message.channel !== undefined && !this.subscribed[message.channel]?.has(who);
      if (name === 'read' && operation === 'remove' && isOutside) continue;
      if (needsRows && !rows.has(message.id)) rows.set(message.id, new Set(['read', 'historical']));
      if (operation === 'add') rows.get(message.id)?.add(name);
      else rows.get(message.id)?.delete(name);
    }
    return true;
  }

  subscribe(who: number, channel: number): void {
    if (this.subscribed[channel]?.has(who)) return;
    this.subscribed[channel]?.add(who);
    this.stays[channel]?.[who]?.push({ after: this.#newest(), until: Infinity });
  }

  unsubscribe(who: number, channel: number): void {
    if (!this.subscribed[channel]?.delete(who)) return;
    const stay = this.stays[channel]?.[who]?.at(-1);
    if (stay) stay.until = this.#newest();
    this.readWhere(who, (message) => message.channel === channel);
  }

  /** Other content, which mentions nobody. */
  edit(message: Sent): void {
    message.forAll = false;
    for (const rows of this.rows) for (const flag of ['mentioned', ...WILDCARD]) rows.get(message.id)?.delete(flag);
  }

  /** Who has a message keeps it as it is; whose subscription period in the new channel spans it, has it there from now on as read. */
  move(message: Sent, channel: number): void {
    message.channel = channel;
    for (const [who, rows] of this.rows.entries()) {
      const spans = this.stays[channel]?.[who]?.some(({ after, until }) => after < message.id && message.id <= until);
      if (spans && !rows.has(message.id)) rows.set(message.id, new Set(['read', ...(message.forAll ? WILDCARD : [])]));
    }
  }

  erase(message: Sent): void {
    this.messages = this.messages.filter((other) => other !== message);
    for (const rows of this.rows) rows.delete(message.id);
  }

  #newest(): number {
    return Math.max(0, ...this.messages.map(({ id }) => id));
  }

  readWhere(who: number, isMeant: (message: Sent) => boolean): void {
    for (const message of this.messages) if (isMeant(message)) this.#rowsOf(who).get(message.id)?.add('read');
  }

  isDirect(id: number): boolean {
    return this.messages.some((message) => message.id === id && message.channel === undefined);
  }

  idsWith(who: number, holds: (flags: ReadonlySet<string>) => boolean): number[] {
    return [...this.#rowsOf(who)].filter(([, flags]) => holds(flags)).map(([id]) => id);
  }

  flagsOf(who: number, id: number): string[] {
    return [...(this.#rowsOf(who).get(id) ?? ['read', 'historical'])].toSorted();
  }

  /** Unread messages as clients count them, by conversation. */
  unreadOf(who: number): Record<string, number[]> {
    const groups: Record<string, number[]> = {};
    const unread = new Set(this.idsWith(who, (flags) => !flags.has('read')));
    for (const { id, channel: at, topic: name, people } of this.messages) {
      if (!unread.has(id) || (at !== undefined && !this.subscribed[at]?.has(who))) continue;
      (groups[at === undefined ? `people ${people.join()}` : `channel ${at} ${name.toLowerCase()}`] ??= []).push(id);
    }
    return groups;
  }

  #rowsOf(who: number): Map<number, Set<string>> {
    const rows = this.rows[who];
    if (!rows) throw new Error('there is no such person');
    return rows;
  }
}

describe.each(databases)('read state on %s', (database) => {
  let world: World;
  let round = 0;
  beforeAll(async () => {
    world = await openWorld(database);
  });
  afterAll(() => world.close());

  /** Fresh people and channels, so that every run begins with nothing. */
  const begin = async () => {
    const number = ++round;
    const people: Client[] = [];
    const names = Array.from({ length: PEOPLE }, (_, index) => `Person ${number} ${'abc'.charAt(index)}`);
    for (const full_name of names) people.push(await world.user({ full_name }));
    const channels = Array.from({ length: CHANNELS }, (_, index) => `channel ${number} ${index}`);
    await at(people, 0).post('/users/me/subscriptions', { subscriptions: channels.map((name) => ({ name })) });
    const { subscriptions } = (await at(people, 0).register({ fetch_event_types: ['subscription'] })).state;
    const idOf = (name: string): number =>
      subscriptions.find((one: { name: string }) => one.name === name)?.stream_id ?? 0;
    return { people, names, channels, channelIds: channels.map(idOf) };
  };
  type Stage = Awaited<ReturnType<typeof begin>>;

  /** Edits, moves or deletes; the server says who may, the model what comes of it. */
  const change = async (
    { people, channelIds }: Stage,
    naive: Naive,
    step: Extract<Command, { pick: number }>,
  ): Promise<void> => {
    const message = naive.messages[step.pick];
    if (!message) return;
    const who = at(people, step.who);
    const path = `/messages/${message.id}`;
    const quiet = { send_notification_to_new_thread: false, propagate_mode: 'change_one' };
    if (step.kind === 'edit') {
      const { status } = await who.request('PATCH', path, { content: 'changed' });
      expect(status === 200).toBe(message.sender === step.who);
      if (status === 200) naive.edit(message);
    } else if (step.kind === 'erase') {
      const { status } = await who.request('DELETE', path);
      if (status === 200) naive.erase(message);
    } else if (step.kind === 'rename') {
      const { status } = await who.request('PATCH', path, { ...quiet, topic: step.topic });
      expect(status === 200).toBe(message.channel !== undefined && message.topic !== step.topic);
      if (status === 200) message.topic = step.topic;
    } else {
      const { status } = await who.request('PATCH', path, { ...quiet, stream_id: at(channelIds, step.channel) });
      expect(status === 200).toBe(message.channel !== undefined && message.channel !== step.channel);
      if (status === 200) naive.move(message, step.channel);
    }
  };

  const run = async (stage: Stage, naive: Naive, step: Command): Promise<void> => {
    const { people, names, channels, channelIds } = stage;
    const who = at(people, step.who);
    if (step.kind === 'send') {
      const mentioned = typeof step.mention === 'number' ? at(names, step.mention) : 'all';
      const content = step.mention === 'nobody' ? 'hello' : `@**${mentioned}** hello`;
      const to = at(channels, step.channel);
      const read_by_sender = step.isRead;
      const { id } = await who.post('/messages', { type: 'channel', to, topic: step.topic, content, read_by_sender });
      naive.send(
        { id, sender: step.who, channel: step.channel, topic: step.topic, people: [], forAll: step.mention === 'all' },
        at(naive.subscribed, step.channel),
        (receiver) => [
          ...(step.isRead && receiver === step.who ? ['read'] : []),
          ...(step.mention === receiver ? ['mentioned'] : []),
          ...(step.mention === 'all' ? WILDCARD : []),
        ],
      );
    } else if (step.kind === 'direct') {
      const to = step.to.map((other) => at(people, other).userId);
      const { id } = await who.post('/messages', { type: 'direct', to, content: 'psst' });
      const all = [...new Set([...step.to, step.who])].toSorted((a, b) => a - b);
      naive.send({ id, sender: step.who, channel: undefined, topic: '', people: all, forAll: false }, all, () => []);
    } else if (step.kind === 'subscribe') {
      await who.post('/users/me/subscriptions', { subscriptions: [{ name: at(channels, step.channel) }] });
      naive.subscribe(step.who, step.channel);
    } else if (step.kind === 'unsubscribe') {
      await who.delete('/users/me/subscriptions', { subscriptions: [at(channels, step.channel)] });
      naive.unsubscribe(step.who, step.channel);
    } else if ('pick' in step) {
      await change(stage, naive, step);
    } else if (step.kind === 'mark') {
      const messages = step.picks.flatMap((pick) => naive.messages[pick] ?? []);
      const parameters = { messages: messages.map(({ id }) => id), op: step.op, flag: step.flag };
      const { status } = await who.request('POST', '/messages/flags', parameters);
      expect(status).toBe(naive.mark(step.who, step, messages) ? 200 : 400);
    } else if (step.kind === 'readAll') {
      await who.post('/mark_all_as_read');
      naive.readWhere(step.who, () => true);
    } else {
      const stream_id = at(channelIds, step.channel);
      const inChannel = (message: Sent) => message.channel === step.channel;
      if (step.kind === 'readChannel') {
        await who.post('/mark_stream_as_read', { stream_id });
        naive.readWhere(step.who, inChannel);
      } else {
        const isMeant = (message: Sent) =>
          inChannel(message) && message.topic.toLowerCase() === step.topic.toLowerCase();
        await who.request('POST', '/mark_topic_as_read', { stream_id, topic_name: step.topic });
        naive.readWhere(step.who, isMeant);
      }
    }
  };

  const compare = async ({ people, channels, channelIds }: Stage, naive: Naive): Promise<void> => {
    for (const [index, who] of people.entries()) {
      const fetch = async (narrow: object): Promise<Body[]> =>
        (await who.get('/messages', { anchor: 'oldest', num_after: 1000, narrow }))['messages'];
      const shown = (messages: Body[]) =>
        messages.map((message) => [message['id'], message['flags'].toSorted()] as const);
      const expected = (ids: readonly number[]) => ids.map((id) => [id, naive.flagsOf(index, id)] as const);
      const cases: [object, number[]][] = [
        [[], naive.idsWith(index, () => true)],
        [[['is', 'unread']], naive.idsWith(index, (flags) => !flags.has('read'))],
        [[{ operator: 'is', operand: 'unread', negated: true }], naive.idsWith(index, (flags) => flags.has('read'))],
        [[['is', 'starred']], naive.idsWith(index, (flags) => flags.has('starred'))],
        [
          [['is', 'mentioned']],
          naive.idsWith(index, (flags) => flags.has('mentioned') || flags.has('wildcard_mentioned')),
        ],
        [[['is', 'dm']], naive.idsWith(index, () => true).filter((id) => naive.isDirect(id))],
        ...channels.map((name, number): [object, number[]] => [
          [['channel', name]],
          naive.messages.filter((message) => message.channel === number).map(({ id }) => id),
        ]),
        ...TOPICS.map((name): [object, number[]] => [
          [
            ['channel', at(channels, 0)],
            ['topic', name],
          ],
          naive.messages
            .filter((message) => message.channel === 0 && message.topic.toLowerCase() === name.toLowerCase())
            .map(({ id }) => id),
        ]),
      ];
      for (const [narrow, ids] of cases)
        expect(shown(await fetch(narrow)), JSON.stringify(narrow)).toEqual(expected(ids.toSorted((a, b) => a - b)));
      const types = ['message', 'update_message_flags', 'starred_messages'];
      const { state } = await who.register({
        fetch_event_types: types,
        client_capabilities: { notification_settings_null: true, empty_topic_name: true },
      });
      expect(state['max_message_id']).toBe(Math.max(-1, ...naive.idsWith(index, () => true)));
      expect(state['starred_messages']).toEqual(
        naive.idsWith(index, (flags) => flags.has('starred')).toSorted((a, b) => a - b),
      );
      expect(groupsOf(state['unread_msgs'], people, channelIds, index)).toEqual(naive.unreadOf(index));
    }
  };

  /** The counts of the server in the model's words. */
  const groupsOf = (unread: Body, people: readonly Client[], channelIds: readonly number[], self: number) => {
    const indexOf = (userId: number) => people.findIndex((one) => one.userId === userId);
    const groups: Record<string, number[]> = {};
    for (const { stream_id, topic: name, unread_message_ids } of unread['streams'])
      groups[`channel ${channelIds.indexOf(stream_id)} ${name.toLowerCase()}`] = unread_message_ids;
    for (const { other_user_id, unread_message_ids } of unread['pms']) {
      const pair = [...new Set([indexOf(other_user_id), self])].toSorted((a, b) => a - b);
      groups[`people ${pair.join()}`] = unread_message_ids;
    }
    for (const { user_ids_string, unread_message_ids } of unread['huddles']) {
      const all = user_ids_string.split(',').map((id: string) => indexOf(Number(id)));
      groups[`people ${all.join()}`] = unread_message_ids;
    }
    expect(unread['count']).toBe(Object.values(groups).flat().length);
    return groups;
  };

  it('answers like one row for each receiver, whatever is sent and marked (architecture 3)', async () => {
    const deadline = performance.now() + BUDGET_MS;
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 8, maxLength: 40 }), async (steps) => {
        if (performance.now() > deadline) return;
        const stage = await begin();
        const naive = new Naive();
        for (const step of steps) await run(stage, naive, step);
        await compare(stage, naive);
      }),
      { numRuns: 15 },
    );
  });
});

function at<T>(list: readonly T[], index: number): T {
  const found = list[index];
  if (found === undefined) throw new Error(`there is nothing at ${index}`);
  return found;
}
