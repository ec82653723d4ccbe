import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../../test/support/client.ts';
import { databases } from '../../../test/support/databases.ts';
import { expectSync } from '../../../test/support/sync.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

/** Fields of the register response that events about messages, flags and policies update. */
const fields = ['unread_msgs', 'starred_messages', 'user_topics'];

describe.each(databases)('the state of messages on %s', (database) => {
  let world: World;
  let birds: number;
  beforeAll(async () => {
    world = await openWorld(database);
    const { max, mia, mona } = world;
    const principals = [max.userId, mia.userId, mona.userId];
    for (const name of ['birds', 'fish'])
      await max.post('/users/me/subscriptions', { subscriptions: [{ name }], principals });
    const hidden = { invite_only: true, principals: [max.userId, mona.userId] };
    await max.post('/users/me/subscriptions', { subscriptions: [{ name: 'nest' }], ...hidden });
    birds = await idOf('birds');
  });
  afterAll(() => world.close());

  const idOf = async (stream: string) => (await world.max.get('/get_stream_id', { stream }))['stream_id'] as number;
  const send = async (topic: string, content = 'hoo', to = 'birds') =>
    (await world.max.post('/messages', { type: 'channel', to, topic, content }))['id'] as number;
  const direct = async (people: readonly Client[]) =>
    (await world.max.post('/messages', { type: 'direct', to: people.map((one) => one.userId), content: 'psst' }))[
      'id'
    ] as number;
  const mark = (ids: readonly number[], op: 'add' | 'remove', flag: string) =>
    world.mia.post('/messages/flags', { messages: ids, op, flag });
  /** Expects the law of sync for the reader and the moderator, and that the reader received an event. */
  const holds = async (act: () => Promise<unknown>) => {
    const [events] = await expectSync([world.mia, world.mona], act, { fields });
    expect(events?.length).toBeGreaterThan(0);
  };

  it('follows sending to channels and people (law of sync)', async () => {
    const { mia, mona, max } = world;
    await holds(() => send('owl'));
    await holds(() => send('owl', `@**Mia Member|${mia.userId}** and @**all**`));
    await holds(() => direct([mia]));
    await holds(() => direct([mia, mona]));
    await holds(() => mia.post('/messages', { type: 'direct', to: [mia.userId], content: 'to me' }));
    await holds(() => mia.post('/messages', { type: 'channel', to: 'birds', topic: 'mine', content: 'hoo' }));
    await expectSync([max], () => send('owl'), { fields });
  });

  it('follows every way of marking', async () => {
    const { mia, mona } = world;
    const ids = [await send('tit'), await send('tit', '@**all**'), await direct([mia]), await direct([mia, mona])];
    for (const flag of ['starred', 'collapsed', 'read'] as const) {
      await holds(() => mark(ids, 'add', flag));
      await holds(() => mark(ids, 'add', flag));
      await holds(() => mark(ids, 'remove', flag));
    }
    const narrow = [['topic', 'tit']];
    const range = { anchor: 'oldest', num_before: 0, num_after: 10, narrow };
    for (const op of ['add', 'remove'])
      await holds(() => mia.post('/messages/flags/narrow', { ...range, op, flag: 'read' }));
    await holds(() => mia.post('/mark_topic_as_read', { stream_id: birds, topic_name: 'tit' }));
    await holds(() => mia.post('/mark_stream_as_read', { stream_id: birds }));
    await holds(() => mia.post('/mark_all_as_read'));
  });

  it('follows edits, moves and deletions', async () => {
    const { max, mia } = world;
    const ids = [await send('auk'), await send('auk'), await send('auk')] as const;
    await mark([ids[2]], 'add', 'starred');
    await holds(() => max.patch(`/messages/${ids[0]}`, { content: `@**Mia Member|${mia.userId}**` }));
    await holds(() => max.patch(`/messages/${ids[0]}`, { content: 'nobody' }));
    await holds(() => max.patch(`/messages/${ids[1]}`, { topic: 'puffin' }));
    await holds(() => max.patch(`/messages/${ids[0]}`, { topic: '✔ auk', propagate_mode: 'change_all' }));
    const stream_id = await idOf('fish');
    await holds(() => max.patch(`/messages/${ids[2]}`, { stream_id, propagate_mode: 'change_all' }));
    await holds(() => max.delete(`/messages/${ids[0]}`));
    const nest = await idOf('nest');
    await holds(() => max.patch(`/messages/${ids[2]}`, { stream_id: nest, propagate_mode: 'change_all' }));
  });

  it('follows muting and following, and leaving a channel', async () => {
    const { mia } = world;
    await send('rail');
    await send('', 'unnamed');
    for (const topic of ['rail', ''])
      for (const visibility_policy of [1, 2, 3, 0])
        await holds(() => mia.post('/user_topics', { stream_id: birds, topic, visibility_policy }));
    for (const value of [true, false]) {
      const subscription_data = [{ stream_id: birds, property: 'is_muted', value }];
      await holds(() => mia.post('/users/me/subscriptions/properties', { subscription_data }));
    }
    await holds(() => mia.delete('/users/me/subscriptions', { subscriptions: ['birds'] }));
    await holds(() => mia.post('/users/me/subscriptions', { subscriptions: [{ name: 'birds' }] }));
  });
});
