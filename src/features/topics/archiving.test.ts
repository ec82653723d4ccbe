import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Body } from '../../../test/support/client.ts';
import { databases } from '../../../test/support/databases.ts';
import { asId, type ChannelId, type UserId } from '#kernel/ids';
import { inChunks } from '#kernel/store';
import { expectSync } from '../../../test/support/sync.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

const fields = ['user_topics', 'muted_topics', 'unread_msgs'];

describe.each(databases)('policies of topics in channels that are archived, on %s', (database) => {
  let world: World;
  let birds: number;
  beforeAll(async () => {
    world = await openWorld(database);
    const { max, mia, mona } = world;
    const principals = [max.userId, mia.userId, mona.userId];
    await max.post('/users/me/subscriptions', { subscriptions: [{ name: 'birds' }], principals });
    birds = (await max.get('/get_stream_id', { stream: 'birds' })).stream_id;
    for (const topic of ['owl', 'tit'])
      await max.post('/messages', { type: 'channel', to: 'birds', topic, content: 'hoo' });
    for (const one of [mia, mona])
      await one.post('/user_topics', { stream_id: birds, topic: 'owl', visibility_policy: 1 });
    await mia.post('/user_topics', { stream_id: birds, topic: 'tit', visibility_policy: 3 });
  });
  afterAll(() => world.close());

  const policiesIn = (events: readonly Body[] = []) =>
    Object.fromEntries(
      events
        .filter(({ type }) => type === 'user_topic')
        .map(({ topic_name, visibility_policy }) => [topic_name, visibility_policy]),
    );
  const archive = () => world.olive.delete(`/streams/${birds}`);
  const bringBack = () => world.olive.patch(`/streams/${birds}`, { is_archived: false });

  it('go and come back with the channel, for their holders alone (protocol/topics#visibility-policies)', async () => {
    const { mia, mona, adam } = world;
    const gone = await expectSync([mia, mona, adam], archive, { fields });
    expect(gone.map(policiesIn)).toEqual([{ owl: 0, tit: 0 }, { owl: 0 }, {}]);
    expect((await mia.register()).state).toMatchObject({ user_topics: [], muted_topics: [] });
    const back = await expectSync([mia, mona, adam], bringBack, { fields });
    expect(back.map(policiesIn)).toEqual([{ owl: 1, tit: 3 }, { owl: 1 }, {}]);
    expect((await mia.register()).state['muted_topics']).toMatchObject([['birds', 'owl', expect.any(Number)]]);
  });

  it('change without events meanwhile (protocol/topics#visibility-policies)', async () => {
    const { mia } = world;
    await archive();
    const set = (topic: string, visibility_policy: number) =>
      mia.post('/user_topics', { stream_id: birds, topic, visibility_policy });
    for (const act of [() => set('tit', 0), () => set('wren', 1)]) {
      const [events] = await expectSync([mia], act, { fields });
      expect(events).toEqual([]);
    }
    const [events] = await expectSync([mia], bringBack, { fields });
    expect(policiesIn(events)).toEqual({ owl: 1, wren: 1 });
  });

  it('end the queues of holders whose policies are too many to be announced (protocol/topics#visibility-policies)', async () => {
    const { mia, mona, adam, server, realm } = world;
    const many = Array.from({ length: 2000 }, (_none, n) => ({
      realm_id: realm.id,
      user_id: asId<UserId>(mona.userId),
      channel_id: asId<ChannelId>(birds),
      topic: `t${n}`,
      topic_key: `t${n}`,
      visibility_policy: 3 as const,
      last_updated: 4_000_000_000 + n,
    }));
    await server.context.store.of(realm.id).write(async ({ db }) => {
      for (const some of inChunks(many, 500)) await db.insertInto('user_topic').values(some).execute();
      await db
        .deleteFrom('user_topic')
        .where('user_id', '=', asId<UserId>(mona.userId))
        .where('topic_key', '=', 'owl')
        .execute();
    });
    for (const act of [archive, bringBack]) {
      const queues = [await mia.post('/register', {}), await mona.post('/register', {})];
      await expectSync([adam], act, { fields });
      for (const [index, who] of [mia, mona].entries()) {
        const { queue_id, last_event_id } = queues[index] ?? {};
        const poll = { queue_id, last_event_id, dont_block: true };
        expect(await who.refused('GET', '/events', poll)).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' });
        // Who registers again has the state as it is.
        await expectSync([who], () => Promise.resolve(), { fields });
      }
    }
  });
});
