import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asId, type ChannelId, type UserId } from '#kernel/ids';
import { databases } from '../../../test/support/databases.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { mutedTopicsChanged } from './events.ts';
import { upsertPolicies } from './queries.ts';

const MODERN = {
  client_capabilities: { notification_settings_null: true, bulk_message_deletion: true, empty_topic_name: true },
};

describe.each(databases)('topics on %s', (database) => {
  let world: World;
  let birds: number;
  let nest: number;
  beforeAll(async () => {
    world = await openWorld(database);
    const { max, mia, gus } = world;
    const principals = [max.userId, mia.userId, gus.userId];
    await max.post('/users/me/subscriptions', { subscriptions: [{ name: 'birds' }], principals });
    await max.post('/users/me/subscriptions', { subscriptions: [{ name: 'nest' }], invite_only: true });
    const { subscriptions } = (await max.register()).state;
    const idOf = (name: string) => subscriptions.find((one: { name: string }) => one.name === name).stream_id;
    birds = idOf('birds');
    nest = idOf('nest');
  });
  afterAll(() => world.close());

  const send = async (topic: string, who = world.max, to = 'birds') =>
    (await who.post('/messages', { type: 'channel', to, topic, content: 'hoo' }))['id'] as number;

  it('tells only the user of a policy, in the old form first (protocol/topics#visibility-policies)', async () => {
    const { mia, max } = world;
    const queues = [await mia.register(MODERN), await max.register(MODERN)] as const;
    await mia.post('/user_topics', { stream_id: birds, topic: 'Owl', visibility_policy: 1 });
    const last_updated = world.clock.now();
    const row = { stream_id: birds, topic_name: 'Owl', last_updated, visibility_policy: 1 };
    expect(await queues[0].events()).toMatchObject([
      { type: 'muted_topics', muted_topics: [['birds', 'Owl', last_updated]] },
      { type: 'user_topic', ...row },
    ]);
    expect(await queues[1].events()).toEqual([]);
    const { state } = await mia.register(MODERN);
    expect(state['user_topics']).toEqual([row]);
    expect(state['muted_topics']).toEqual([['birds', 'Owl', last_updated]]);
  });

  it('says nothing when nothing changes, and treats spellings as one topic', async () => {
    const { mia } = world;
    const queue = await mia.register(MODERN);
    await mia.post('/user_topics', { stream_id: birds, topic: 'oWL', visibility_policy: 1 });
    await mia.post('/user_topics', { stream_id: birds, topic: 'unknown', visibility_policy: 0 });
    expect(await queue.events()).toEqual([]);
    await mia.post('/user_topics', { stream_id: birds, topic: 'owl', visibility_policy: 0 });
    expect(await queue.events()).toMatchObject([{ muted_topics: [] }, { visibility_policy: 0 }]);
    expect((await mia.register(MODERN)).state['user_topics']).toEqual([]);
  });

  it('spares clients that name the newer form the older one (protocol/topics#visibility-policies, protocol/events#what-a-queue-takes)', async () => {
    const { mia } = world;
    const types = ['muted_topics', 'user_topic'];
    const queues = [
      await mia.register({ event_types: types }),
      await mia.register({ event_types: ['muted_topics'] }),
    ] as const;
    expect(queues[0].state).not.toHaveProperty('muted_topics');
    expect(queues[1].state).toHaveProperty('muted_topics');
    await mia.post('/user_topics', { stream_id: birds, topic: 'newer', visibility_policy: 3 });
    expect(await queues[0].events()).toMatchObject([{ type: 'user_topic', visibility_policy: 3 }]);
    expect(await queues[1].events()).toMatchObject([{ type: 'muted_topics' }]);
  });

  it.each([
    [{ topic: 'x', visibility_policy: 1 }, "Missing 'stream_id' argument"],
    [{ stream_id: 999_999, topic: 'x', visibility_policy: 1 }, 'Invalid channel ID'],
    [{ stream_id: 1, topic: 't'.repeat(61), visibility_policy: 1 }, 'topic is too long (limit: 60 characters)'],
    [{ stream_id: 1, topic: 'x', visibility_policy: 4 }, 'Invalid visibility_policy'],
  ])('refuses %j', async (parameters, msg) => {
    expect((await world.mia.refused('POST', '/user_topics', parameters)).msg).toBe(msg);
  });

  it('does not tell a private channel from one that does not exist', async () => {
    const { mia } = world;
    const wish = { topic: 'x', visibility_policy: 1 };
    expect((await mia.refused('POST', '/user_topics', { stream_id: nest, ...wish })).msg).toBe('Invalid channel ID');
    expect((await mia.refused('GET', `/users/me/${nest}/topics`)).msg).toBe('Invalid channel ID');
    await world.max.post('/user_topics', { stream_id: nest, ...wish });
  });

  it('mutes the older way (protocol/topics#visibility-policies)', async () => {
    const { mia } = world;
    const path = '/users/me/subscriptions/muted_topics';
    const queue = await mia.register(MODERN);
    for (const channel of [{ stream_id: birds }, { stream: 'Birds' }]) {
      await mia.patch(path, { ...channel, topic: 'crow', op: 'add' });
      await mia.patch(path, { ...channel, topic: 'crow', op: 'add' });
      expect(await queue.events()).toMatchObject([{ type: 'muted_topics' }, { visibility_policy: 1 }]);
      await mia.patch(path, { ...channel, topic: 'crow', op: 'remove' });
      await mia.patch(path, { ...channel, topic: 'crow', op: 'remove' });
      expect(await queue.events()).toMatchObject([{ type: 'muted_topics' }, { visibility_policy: 0 }]);
    }
    const refusal = async (parameters: object) => (await mia.refused('PATCH', path, { topic: 'x', ...parameters })).msg;
    expect(await refusal({ stream_id: birds, stream: 'birds', op: 'add' })).toBe(
      'Unsupported parameter combination: stream_id, stream',
    );
    expect(await refusal({ op: 'add' })).toBe("Missing 'stream_id' argument");
    expect(await refusal({ stream_id: nest, op: 'add' })).toBe('Invalid channel ID');
    expect(await refusal({ stream_id: nest, op: 'remove' })).toBe('Topic is not muted');
  });

  it('lists topics, newest first, in the spelling of the newest message', async () => {
    const { max, gus, mona, spectator } = world;
    await send('heron');
    const stork = await send('stork');
    const heron = await send('HERON');
    const unnamed = await send('');
    const { topics } = await gus.get(`/users/me/${birds}/topics`);
    expect(topics.slice(0, 3)).toEqual([
      { name: 'general chat', max_id: unnamed },
      { name: 'HERON', max_id: heron },
      { name: 'stork', max_id: stork },
    ]);
    const named = await mona.get(`/users/me/${birds}/topics`, { allow_empty_topic_name: true });
    expect(named['topics'][0].name).toBe('');
    expect((await spectator.refused('GET', `/users/me/${birds}/topics`)).msg).toBe('Invalid channel ID');
    expect((await max.get(`/users/me/${nest}/topics`))['topics']).toEqual([]);
  });

  it('follows a topic that one starts, before the message is told (protocol/topics#automatic-policies)', async () => {
    const { mia } = world;
    const queue = await mia.register(MODERN);
    const reply = await mia.post('/messages', { type: 'channel', to: 'birds', topic: 'mine', content: 'hoo' });
    expect(reply['automatic_new_visibility_policy']).toBe(3);
    expect(await queue.events()).toMatchObject([
      { type: 'muted_topics' },
      { type: 'user_topic', topic_name: 'mine', visibility_policy: 3 },
      { type: 'message' },
    ]);
    expect(
      await world.max.post('/messages', { type: 'channel', to: 'birds', topic: 'mine', content: 'x' }),
    ).not.toHaveProperty('automatic_new_visibility_policy');
  });

  it('takes policies along when a topic moves as a whole (protocol/topics#moving-policies)', async () => {
    const { max, mia } = world;
    const id = await send('gull');
    await mia.post('/user_topics', { stream_id: birds, topic: 'gull', visibility_policy: 1 });
    await max.patch(`/messages/${id}`, { topic: 'seagull', propagate_mode: 'change_all' });
    const { user_topics } = (await mia.register(MODERN)).state;
    const mine = user_topics.filter((row: { topic_name: string }) => row.topic_name.endsWith('gull'));
    expect(mine).toMatchObject([{ topic_name: 'seagull', visibility_policy: 1 }]);
  });

  it('takes no policy along into a channel that its holder does not see (protocol/topics#moving-policies, security#holes, row 5)', async () => {
    const { max, mia } = world;
    const id = await send('lapwing');
    for (const who of [max, mia])
      await who.post('/user_topics', { stream_id: birds, topic: 'lapwing', visibility_policy: 3 });
    const queues = [await mia.register(MODERN), await max.register(MODERN)] as const;
    await max.patch(`/messages/${id}`, { stream_id: nest, propagate_mode: 'change_all' });
    const told = async (index: 0 | 1) =>
      (await queues[index].events()).flatMap((event) =>
        event['type'] === 'user_topic' ? [[event['stream_id'], event['visibility_policy']]] : [],
      );
    expect(await told(1)).toEqual([
      [birds, 0],
      [nest, 3],
    ]);
    expect(await told(0)).toEqual([[birds, 0]]);
  });

  it('follows a topic whose beginning one does not see, as if one began it (protocol/topics#automatic-policies)', async () => {
    const { adam, max, mia } = world;
    const hidden = { invite_only: true, history_public_to_subscribers: false };
    const principals = [adam.userId, max.userId];
    await adam.post('/users/me/subscriptions', { subscriptions: [{ name: 'den' }], principals, ...hidden });
    const message = { type: 'channel', to: 'den', topic: 'old', content: 'hoo' };
    await max.post('/messages', message);
    await adam.post('/users/me/subscriptions', { subscriptions: [{ name: 'den' }], principals: [mia.userId] });
    expect((await mia.post('/messages', message))['automatic_new_visibility_policy']).toBe(3);
    expect(await adam.post('/messages', message)).not.toHaveProperty('automatic_new_visibility_policy');
  });

  it("obeys each sender's settings of following and unmuting (protocol/topics#automatic-policies)", async () => {
    const { max } = world;
    const policyOf = async (topic: string) =>
      (await max.post('/messages', { type: 'channel', to: 'birds', topic, content: 'x' }))[
        'automatic_new_visibility_policy'
      ];
    await send('knot', world.mia);
    expect(await policyOf('knot')).toBeUndefined();
    await max.patch('/settings', { automatically_follow_topics_policy: 2 });
    expect(await policyOf('knot')).toBe(3);
    await max.patch('/settings', { automatically_follow_topics_policy: 4 });
    const muted = { stream_id: birds, property: 'is_muted' };
    await max.post('/users/me/subscriptions/properties', { subscription_data: [{ ...muted, value: true }] });
    expect(await policyOf('ruff')).toBe(2);
    await max.patch('/settings', { automatically_unmute_topics_in_muted_streams_policy: 4 });
    expect(await policyOf('dunlin')).toBeUndefined();
    await max.post('/users/me/subscriptions/properties', { subscription_data: [{ ...muted, value: false }] });
    await max.patch('/settings', {
      automatically_follow_topics_policy: 3,
      automatically_unmute_topics_in_muted_streams_policy: 2,
    });
  });

  it('counts who reacted among the participants of a topic (protocol/messages#checks, step 7)', async () => {
    const { olive, max, user } = world;
    const id = await send('crowd');
    const group = (await olive.register()).state['realm_user_groups'].find(
      (one: { name: string }) => one.name === 'role:administrators',
    ).id;
    await olive.patch('/realm', { can_mention_many_users_group: { new: group } });
    const mention = { type: 'channel', to: 'birds', topic: 'crowd', content: '@**topic** hoo' };
    for (let count = 1; count < 15; count++)
      await (await user()).post(`/messages/${id}/reactions`, { emoji_name: 'owl' });
    await max.post('/messages', mention);
    await (await user()).post(`/messages/${id}/reactions`, { emoji_name: 'owl' });
    expect((await max.refused('POST', '/messages', mention)).code).toBe('TOPIC_WILDCARD_MENTION_NOT_ALLOWED');
    await olive.post('/messages', mention);
  });

  it('deletes a topic for administrators, with its policies (protocol/topics#deleting)', async () => {
    const { adam, max, mia } = world;
    const ids = [await send('dodo'), await send('dodo')];
    await mia.post('/user_topics', { stream_id: birds, topic: 'dodo', visibility_policy: 1 });
    const wish = { topic_name: 'Dodo' };
    expect((await max.refused('POST', `/streams/${birds}/delete_topic`, wish)).msg).toBe(
      "You don't have permission to delete this topic",
    );
    expect((await adam.refused('POST', `/streams/${nest}/delete_topic`, wish)).msg).toBe('Invalid channel ID');
    const queue = await mia.register(MODERN);
    expect((await adam.post(`/streams/${birds}/delete_topic`, wish))['complete']).toBe(true);
    expect(await queue.events()).toMatchObject([
      { type: 'delete_message', message_ids: ids, topic: 'dodo' },
      { type: 'muted_topics' },
      { type: 'user_topic', visibility_policy: 0 },
    ]);
    expect((await adam.post(`/streams/${birds}/delete_topic`, wish))['complete']).toBe(true);
    expect(await queue.events()).toEqual([]);
  });

  it('keeps one policy when many are set at once', async () => {
    const { mia } = world;
    const wish = { stream_id: birds, topic: 'race' };
    await Promise.all(
      [1, 2, 3, 1].map((visibility_policy) => mia.post('/user_topics', { ...wish, visibility_policy })),
    );
    const { user_topics } = (await mia.register(MODERN)).state;
    expect(user_topics.filter((row: { topic_name: string }) => row.topic_name === 'race')).toHaveLength(1);
  });

  it('refuses one more policy when there are 10,000, and goes on changing those (protocol/topics#visibility-policies)', async () => {
    const { gus, server } = world;
    const rows = Array.from({ length: 10_000 }, (_, n) => ({
      realm_id: world.realm.id,
      user_id: asId<UserId>(gus.userId),
      channel_id: asId<ChannelId>(birds),
      topic: `t${n}`,
      visibility_policy: 1 as const,
    }));
    await server.context.store.write((tx) => upsertPolicies(tx, rows));
    const wish = (topic: string) => ({ stream_id: birds, topic, visibility_policy: 3 });
    expect((await gus.refused('POST', '/user_topics', wish('one more'))).msg).toBe(
      'You can mute, unmute or follow at most 10000 topics.',
    );
    await gus.post('/user_topics', wish('t7'));
    await gus.post('/user_topics', { ...wish('t8'), visibility_policy: 0 });
    await gus.post('/user_topics', wish('one more'));
  });

  it('tells of changes in the new form alone where there are more than 1,000 (protocol/topics#visibility-policies)', async () => {
    const { olive, server } = world;
    const rows = Array.from({ length: 1000 }, (_, n) => ({
      realm_id: world.realm.id,
      user_id: asId<UserId>(olive.userId),
      channel_id: asId<ChannelId>(birds),
      topic: `t${n}`,
      visibility_policy: 1 as const,
    }));
    await server.context.store.write((tx) => upsertPolicies(tx, rows));
    const queue = await olive.register(MODERN);
    const mute = (topic: string, visibility_policy: number) =>
      olive.post('/user_topics', { stream_id: birds, topic, visibility_policy });
    await mute('t1', 0);
    expect(await queue.events()).toMatchObject([{ type: 'muted_topics' }, { type: 'user_topic' }]);
    for (const topic of ['t1', 'one more']) await mute(topic, 1);
    expect((await queue.events()).map((event) => event['type'])).toEqual(['muted_topics', 'user_topic', 'user_topic']);
  });

  it('brings all events to a client that comes back, however large they are (protocol/queues#polling)', async () => {
    const { max, server, realm } = world;
    const { queue_id, last_event_id } = await max.post('/register', { event_types: ['muted_topics'] });
    const topics = Array.from({ length: 30 }, (_none, n) => `${n} ${'x'.repeat(1_000_000)}`);
    const audience = { users: [asId<UserId>(max.userId)] };
    for (const topic of topics)
      await server.context.store
        .of(realm.id)
        .write(async (tx) => tx.emit(mutedTopicsChanged({ muted_topics: [['birds', topic, 1]] }, { audience })));
    const got: string[] = [];
    for (let at = last_event_id; got.length < topics.length; ) {
      const { events } = await max.get('/events', { queue_id, last_event_id: at, dont_block: true });
      for (const event of events) got.push(event.muted_topics[0][1]);
      at = events.at(-1).id;
    }
    const beginnings = (all: readonly string[]) => all.map((topic) => `${topic.length} ${topic.slice(0, 5)}`);
    expect(beginnings(got)).toEqual(beginnings(topics));
  });
});
