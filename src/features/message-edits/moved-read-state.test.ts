import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../../test/support/client.ts';
import { databases } from '../../../test/support/databases.ts';
import { expectSync } from '../../../test/support/sync.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

describe.each(databases)('what was read of moved messages on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database);
    const principals = [world.max.userId, world.mia.userId];
    for (const name of ['birds', 'fish'])
      await world.olive.post('/users/me/subscriptions', { subscriptions: [{ name }], principals });
  });
  afterAll(() => world.close());

  const say = async (topic: string): Promise<number> =>
    (await world.max.post('/messages', { type: 'channel', to: 'birds', topic, content: 'hoo', read_by_sender: true }))
      .id;
  const channelId = async (stream: string): Promise<number> =>
    (await world.max.get('/get_stream_id', { stream })).stream_id;
  const move = async (id: number, stream: string) =>
    world.olive.patch(`/messages/${id}`, { stream_id: await channelId(stream), topic: `of ${id}` });
  const mark = (one: Client, op: 'add' | 'remove', ids: readonly number[]) =>
    one.post('/messages/flags', { messages: ids, op, flag: 'read' });
  const flagsOf = async (id: number) => (await world.max.get(`/messages/${id}`)).message.flags;

  it('is kept where they leave an empty place behind, and come back (protocol/editing#moves)', async () => {
    const [first, second, third] = [await say('owl'), await say('owl'), await say('owl')];
    // Two intervals, before and after the second, of which nothing between them is left in the channel.
    await mark(world.max, 'remove', [second]);
    for (const id of [second, third]) await move(id, 'fish');
    const fourth = await say('owl');
    await mark(world.max, 'remove', [third]);
    await move(third, 'birds');
    expect(await flagsOf(third)).not.toContain('read');
    for (const id of [first, fourth]) expect(await flagsOf(id)).toContain('read');
    expect(await flagsOf(second)).not.toContain('read');
  });

  it('comes back where one is subscribed again, with an event (protocol/editing#moves)', async () => {
    const { mia, max } = world;
    await world.olive.post('/users/me/subscriptions', { subscriptions: [{ name: 'pond' }], principals: [max.userId] });
    const fields = ['unread_msgs'];
    const ids = [await say('heron'), await say('crane'), await say('swan')] as const;
    await max.patch(`/messages/${ids[1]}`, { content: `@**|${mia.userId}**` });
    await mark(mia, 'add', [ids[2]]);
    for (const id of ids) await expectSync([mia, max], () => move(id, 'pond'), { fields });
    for (const id of ids) {
      const [theirs] = await expectSync([mia, max], () => move(id, 'birds'), { fields });
      const stream_id = await channelId('birds');
      const place = { type: 'stream', ...(id === ids[1] && { mentioned: true }), stream_id, topic: `of ${id}` };
      const told = { op: 'remove', flag: 'read', messages: [id], message_details: { [id]: place } };
      const events = theirs?.filter(({ type }) => type === 'update_message_flags');
      expect(events).toEqual(id === ids[2] ? [] : [expect.objectContaining(told)]);
    }
  });

  it('comes back, too, where one subscribes to the channel that they are in (protocol/editing#moves)', async () => {
    const { mia, max } = world;
    const fields = ['unread_msgs'];
    await world.olive.post('/users/me/subscriptions', { subscriptions: [{ name: 'lake' }], principals: [max.userId] });
    const id = await say('duck');
    await move(id, 'lake');
    const join = () => mia.post('/users/me/subscriptions', { subscriptions: [{ name: 'lake' }] });
    const [events] = await expectSync([mia, max], join, { fields });
    expect(events).toContainEqual(expect.objectContaining({ op: 'remove', flag: 'read', messages: [id] }));
    await mia.delete('/users/me/subscriptions', { subscriptions: ['lake'] });
    expect((await mia.get(`/messages/${id}`)).message.flags).toContain('read');
    const again = await expectSync([mia, max], join, { fields });
    expect(again[0]?.filter(({ type }) => type === 'update_message_flags')).toEqual([]);
  });
});
