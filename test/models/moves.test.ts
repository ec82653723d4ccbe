import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Body, Client } from '../support/client.ts';
import { databases } from '../support/databases.ts';
import { openWorld, type World } from '../support/world.ts';

/** Milliseconds after which no further sequence is begun. */
const BUDGET_MS = 20_000;
/** The first is always subscribed to everything, and moves, subscribes and deletes. */
const PEOPLE = 4;
const TOPICS = ['nests', 'eggs'];
const KINDS = ['public', 'public', 'shared', 'protected'] as const;

const person = fc.nat(PEOPLE - 1);
const other = fc.integer({ min: 1, max: PEOPLE - 1 });
const channel = fc.nat(KINDS.length - 1);
const picks = fc.uniqueArray(fc.nat(8), { minLength: 1, maxLength: 5 });
const command = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('send' as const), channel, topic: fc.constantFrom(...TOPICS) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('subscribe' as const), who: other, channel }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('unsubscribe' as const), who: other, channel }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('move' as const),
      pick: fc.nat(8),
      channel,
      mode: fc.constantFrom('change_one' as const, 'change_later' as const, 'change_all' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('read' as const), who: person, picks }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('star' as const), who: other, pick: fc.nat(8) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('erase' as const), pick: fc.nat(8) }) },
);
type Command = typeof command extends fc.Arbitrary<infer T> ? T : never;
type Moving = Extract<Command, { kind: 'move' }>;

interface Sent {
  readonly id: number;
  channel: number;
  readonly topic: string;
}

/**
 * What a message is to somebody: received by itself (a flag), perhaps only because they starred it, and whether it is
 * read.
 */
interface Pair {
  given?: boolean;
  historical?: boolean;
  /** Undefined where nothing says so: for those who keep messages of channels that they left. */
  read?: boolean | undefined;
}

/** One row for each pair of message and person, and subscription periods. */
class Naive {
  messages: Sent[] = [];
  readonly stays = KINDS.map(() =>
    Array.from({ length: PEOPLE }, (_none, who) => (who === 0 ? [{ after: 0, until: Infinity }] : [])),
  );
  readonly #pairs = Array.from({ length: PEOPLE }, () => new Map<number, Pair>());

