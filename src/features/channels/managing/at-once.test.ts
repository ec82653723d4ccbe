import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#kernel/store';
import type { Body, Client } from '../../../../test/support/client.ts';
import { databases } from '../../../../test/support/databases.ts';
import { expectSync } from '../../../../test/support/sync.ts';
import { openWorld, type World } from '../../../../test/support/world.ts';

const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

describe.each(databases)('channels that many change at once, on %s', (database) => {
  let world: World;
  /** A client of everybody; they take turns at two servers where the database allows several. */
  let clients: readonly Client[];
  beforeAll(async () => {
    world = await openWorld(database);
    const { adam, mona, max, mia } = world;
    const people = [adam, mona, max, mia];
    if (database === 'sqlite') clients = people;
    else {
      const another = await world.anotherServer();
      clients = people.flatMap((client) => [client, client.at(another)]);
    }
  });
  afterAll(() => world.close());

  const clientAt = (index: number): Client => clients[index % clients.length] ?? world.max;
  const named = async (name: string): Promise<Body[]> =>
    (await world.adam.get('/streams'))['streams'].filter((channel: Body) => channel['name'].toLowerCase() === name);

  it('make one channel of fifty of one name', async () => {
    const [events] = await expectSync([world.olive], async () => {
      const replies = await Promise.all(
        times(50, (i) =>
          clientAt(i).request('POST', '/channels/create', { name: i % 2 ? 'RACE' : 'race', subscribers: [] }),
        ),
      );
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
      const refused = replies.filter(({ status }) => status === 409);
      expect(refused.map(({ body }) => body['code'])).toEqual(times(49, () => 'CHANNEL_ALREADY_EXISTS'));
    });
    expect(events?.filter((event) => event['op'] === 'create')).toHaveLength(1);
    expect(await named('race')).toHaveLength(1);
  });

  it('make one channel of fifty subscriptions to a name that is new, and every caller is in it once', async () => {
    await expectSync([world.olive, world.mia], async () => {
      const subscriptions = [{ name: 'rush' }];
      const bodies = await Promise.all(
        times(50, (i) => clientAt(i).post('/users/me/subscriptions', { subscriptions })),
      );
      const joined = bodies.filter((body) => Object.keys(body['subscribed']).length > 0);
      expect(joined).toHaveLength(4);
    });
    const [channel] = await named('rush');
    expect(channel?.['subscriber_count']).toBe(4);
    const { subscribers } = await world.adam.get(`/streams/${channel?.['stream_id']}/members`);
    expect(subscribers).toEqual([world.adam, world.mona, world.max, world.mia].map((client) => client.userId));
  });

  it('count their subscribers right through coming and going', async () => {
    const [channel] = await named('rush');
    await expectSync([world.olive], () =>
      Promise.all(
        times(40, (i) =>
          i % 3 === 0
            ? clientAt(i).delete('/users/me/subscriptions', { subscriptions: ['rush'] })
            : clientAt(i).post('/users/me/subscriptions', { subscriptions: [{ name: 'rush' }] }),
        ),
      ),
    );
    const { subscribers } = await world.adam.get(`/streams/${channel?.['stream_id']}/members`);
    expect((await named('rush'))[0]?.['subscriber_count']).toBe(subscribers.length);
    expect(new Set(subscribers).size).toBe(subscribers.length);
  });

  it('lose nothing that is sent while they are renamed', async () => {
    const { max, mia } = world;
    const { id } = await max.post('/channels/create', { name: 'here', subscribers: [max.userId, mia.userId] });
    const queue = await mia.register({ event_types: ['message', 'stream'] });
    const rename = (i: number) =>
      clientAt(i)
        .at(world.server)
        .request('PATCH', `/streams/${id}`, { new_name: i % 2 ? 'there' : 'here' });
    const send = (i: number) =>
      clientAt(i).request('POST', '/messages', {
        type: 'channel',
        to: [id, 'here', 'there'][i % 3],
        topic: 'moving house',
        content: `${i}`,
      });
    const replies = await Promise.all(times(60, (i) => (i % 5 === 0 ? rename(i) : send(i))));
    const sent = replies.filter(({ status, body }) => status === 200 && 'id' in body).map(({ body }) => body['id']);
    for (const { status, body } of replies)
      if (status !== 200)
        expect(body['msg']).toMatch(/^Channel '(here|there)' does not exist$|already has that name|permission/);
    expect(sent.length).toBeGreaterThanOrEqual(15);
    const events = await queue.events();
    const ids = (list: readonly Body[]) => list.map((message) => message['id']);
    const got = ids(events.flatMap((event) => (event['type'] === 'message' ? [event['message']] : [])));
    expect(got.toSorted(ascending)).toEqual(sent.toSorted(ascending));
    const narrow = [{ operator: 'channel', operand: id }];
    const { messages } = await mia.get('/messages', { anchor: 'newest', num_before: 100, num_after: 0, narrow });
    expect(ids(messages)).toEqual(sent.toSorted(ascending));
    const names = events.filter((event) => event['property'] === 'name').map((event) => event['value']);
    expect((await mia.get(`/streams/${id}`))['stream'].name).toBe(names.at(-1) ?? 'here');
  });

  it('take a thousand subscribers in one transaction with few events (protocol/subscriptions#subscribing-effects)', async () => {
    const { olive, server } = world;
    const people: Client[] = [];
    // In batches: of a thousand requests at once some could wait for a connection for longer than the pool allows.
    while (people.length < 1000) people.push(...(await Promise.all(times(100, () => world.user()))));
    const principals = people.map((client) => client.userId);
    const subscriptions = [{ name: 'rush' }];
    const entries = async () =>
      server.context.store.query(async (tx) => {
        const { rows } = await sql<{ count: number }>`
          select count(*) as count from event where kind like 'subscription/%'`.execute(tx.db);
        return Number(rows[0]?.count);
      });
    const before = await entries();
    const fault = await olive.refused('POST', '/users/me/subscriptions', {
      subscriptions,
      principals: [...principals, 999_999],
    });
    expect(fault.msg).toBe('No such user');
    expect(await entries()).toBe(before);
    const queue = await people[0]?.register({ event_types: ['subscription', 'message'] });
    const answer = await olive.post('/users/me/subscriptions', { subscriptions, principals });
    expect(Object.keys(answer['subscribed'])).toHaveLength(1000);
    expect(answer['new_subscription_messages_sent']).toBe(false);
    expect((await entries()) - before).toBe(2);
    expect(await queue?.events()).toMatchObject([{ op: 'add', subscriptions: [{ name: 'rush' }] }]);
    const [channel] = await named('rush');
    const { subscribers } = await olive.get(`/streams/${channel?.['stream_id']}/members`);
    expect(channel?.['subscriber_count']).toBe(subscribers.length);
    expect(subscribers.length).toBeGreaterThanOrEqual(1000);
  });
});

const ascending = (a: number, b: number) => a - b;
