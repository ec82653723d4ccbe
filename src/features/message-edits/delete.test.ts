import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../../test/support/databases.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

describe.each(databases)('deleting messages on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database);
    const { max, mia, olive } = world;
    const subscriptions = [{ name: 'birds' }];
    await max.post('/users/me/subscriptions', {
      subscriptions,
      principals: [max.userId, mia.userId, olive.userId],
    });
    await max.post('/users/me/subscriptions', { subscriptions: [{ name: 'nest' }], invite_only: true });
  });
  afterAll(() => world.close());

  const send = async (content = 'hoo', to = 'birds') =>
    (await world.max.post('/messages', { type: 'channel', to, topic: 'owl', content }))['id'] as number;
  const modern = {
    client_capabilities: { notification_settings_null: true, bulk_message_deletion: true, empty_topic_name: true },
  };

  it('tells those who had the message, and nobody else (protocol/editing#deleting)', async () => {
    const { max, mia, gus } = world;
    await send('first');
    const id = await send();
    const queues = [await mia.register(modern), await mia.register(), await gus.register()] as const;
    await max.delete(`/messages/${id}`);
    const place = { type: 'delete_message', message_type: 'stream', topic: 'owl' };
    const [event, ...more] = await queues[0].events();
    expect(event).toMatchObject({ ...place, message_ids: [id], stream_id: expect.any(Number) });
    expect(more).toEqual([]);
    expect(await queues[1].events()).toMatchObject([{ ...place, message_id: id }]);
    expect(await queues[2].events()).toEqual([]);
    expect((await mia.refused('GET', `/messages/${id}/history`)).msg).toBe('Invalid message(s)');
    expect((await max.refused('DELETE', `/messages/${id}`)).msg).toBe('Invalid message(s)');
  });

  it("announces a channel's new first message before the deletion", async () => {
    const { olive, max } = world;
    await max.post('/users/me/subscriptions', { subscriptions: [{ name: 'firsts' }] });
    const ids = [await send('a', 'firsts'), await send('b', 'firsts')] as const;
    const queue = await max.register(modern);
    await olive.delete(`/messages/${ids[0]}`);
    expect(await queue.events()).toMatchObject([
      { type: 'stream', op: 'update', property: 'first_message_id', value: ids[1] },
      { type: 'delete_message', message_ids: [ids[0]] },
    ]);
    await olive.delete(`/messages/${ids[1]}`);
    expect(await queue.events()).toMatchObject([{ property: 'first_message_id', value: null }, {}]);
  });

  it('is for the sender, for a time, and for administrators (protocol/editing#deleting, checks 2 to 5)', async () => {
    const { max, mia, gus, adam } = world;
    const id = await send();
    for (const other of [mia, world.mona])
      expect((await other.refused('DELETE', `/messages/${id}`)).msg).toBe(
        "You don't have permission to delete this message",
      );
    expect((await gus.refused('DELETE', `/messages/${id}`)).msg).toBe('Invalid message(s)');
    world.clock.advance(601_000);
    expect((await max.refused('DELETE', `/messages/${id}`)).msg).toBe(
      'The time limit for deleting this message has passed',
    );
    await adam.delete(`/messages/${id}`);
    const hidden = await send('warm', 'nest');
    expect((await adam.refused('DELETE', `/messages/${hidden}`)).msg).toBe('Invalid message(s)');
  });

  it('tells both people of a direct message', async () => {
    const { max, mia } = world;
    const { id } = await max.post('/messages', { type: 'direct', to: [mia.userId], content: 'psst' });
    const queue = await mia.register(modern);
    await max.delete(`/messages/${id}`);
    const [event] = await queue.events();
    expect(event).toEqual({ id: event?.['id'], type: 'delete_message', message_type: 'private', message_ids: [id] });
  });

  it('succeeds for one of many who delete at once', async () => {
    const { max, adam } = world;
    const id = await send();
    const replies = await Promise.all([max, adam, max, adam].map((who) => who.request('DELETE', `/messages/${id}`)));
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1);
    const refusals = replies.flatMap((reply) => reply.body['msg'] || []);
    expect(refusals.every((msg) => /^(Message already deleted|Invalid message\(s\))$/.test(msg))).toBe(true);
  });
});
