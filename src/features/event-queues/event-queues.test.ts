import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../../test/support/databases.ts';
import { openWorld, untilParked, type World } from '../../../test/support/world.ts';

describe.each(databases)('event queues on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database);
    await world.max.post('/users/me/subscriptions', { subscriptions: [{ name: 'general' }] });
  });
  afterAll(() => world.close());
  const say = (content: string, fields = {}) =>
    world.max.post('/messages', { type: 'channel', to: 'general', topic: 't', content, ...fields });

  it('belong to their owner: somebody else sees what does not exist (protocol/queues#polling, step 5)', async () => {
    const queue = await world.max.register({ event_types: ['message'] });
    const foreign = await world.mia.refused('GET', '/events', { queue_id: queue.id, last_event_id: queue.lastEventId });
    const missing = await world.mia.refused('GET', '/events', { queue_id: 'nowhere', last_event_id: 0 });
    expect({ ...foreign, queue_id: 'x', msg: foreign.msg.replace(queue.id, 'x') }).toEqual({
      ...missing,
      queue_id: 'x',
      msg: missing.msg.replace('nowhere', 'x'),
    });
    expect(foreign).toMatchObject({ status: 400, code: 'BAD_EVENT_QUEUE_ID', queue_id: queue.id });
    expect((await world.mia.refused('DELETE', '/events', { queue_id: queue.id })).code).toBe('BAD_EVENT_QUEUE_ID');
    expect(await queue.events()).toEqual([]);
  });

  it('say which parameter is missing (protocol/queues#polling, steps 3 and 4)', async () => {
    expect(await world.max.refused('GET', '/events', { last_event_id: 1 })).toMatchObject({
      code: 'BAD_REQUEST',
      msg: "Missing 'queue_id' argument",
    });
    expect(await world.max.refused('GET', '/events', { queue_id: 'x' })).toMatchObject({
      code: 'BAD_REQUEST',
      msg: "Missing 'last_event_id' argument",
    });
    expect(await world.max.refused('DELETE', '/events')).toMatchObject({
      code: 'REQUEST_VARIABLE_MISSING',
      var_name: 'queue_id',
    });
  });

  it('name the parameters nobody knows in every answer to a poll (api, wire conventions)', async () => {
    const queue = await world.max.register({ event_types: ['message'] });
    const poll = { queue_id: queue.id, last_event_id: queue.lastEventId, zoom: 1, colour: 'red' };
    const atOnce = await world.max.request('GET', '/events', { ...poll, dont_block: true });
    expect(atOnce.body).toMatchObject({ events: [], ignored_parameters_unsupported: ['colour', 'zoom'] });
    const parked = world.max.request('GET', '/events', poll);
    await untilParked(world, 1);
    await say('news');
    expect((await parked).body).toMatchObject({
      queue_id: queue.id,
      events: [{ type: 'message' }],
      ignored_parameters_unsupported: ['colour', 'zoom'],
    });
  });

  it('end once (protocol/queues#deleting)', async () => {
    const queue = await world.max.register();
    await world.max.delete('/events', { queue_id: queue.id });
    expect((await world.max.refused('DELETE', '/events', { queue_id: queue.id })).code).toBe('BAD_EVENT_QUEUE_ID');
  });

  it('expire after their idle time, but not while a poll waits (protocol/queues#idle)', async () => {
    const [idle, busy] = [
      await world.max.register({ idle_queue_timeout: 30, event_types: ['message'] }),
      await world.max.register({ idle_queue_timeout: 30, event_types: ['message'] }),
    ];
    expect(idle.state['idle_queue_timeout_secs']).toBe(30);
    const waiting = busy.wait();
    await untilParked(world, 1);
    world.clock.advance(31_000);
    expect(
      (await world.max.refused('GET', '/events', { queue_id: idle.id, last_event_id: idle.lastEventId })).code,
    ).toBe('BAD_EVENT_QUEUE_ID');
    await say('still there?');
    expect(await waiting).toMatchObject([{ type: 'message' }]);
    expect(await busy.events()).toEqual([]);
  });

  it('are bounded for each account: those idle longest end (protocol/queues#ownership)', async () => {
    const few = { event_types: ['message'], fetch_event_types: [], idle_queue_timeout: 604_800 };
    const ofMia = await world.mia.register(few);
    const idle = await world.gus.register(few);
    const polled = await world.gus.register(few);
    world.clock.advance(1000);
    await world.gus.register(few);
    await polled.events();
    const newest = await world.gus.register(few);
    const { queues } = world.server.context;
    await queues.save();
    await queues.sweep(3);
    for (const alive of [ofMia, polled, newest]) expect(await alive.events()).toEqual([]);
    const poll = { queue_id: idle.id, last_event_id: idle.lastEventId, dont_block: true };
    expect((await world.gus.refused('GET', '/events', poll)).code).toBe('BAD_EVENT_QUEUE_ID');
  });

  it('leave memory when nobody polls them, and go on when somebody does (protocol/queues#idle)', async () => {
    const few = { event_types: ['message'], fetch_event_types: [], idle_queue_timeout: 604_800 };
    const { queues } = world.server.context;
    const queue = await world.mia.register(few);
    expect(await queue.events()).toEqual([]);
    await world.max.post('/messages', { type: 'direct', to: ['member2@roost.test'], content: 'one' });
    expect(await queue.events()).toMatchObject([{ type: 'message' }]);
    await queues.save();
    world.clock.advance(119_000);
    await queues.sweep();
    expect(queues.known).toBeGreaterThan(0);
    world.clock.advance(2000);
    await queues.save();
    await queues.sweep();
    expect(queues.known).toBe(0);
    await world.max.post('/messages', { type: 'direct', to: ['member2@roost.test'], content: 'two' });
    expect(await queue.events()).toMatchObject([{ type: 'message' }]);
  });

  it('keep no words of clients, and short narrows (protocol/register#parameters)', async () => {
    const made = Array.from({ length: 499 }, (_, index) => String(index).padEnd(100, 'x'));
    const event_types = [...made, 'message'];
    const queue = await world.mia.register({ event_types, narrow: [['is', 'x'.repeat(998)]] });
    const stored = await world.server.context.store.query((tx) =>
      tx.db.selectFrom('event_queue').select('descriptor').where('queue_id', '=', queue.id).executeTakeFirstOrThrow(),
    );
    expect(stored.descriptor.event_types).toEqual(['message']);
    const long = {
      narrow: [
        ['is', 'x'.repeat(499)],
        ['is', '😀'.repeat(498)],
      ],
    };
    expect((await world.mia.refused('POST', '/register', long)).msg).toBe(
      'narrow is too long (limit: 1000 characters)',
    );
  });

  it('take the words and bounds of idle_queue_timeout (protocol/register#parameters)', async () => {
    const seconds = async (idle_queue_timeout: unknown) =>
      (await world.max.register({ idle_queue_timeout: JSON.stringify(idle_queue_timeout), fetch_event_types: [] }))
        .state['idle_queue_timeout_secs'];
    expect(await seconds('mobile')).toBe(43_200);
    expect(await seconds(9_999_999)).toBe(604_800);
    expect((await world.max.register({ idle_queue_timeout: 'mobile' })).state['idle_queue_timeout_secs']).toBe(43_200);
    expect((await world.max.refused('POST', '/register', { idle_queue_timeout: 0 })).msg).toContain('too small');
    expect((await world.max.register()).state['idle_queue_timeout_secs']).toBe(600);
  });

  it('answer the first of two polls with nothing and keep the second (protocol/queues#waiting)', async () => {
    const queue = await world.max.register({ event_types: ['message'] });
    const first = world.max.get('/events', { queue_id: queue.id, last_event_id: queue.lastEventId });
    await untilParked(world, 1);
    const second = queue.wait();
    expect(await first).toMatchObject({ events: [], queue_id: queue.id });
    await say('for the second');
    expect(await second).toMatchObject([{ message: { content: 'for the second' } }]);
  });

  it('give back the local ID to the queue that sent, and to no other (protocol/messages#local-ids)', async () => {
    const [own, other, elses] = [
      await world.max.register(),
      await world.max.register(),
      await world.mia.register({ event_types: ['message'], all_public_streams: true }),
    ];
    await say('echo', { queue_id: own.id, local_id: '7.01' });
    expect((await own.events()).at(-1)).toMatchObject({ local_message_id: '7.01' });
    expect((await other.events()).at(-1)).not.toHaveProperty('local_message_id');
    await elses.events();
    await say('not yours', { queue_id: elses.id, local_id: '7.02' });
    const [event] = await elses.events();
    expect(event).toMatchObject({ message: { content: 'not yours' } });
    expect(event).not.toHaveProperty('local_message_id');
  });

  it('take any ID below where they began for their beginning, until something is acknowledged (protocol/queues#polling)', async () => {
    const queue = await world.max.register({ event_types: ['message'] });
    const poll = (last_event_id: number) =>
      world.max.get('/events', { queue_id: queue.id, last_event_id, dont_block: true });
    const { id } = await say('the first');
    const [event] = (await poll(-1))['events'];
    expect(event).toMatchObject({ message: { id } });
    for (const beginning of [-1, 0, queue.lastEventId - 1, queue.lastEventId])
      expect((await poll(beginning))['events']).toEqual([event]);
    expect((await poll(event.id))['events']).toEqual([]);
    for (const old of [-1, queue.lastEventId, event.id - 1])
      expect(
        await world.max.refused('GET', '/events', { queue_id: queue.id, last_event_id: old, dont_block: true }),
      ).toMatchObject({ code: 'BAD_REQUEST', msg: `An event newer than ${old} has already been pruned!` });
    expect((await poll(event.id))['events']).toEqual([]);
  });

  it('give a heartbeat again until it is acknowledged (protocol/queues#waiting)', async () => {
    const [queue, other] = [
      await world.max.register({ event_types: [] }),
      await world.max.register({ event_types: [] }),
    ];
    const poll = (last_event_id: number) =>
      world.max.get('/events', { queue_id: queue.id, last_event_id, dont_block: true });
    const waiting = world.max.get('/events', { queue_id: queue.id, last_event_id: queue.lastEventId });
    await untilParked(world, 1);
    world.clock.advance(56_000);
    const { events } = await waiting;
    expect(events).toMatchObject([{ type: 'heartbeat' }]);
    // As if the answer had been lost.
    expect((await poll(queue.lastEventId))['events']).toEqual(events);
    expect((await poll(events[0].id))['events']).toEqual([]);
    expect(await other.events()).toEqual([]);
  });

  it('give very much in pieces, and leave nothing out (protocol/queues#waiting)', async () => {
    const queue = await world.max.register({ event_types: ['message'], apply_markdown: true });
    const sent: number[] = [];
    for (let number = 0; number < 210; number++) sent.push((await say('x'.repeat(10_000)))['id']);
    const got: number[] = [];
    let last_event_id = queue.lastEventId;
    const poll = async () => {
      const fields = { queue_id: queue.id, last_event_id, dont_block: true };
      const { body } = await world.max.request('GET', '/events', fields);
      expect(JSON.stringify(body).length).toBeLessThan(2_100_000);
      for (const { id, message } of body['events']) {
        last_event_id = id;
        got.push(message.id);
      }
      return body['events'].length as number;
    };
    expect(await poll()).toBeLessThan(sent.length);
    while ((await poll()) > 0);
    expect(got).toEqual(sent);
  });

  it('filter by type and by narrow (protocol/narrows#registered-narrows)', async () => {
    const inGeneral = await world.mia.register({
      narrow: [
        ['channel', 'GENERAL'],
        ['topic', 'T'],
      ],
    });
    const elsewhere = await world.mia.register({ narrow: [['channel', 'other']] });
    const direct = await world.mia.register({ narrow: [['is', 'dm']], event_types: ['message'] });
    const noMessages = await world.mia.register({ event_types: ['realm_user'] });
    const { id } = await say('narrowed');
    expect(await inGeneral.events()).toMatchObject([{ message: { id }, flags: [] }]);
    for (const queue of [elsewhere, direct, noMessages]) expect(await queue.events()).toEqual([]);
    expect(await world.mia.refused('POST', '/register', { narrow: [['near', '1']] })).toMatchObject({
      code: 'BAD_REQUEST',
      msg: 'Operator near not supported.',
    });
    expect((await world.mia.refused('POST', '/register', { narrow: [['is', 'followed']] })).msg).toBe(
      'Operand followed not supported.',
    );
    expect((await world.mia.refused('POST', '/register', { narrow: [['is']] })).msg).toBe('Invalid narrow[0]');
  });

  it('overhear all public channels on request, but not for guests (security#holes, row 7)', async () => {
    const wide = await world.mia.register({ all_public_streams: true, event_types: ['message'] });
    const guest = await world.gus.register({ narrow: [['channel', 'general']], event_types: ['message'] });
    await say('in public');
    expect(await wide.events()).toMatchObject([{ message: { content: 'in public' } }]);
    expect(await guest.events()).toEqual([]);
    expect(await world.gus.refused('POST', '/register', { all_public_streams: true })).toMatchObject({
      msg: 'User not authorized for this query',
    });
  });

  it('ask for notification_settings_null and ignore unknown words (protocol/register#capabilities)', async () => {
    expect((await world.max.refused('POST', '/register', { client_capabilities: {} })).msg).toBe(
      'client_capabilities["notification_settings_null"] field is missing: Field required',
    );
    const { state } = await world.max.register({
      event_types: ['zulip_version', 'nothing_known'],
      client_capabilities: { notification_settings_null: true, new_thing: true },
    });
    expect(state['queue_id']).toBeTypeOf('string');
    expect(state).not.toHaveProperty('realm_users');
  });

  it('are not for spectators of a closed organization (protocol/register#spectators)', async () => {
    expect(await world.spectator.refused('POST', '/register')).toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
  });

  it('tell a spectator who it is, with a picture of its own (protocol/register#spectators, protocol/register#people)', async () => {
    await world.olive.patch('/realm', { enable_spectator_access: true });
    const { body } = await world.spectator.request('POST', '/register', { fetch_event_types: ['realm_user'] });
    expect(body).toMatchObject({
      queue_id: null,
      user_id: 0,
      email: 'username@example.com',
      full_name: 'Anonymous User',
      is_guest: true,
      avatar_source: 'G',
      avatar_url: expect.stringMatching(/^https:.*version=1$/),
      avatar_url_medium: expect.stringMatching(/^https:.*&s=500&version=1$/),
    });
  });
});
