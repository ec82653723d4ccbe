import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Client, TestQueue } from '../../../../test/support/client.ts';
import { databases } from '../../../../test/support/databases.ts';
import { openWorld, type World } from '../../../../test/support/world.ts';

type Event = Awaited<ReturnType<TestQueue['events']>>[number];

describe.each(databases)('many who send at once on %s', (database) => {
  let world: World;
  let channel: number;
  beforeEach(async () => {
    world = await openWorld(database);
    const { max, mia, adam } = world;
    const people = { principals: [max.userId, mia.userId, adam.userId] };
    await max.post('/users/me/subscriptions', { subscriptions: [{ name: 'nest' }], invite_only: true, ...people });
    channel = (await max.get('/get_stream_id', { stream: 'nest' }))['stream_id'];
  });
  afterEach(() => world.close());

  const nest = (topic: string) => ({ type: 'channel', to: 'nest', topic });
  const direct = (who: Client) => ({ type: 'direct', to: [who.userId] });
  /** Results of sends: the IDs of accepted messages, and the codes of refusals. */
  const ends = (sends: readonly Promise<{ status: number; body: Event }>[]) =>
    Promise.all(sends.map(async (send) => (await send).body)).then((bodies) => ({
      taken: bodies.flatMap(({ id }): number[] => id ?? []),
      refused: bodies.filter(({ result }) => result === 'error').map(({ code }) => code as string),
    }));
  const send = (who: Client, where: object, content: string) =>
    who.request('POST', '/messages', { ...where, content }) as Promise<{ status: number; body: Event }>;
  const many = (count: number, who: Client, where: object, name = '') =>
    Array.from({ length: count }, (_, n) => send(who, where, `${name}${n}`));
  const messageIds = (events: readonly Event[]) =>
    events.filter(({ type }) => type === 'message').map(({ message }): number => message.id);
  const positions = (events: readonly Event[], is: (event: Event) => boolean) =>
    events.flatMap((event, index) => (is(event) ? [index] : []));
  const storedEvents = () =>
    world.server.context.store.query((tx) =>
      tx.db
        .selectFrom('event')
        .select(['id', 'last_id'])
        .where('realm_id', '=', world.realm.id)
        .orderBy('id')
        .execute(),
    );

  it('are told in the order of the IDs, which have no gaps between events', async () => {
    const { max, mia, adam } = world;
    const queue = await adam.register({ event_types: ['message'] });
    const { taken } = await ends([
      ...many(15, max, nest('a')),
      ...many(15, mia, nest('b')),
      ...many(5, max, direct(adam)),
      ...many(5, mia, direct(adam)),
    ]);
    expect(taken).toHaveLength(40);
    const events = await queue.events();
    expect(messageIds(events)).toEqual(taken.toSorted((a, b) => a - b));
    const rows = await storedEvents();
    for (const [index, { id }] of rows.entries()) expect(id).toBe((rows[index - 1]?.last_id ?? id - 1) + 1);
  });

  it('fail alone: who may not, who names nobody, who mentions too many', async () => {
    const { max, gus, mia } = world;
    const queue = await mia.register({ event_types: ['message'] });
    const { taken, refused } = await ends([
      ...many(5, max, nest('a')),
      send(gus, nest('a'), 'from outside'),
      send(max, { type: 'channel', to: 'nowhere', topic: 'a' }, 'to nothing'),
      send(max, { type: 'direct', to: [999_999] }, 'to nobody'),
      ...many(5, mia, nest('a')),
    ]);
    expect(taken).toHaveLength(10);
    expect(refused).toEqual(['STREAM_DOES_NOT_EXIST', 'STREAM_DOES_NOT_EXIST', 'BAD_REQUEST']);
    expect(messageIds(await queue.events())).toEqual(taken.toSorted((a, b) => a - b));
  });

  it('send nothing to a channel once they have left it', async () => {
    const { max, mia, adam } = world;
    const queue = await max.register({ event_types: ['message', 'subscription'] });
    const sends = many(10, mia, nest('a'), 'before ');
    const leaving = adam.delete('/users/me/subscriptions', { subscriptions: ['nest'], principals: [mia.userId] });
    const { taken } = await ends([...sends, ...many(10, mia, nest('a'), 'after ')]);
    await leaving;
    expect((await mia.refused('POST', '/messages', { ...nest('a'), content: 'x' })).code).toBe('STREAM_DOES_NOT_EXIST');
    const events = await queue.events();
    expect(messageIds(events)).toEqual(taken.toSorted((a, b) => a - b));
    const [left = -1] = positions(events, ({ type, op }) => type === 'subscription' && op === 'peer_remove');
    expect(left).toBeGreaterThanOrEqual(0);
    expect(positions(events, ({ type }) => type === 'message').every((index) => index < left)).toBe(true);
  });

  it('write to nobody who is deactivated', async () => {
    const { max, mia, adam } = world;
    const queue = await max.register({ event_types: ['message', 'realm_user'] });
    const sends = many(10, max, direct(mia), 'before ');
    const leaving = adam.delete(`/users/${mia.userId}`);
    const { taken } = await ends([...sends, ...many(10, max, direct(mia), 'after ')]);
    await leaving;
    await max.refused('POST', '/messages', { ...direct(mia), content: 'x' });
    const events = await queue.events();
    expect(messageIds(events)).toEqual(taken.toSorted((a, b) => a - b));
    const [left = -1] = positions(events, ({ type }) => type === 'realm_user');
    expect(left).toBeGreaterThanOrEqual(0);
    expect(positions(events, ({ type }) => type === 'message').every((index) => index < left)).toBe(true);
  });

  it('post nothing in a channel that is archived', async () => {
    const { max, adam } = world;
    const queue = await max.register({ event_types: ['message', 'stream'] });
    const sends = many(10, max, nest('a'), 'before ');
    const archiving = adam.delete(`/streams/${channel}`);
    const { taken } = await ends([...sends, ...many(10, max, nest('a'), 'after ')]);
    await archiving;
    const events = await queue.events();
    // The notification bot's message about the archiving is left out.
    expect(messageIds(events).filter((id) => taken.includes(id))).toEqual(taken.toSorted((a, b) => a - b));
    const [archived = -1] = positions(events, ({ type, op }) => type === 'stream' && op === 'delete');
    expect(archived).toBeGreaterThanOrEqual(0);
    const own = positions(events, ({ type, message }) => type === 'message' && taken.includes(message.id));
    expect(own.every((index) => index < archived)).toBe(true);
  });

  it('show a message to nobody who came after a channel became private', async () => {
    const { max, mia, mona, adam } = world;
    await adam.patch(`/streams/${channel}`, { is_private: false, history_public_to_subscribers: true });
    const listener = { event_types: ['message', 'stream'], all_public_streams: true };
    const [inside, outside] = [await mia.register(listener), await mona.register(listener)];
    const sends = many(10, max, nest('a'), 'before ');
    const closing = adam.patch(`/streams/${channel}`, { is_private: true });
    const { taken } = await ends([...sends, ...many(10, max, nest('a'), 'after ')]);
    await closing;
    const events = await inside.events();
    const own = messageIds(events).filter((id) => taken.includes(id));
    expect(own).toEqual(taken.toSorted((a, b) => a - b));
    const [closed = -1] = positions(events, ({ property }) => property === 'invite_only');
    expect(closed).toBeGreaterThanOrEqual(0);
    const before = messageIds(events.slice(0, closed));
    for (const id of messageIds(await outside.events())) expect(before).toContain(id);
  });

  it.runIf(database === 'postgres')('from two processes are told in one order, on both', async () => {
    const { max, mia, adam } = world;
    const there = await world.anotherServer();
    const queues = [
      await adam.register({ event_types: ['message'] }),
      await adam.register({ event_types: ['message'] }),
    ];
    const { taken } = await ends([
      ...many(20, max, nest('a')),
      ...many(20, mia.at(there), nest('a')),
      ...many(5, max.at(there), direct(adam)),
      send(world.gus.at(there), nest('a'), 'from outside'),
    ]);
    expect(taken).toHaveLength(45);
    const sorted = taken.toSorted((a, b) => a - b);
    for (const [index, queue] of queues.entries()) {
      const seen: number[] = [];
      const reader = queue.at(index === 0 ? adam : adam.at(there));
      while (seen.length < 45) seen.push(...messageIds(await reader.wait()));
      expect(seen).toEqual(sorted);
    }
    const rows = await storedEvents();
    for (const [index, { id }] of rows.entries()) expect(id).toBe((rows[index - 1]?.last_id ?? id - 1) + 1);
  });

  it.runIf(database === 'postgres')(
    'at two processes under one key store one message (protocol/messages#idempotency-keys)',
    async () => {
      const { max, adam } = world;
      const there = await world.anotherServer();
      const queue = await adam.register({ event_types: ['message'] });
      const keyed = (who: Client, key: number) => send(who, { ...nest('a'), idempotency_key: `key ${key}` }, `${key}`);
      const keys = Array.from({ length: 10 }, (_, key) => key);
      const { taken } = await ends(
        keys.flatMap((key) => [keyed(max, key), keyed(max.at(there), key), keyed(max, key)]),
      );
      expect(taken).toHaveLength(30);
      expect(new Set(taken).size).toBe(10);
      expect(messageIds(await queue.events())).toEqual([...new Set(taken)].toSorted((a, b) => a - b));
    },
  );
});