  pair(who: number, { id }: Sent): Pair {
    const pairs = at(this.#pairs, who);
    const pair = pairs.get(id) ?? {};
    pairs.set(id, pair);
    return pair;
  }

  isHere(who: number, where: number): boolean {
    return at(at(this.stays, where), who).some(({ until }) => until === Infinity);
  }

  mayRead(who: number, message: Sent): boolean {
    return KINDS[message.channel] === 'public' || this.isHere(who, message.channel);
  }

  /** By a subscription. */
  reached(who: number, { id }: Sent, where: number): boolean {
    return at(at(this.stays, where), who).some(({ after, until }) => after < id && id <= until);
  }

  isReceived(who: number, message: Sent): boolean {
    const { given, historical } = this.pair(who, message);
    return given === true || historical === true || this.reached(who, message, message.channel);
  }

  newest(): number {
    return Math.max(0, ...this.messages.map(({ id }) => id));
  }

  move(rows: readonly Sent[], from: number, to: number): void {
    const everybody = Array.from({ length: PEOPLE }, (_none, who) => who);
    const had = everybody.filter((who) => this.#holds(who, rows, from));
    for (const row of rows) row.channel = to;
    const isReader = (who: number) => KINDS[to] === 'public' || this.isHere(who, to);
    for (const who of everybody)
      for (const row of rows) {
        const pair = this.pair(who, row);
        const owned = pair.given === true || pair.historical === true || this.reached(who, row, from);
        const [keeps, present] = [had.includes(who) && isReader(who), this.isHere(who, to)];
        if (had.includes(who) && !keeps) [pair.given, pair.historical] = [false, false];
        else if (keeps || present) {
          if (present && !owned) pair.read = true;
          const isGiven = owned ? keeps : present && KINDS[to] === 'protected';
          if (isGiven && !this.reached(who, row, to)) pair.given = true;
        }
        if (!keeps && !(present && !owned)) pair.read = undefined;
      }
  }

  /** Whether somebody gets events about one of the messages. */
  #holds(who: number, rows: readonly Sent[], from: number): boolean {
    if (KINDS[from] === 'shared') return this.isHere(who, from);
    const has = rows.some((row) => {
      const { given, historical } = this.pair(who, row);
      return given === true || historical === true || this.reached(who, row, from);
    });
    return KINDS[from] === 'public' ? has || this.isHere(who, from) : has && this.isHere(who, from);
  }
}

describe.each(databases)('messages that move on %s', (database) => {
  let world: World;
  let round = 0;
  beforeAll(async () => {
    world = await openWorld(database);
    await world.adam.patch('/realm', { enable_read_receipts: true });
  });
  afterAll(() => world.close());

  const begin = async () => {
    const number = ++round;
    const people: Client[] = [];
    for (let who = 0; who < PEOPLE; who++) people.push(await world.user({ full_name: `Mover ${number} ${who}` }));
    const ids: number[] = [];
    for (const [index, kind] of KINDS.entries()) {
      const name = `moves ${number} ${index}`;
      const closed = { invite_only: true, history_public_to_subscribers: kind === 'shared' };
      const body = { subscriptions: [{ name }], ...(kind !== 'public' && closed) };
      await at(people, 0).post('/users/me/subscriptions', body);
      ids.push((await at(people, 0).get('/get_stream_id', { stream: name })).stream_id);
    }
    return { people, ids, name: (index: number) => `moves ${number} ${index}` };
  };
  type Stage = Awaited<ReturnType<typeof begin>>;

  const move = async ({ people, ids }: Stage, naive: Naive, { pick, channel: to, mode }: Moving): Promise<void> => {
    const message = naive.messages[pick];
    if (!message || message.channel === to) return;
    const quiet = { send_notification_to_new_thread: false, send_notification_to_old_thread: false };
    const body = { stream_id: at(ids, to), propagate_mode: mode, ...quiet };
    await at(people, 0).patch(`/messages/${message.id}`, body);
    const rows = naive.messages.filter(
      ({ id, channel: where, topic }) =>
        where === message.channel &&
        topic === message.topic &&
        (mode === 'change_all' || (mode === 'change_later' ? id >= message.id : id === message.id)),
    );
    naive.move(rows, message.channel, to);
  };

  const subscribe = async ({ people, name }: Stage, naive: Naive, who: number, where: number): Promise<void> => {
    if (naive.isHere(who, where)) return;
    const principals = [at(people, who).userId];
    await at(people, 0).post('/users/me/subscriptions', { subscriptions: [{ name: name(where) }], principals });
    at(at(naive.stays, where), who).push({ after: naive.newest(), until: Infinity });
  };

  const unsubscribe = async ({ people, name }: Stage, naive: Naive, who: number, where: number): Promise<void> => {
    const stay = at(at(naive.stays, where), who).find(({ until }) => until === Infinity);
    if (!stay) return;
    const read = naive.messages.filter((row) => row.channel === where && naive.isReceived(who, row));
    await at(people, who).delete('/users/me/subscriptions', { subscriptions: [name(where)] });
    stay.until = naive.newest();
    for (const message of read) naive.pair(who, message).read = true;
  };

  const run = async (stage: Stage, naive: Naive, step: Command): Promise<void> => {
    const { people, name } = stage;
    if (step.kind === 'send') {
      const body = { type: 'channel', to: name(step.channel), topic: step.topic, content: 'hoo' };
      const { id } = await at(people, 0).post('/messages', { ...body, read_by_sender: false });
      const sent = { id, channel: step.channel, topic: step.topic };
      naive.messages.push(sent);
      for (let who = 0; who < PEOPLE; who++) if (naive.isHere(who, step.channel)) naive.pair(who, sent).read = false;
    } else if (step.kind === 'subscribe') await subscribe(stage, naive, step.who, step.channel);
    else if (step.kind === 'unsubscribe') await unsubscribe(stage, naive, step.who, step.channel);
    else if (step.kind === 'move') await move(stage, naive, step);
    else if (step.kind === 'read') {
      const rows = step.picks.flatMap((pick) => naive.messages[pick] ?? []);
      const own = rows.filter((row) => naive.mayRead(step.who, row) && naive.isReceived(step.who, row));
      if (own.length === 0) return;
      const messages = own.map(({ id }) => id);
      await at(people, step.who).post('/messages/flags', { messages, op: 'add', flag: 'read' });
      for (const row of own) naive.pair(step.who, row).read = true;
    } else {
      const message = naive.messages[step.pick];
      if (!message) return;
      if (step.kind === 'erase') {
        const { status } = await at(people, 0).request('DELETE', `/messages/${message.id}`);
        if (status === 200) naive.messages = naive.messages.filter((one) => one !== message);
      } else if (naive.mayRead(step.who, message) && (await stars(at(people, step.who), message))) {
        const pair = naive.pair(step.who, message);
        if (!naive.isReceived(step.who, message)) [pair.historical, pair.read] = [true, true];
      }
    }
  };

  /** Stars a message; somebody may not read it who came to a channel of protected history later. */
  const stars = async (who: Client, { id }: Sent): Promise<boolean> =>
    (await who.request('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'starred' })).status === 200;

  const compare = async ({ people, ids }: Stage, naive: Naive): Promise<void> => {
    const known = new Set(naive.messages.map(({ id }) => id));
    for (const [index, who] of people.entries()) {
      const found = async (narrow: object): Promise<Body[]> =>
        (await who.get('/messages', { anchor: 'oldest', num_after: 1000, narrow }))['messages'].filter(
          ({ id }: { id: number }) => known.has(id),
        );
      const own = naive.messages
        .filter((row) => naive.mayRead(index, row) && naive.isReceived(index, row))
        .toSorted((a, b) => a.id - b.id);
      const [all, unread] = [await found([]), await found([['is', 'unread']])];
      expect(
        all.map(({ id }) => id),
        `person ${index}`,
      ).toEqual(own.map(({ id }) => id));
      const isSure = (row: Sent) => naive.pair(index, row).read !== undefined;
      const sure = new Set(own.filter(isSure).map(({ id }) => id));
      const expected = own.filter((row) => naive.pair(index, row).read === false).map(({ id }) => id);
      expect(
        unread.map(({ id }) => id).filter((id) => sure.has(id)),
        `unread of person ${index}`,
      ).toEqual(expected);
      if (!naive.isHere(index, 3)) continue;
      const { topics } = await who.get(`/users/me/${at(ids, 3)}/topics`);
      expect(topics.map(({ name }: { name: string }) => name).toSorted()).toEqual(
        [...new Set(own.filter((row) => row.channel === 3).map(({ topic }) => topic))].toSorted(),
      );
    }
    for (const message of naive.messages) await compareReceipts(people, naive, message);
  };

  const compareReceipts = async (people: readonly Client[], naive: Naive, message: Sent): Promise<void> => {
    const { user_ids } = await at(people, 0).get(`/messages/${message.id}/read_receipts`);
    for (let who = 1; who < PEOPLE; who++) {
      const { read } = naive.pair(who, message);
      if (read === undefined) continue;
      const isReader = read && naive.isReceived(who, message);
      expect(user_ids.includes(at(people, who).userId), `receipt of ${who} for ${message.id}`).toBe(isReader);
    }
  };

  it('are received by the same people as with a row for each pair (decision 0051)', { timeout: 120_000 }, async () => {
    const deadline = performance.now() + BUDGET_MS;
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 40, maxLength: 80, size: 'max' }), async (steps) => {
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
