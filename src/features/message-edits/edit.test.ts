import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Body } from '../../../test/support/client.ts';
import { databases } from '../../../test/support/databases.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

const MODERN = {
  client_capabilities: { notification_settings_null: true, bulk_message_deletion: true, empty_topic_name: true },
  event_types: ['message', 'update_message', 'delete_message'],
};

describe.each(databases)('changing messages on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database);
    const { max, mia, gus, adam } = world;
    const principals = [max.userId, mia.userId, gus.userId];
    const subscribe = (name: string, more: object) =>
      adam.post('/users/me/subscriptions', { subscriptions: [{ name }], ...more });
    await subscribe('birds', { principals });
    await subscribe('fish', { principals: [max.userId, adam.userId] });
    await subscribe('nest', { principals: [max.userId, mia.userId], invite_only: true });
    await max.post('/users/me/subscriptions', { subscriptions: [{ name: 'own' }], invite_only: true });
  });
  afterAll(() => world.close());

  let topics = 0;
  const newTopic = () => `topic ${++topics}`;
  const send = async (topic: string, content = 'hoo', to = 'birds') =>
    (await world.max.post('/messages', { type: 'channel', to, topic, content }))['id'] as number;
  const channelId = async (name: string) => {
    const { subscriptions } = await world.max.register().then((queue) => queue.state as Body);
    return subscriptions.find((one: { name: string }) => one.name === name).stream_id as number;
  };
  const history = async (id: number) =>
    (await world.max.get(`/messages/${id}/history`))['message_history'] as readonly Body[];
  const refusal = async (who: World['max'], id: number, parameters: Body) =>
    (await who.refused('PATCH', `/messages/${id}`, parameters)).msg;

  it('changes content, tells those who have it, and keeps what was (protocol/editing#checks, protocol/editing#history)', async () => {
    const { max, mia, mona } = world;
    const topic = newTopic();
    const id = await send(topic, 'Hello!');
    const queues = [await mia.register(MODERN), await mona.register(MODERN)] as const;
    world.clock.advance(5000);
    await max.patch(`/messages/${id}`, { content: 'Howdy!', topic, propagate_mode: 'change_one' });
    const [event, ...more] = await queues[0].events();
    expect(event).toEqual({
      id: event?.['id'],
      type: 'update_message',
      user_id: max.userId,
      rendering_only: false,
      message_id: id,
      message_ids: [id],
      flags: [],
      edit_timestamp: world.clock.now(),
      stream_id: await channelId('birds'),
      stream_name: 'birds',
      orig_content: 'Hello!',
      orig_rendered_content: '<p>Hello!</p>',
      content: 'Howdy!',
      rendered_content: '<p>Howdy!</p>',
      is_me_message: false,
    });
    expect(more).toEqual([]);
    expect(await queues[1].events()).toEqual([]);
    const before = { topic, content: 'Hello!', rendered_content: '<p>Hello!</p>', user_id: max.userId };
    const [first, second, ...others] = await history(id);
    expect(first).toEqual({ ...before, timestamp: world.clock.now() - 5 });
    expect(second).toEqual({
      topic,
      content: 'Howdy!',
      rendered_content: '<p>Howdy!</p>',
      user_id: max.userId,
      timestamp: world.clock.now(),
      prev_content: 'Hello!',
      prev_rendered_content: '<p>Hello!</p>',
      content_html_diff: expect.stringContaining('<span class="highlight_text_inserted">Howdy!</span>'),
    });
    expect(others).toEqual([]);
  });

  it('keeps one entry of one change of content and topic, with both (protocol/editing#content-edits)', async () => {
    const { max } = world;
    const [before, after] = [newTopic(), newTopic()];
    const [id, later] = [await send(before, 'egg'), await send(before, 'nestling')];
    await max.patch(`/messages/${id}`, { content: 'fledgling', topic: after, propagate_mode: 'change_all' });
    const { message } = await max.get(`/messages/${id}`);
    const entry = { user_id: max.userId, timestamp: world.clock.now(), prev_topic: before, topic: after };
    expect(message.edit_history).toEqual([{ ...entry, prev_content: 'egg', prev_rendered_content: '<p>egg</p>' }]);
    expect(message).toMatchObject({ last_edit_timestamp: world.clock.now(), last_moved_timestamp: world.clock.now() });
    expect(await history(id)).toMatchObject([
      { topic: before, content: 'egg' },
      { topic: after, content: 'fledgling', prev_topic: before, prev_content: 'egg' },
    ]);
    expect((await max.get(`/messages/${later}`))['message'].edit_history).toEqual([entry]);
    const narrow = [{ operator: 'search', operand: 'fledgling' }];
    const { messages } = await max.get('/messages', { anchor: 'newest', num_before: 5, num_after: 0, narrow });
    expect(messages).toMatchObject([{ id, subject: after }]);
  });

  it('refuses in the order of the protocol (protocol/editing#checks, checks 1 to 14)', async () => {
    const { max, mia, adam } = world;
    const topic = newTopic();
    const id = await send(topic);
    const direct = (await max.post('/messages', { type: 'direct', to: [mia.userId], content: 'psst' }))['id'];
    expect(await refusal(max, 999_999, {})).toBe('Invalid message(s)');
    for (const other of [mia, adam])
      expect(await refusal(other, id, { content: 'x' })).toBe("You don't have permission to edit this message");
    expect(await refusal(max, id, {})).toBe('Nothing to change');
    expect(await refusal(max, id, { topic: ` ${topic} ` })).toBe('Nothing to change');
    expect(await refusal(max, direct, { stream_id: 1 })).toBe('Direct messages cannot be moved to channels.');
    expect(await refusal(max, direct, { topic: 'x' })).toBe('Direct messages cannot have topics.');
    expect(await refusal(max, id, { content: 'x', propagate_mode: 'change_all' })).toBe(
      'Invalid propagate_mode without topic edit',
    );
    expect(await refusal(max, id, { topic: '✔ ' })).toBe('General chat cannot be marked as resolved');
    expect(await refusal(max, id, { topic: 'a\u0007' })).toBe('Invalid character in topic, at position 2!');
    expect(await refusal(max, id, { content: 'x', stream_id: await channelId('fish') })).toBe(
      'Cannot change message content while changing channel',
    );
    expect(await max.refused('PATCH', `/messages/${id}`, { content: 'x', prev_content_sha256: 'ab' })).toMatchObject({
      code: 'EXPECTATION_MISMATCH',
      field_name: 'prev_content_sha256',
    });
    const prev_content_sha256 = createHash('sha256').update('hoo').digest('hex');
    await max.patch(`/messages/${id}`, { content: ' ', prev_content_sha256 });
    expect((await history(id)).at(-1)).toMatchObject({ content: '(deleted)' });
    world.clock.advance(619_000);
    await max.patch(`/messages/${id}`, { content: 'in the time of grace' });
    world.clock.advance(2000);
    expect(await refusal(max, id, { content: 'x' })).toBe('The time limit for editing this message has passed');
  });

  it('does not change a poll', async () => {
    const id = await send(newTopic(), '/poll q');
    expect(await refusal(world.max, id, { content: 'x' })).toBe('Widgets cannot be edited.');
  });

  it('renames a topic with a notice in it, and one in the old topic where it is wished for', async () => {
    const { max, mia } = world;
    const [before, after] = [newTopic(), newTopic()];
    const ids = [await send(before, 'a'), await send(before, 'b')];
    const queue = await mia.register(MODERN);
    await mia.patch(`/messages/${ids[0]}`, {
      topic: after,
      propagate_mode: 'change_all',
      send_notification_to_old_thread: true,
    });
    const by = `@_**Mia Member|${mia.userId}**`;
    expect(await queue.events()).toMatchObject([
      {
        type: 'update_message',
        user_id: mia.userId,
        message_id: ids[0],
        message_ids: ids,
        propagate_mode: 'change_all',
        orig_subject: before,
        subject: after,
        topic_links: [],
      },
      { message: { subject: after, content: `This topic was moved here from #**birds>${before}** by ${by}.` } },
      { message: { subject: before, content: `This topic was moved to #**birds>${after}** by ${by}.` } },
    ]);
    expect((await history(ids[1] ?? 0)).at(-1)).toMatchObject({
      topic: after,
      prev_topic: before,
      user_id: mia.userId,
    });
    expect(max.userId).not.toBe(mia.userId);
  });

  it('moves later messages only where that is asked for', async () => {
    const [before, after] = [newTopic(), newTopic()];
    const ids = [await send(before, 'a'), await send(before, 'b'), await send(before, 'c')] as const;
    const queue = await world.mia.register(MODERN);
    await world.max.patch(`/messages/${ids[1]}`, { topic: after, propagate_mode: 'change_later' });
    const [moved, notice] = await queue.events();
    expect(moved).toMatchObject({ message_ids: [ids[1], ids[2]] });
    expect(notice).toMatchObject({ message: { content: expect.stringMatching(/^2 messages were moved here from /) } });
  });

  it('tells of resolving once, and takes the notice back when it is undone at once', async () => {
    const { max, mia } = world;
    const topic = newTopic();
    const id = await send(topic);
    const queue = await mia.register(MODERN);
    await max.patch(`/messages/${id}`, { topic: `✔ ${topic}`, propagate_mode: 'change_all' });
    const [, notice] = await queue.events();
    expect(notice).toMatchObject({
      message: { content: `@_**Max Member|${max.userId}** has marked this topic as resolved.`, subject: `✔ ${topic}` },
    });
    await max.patch(`/messages/${id}`, { topic, propagate_mode: 'change_all' });
    expect(await queue.events()).toMatchObject([
      { type: 'update_message', subject: topic },
      { type: 'delete_message', message_ids: [notice?.['message'].id] },
    ]);
  });

  it('takes a moved message from those who cannot follow it (security#holes, row 5)', async () => {
    const { max, mia, gus } = world;
    const topic = newTopic();
    const id = await send(topic, 'eggs');
    const queues = [await mia.register(MODERN), await gus.register(MODERN)] as const;
    await max.patch(`/messages/${id}`, { stream_id: await channelId('nest'), send_notification_to_new_thread: false });
    const [kept, ...more] = await queues[0].events();
    expect(kept).toMatchObject({ type: 'update_message', new_stream_id: await channelId('nest'), orig_subject: topic });
    expect(more).toEqual([]);
    expect(await queues[1].events()).toMatchObject([{ type: 'delete_message', message_ids: [id], topic }]);
    for (const path of [`/messages/${id}/history`, `/messages/${id}`])
      expect((await gus.refused('GET', path)).msg).toBe('Invalid message(s)');
    expect((await mia.get(`/messages/${id}`))['message'].stream_id).toBe(await channelId('nest'));
  });

  it('gives a moved message, unread as it was, to those who held it', async () => {
    const { max, mia } = world;
    const id = await send(newTopic(), 'carp');
    const read = await send(newTopic(), 'cod');
    await mia.post('/messages/flags', { messages: [read], op: 'add', flag: 'read' });
    const stream_id = await channelId('fish');
    for (const one of [id, read])
      await max.patch(`/messages/${one}`, { stream_id, send_notification_to_new_thread: false });
    expect((await mia.get(`/messages/${id}`))['message'].flags).toEqual([]);
    expect((await mia.get(`/messages/${read}`))['message'].flags).toEqual(['read']);
    // Adam was subscribed to the new channel only, so the message counts as read for him.
    expect((await world.adam.get(`/messages/${id}`))['message'].flags).toContain('read');
  });

  it('tells those who have a message by a move what becomes of it where history is protected', async () => {
    const { adam, max, mia, mona } = world;
    const birds = { subscriptions: [{ name: 'birds' }], principals: [mia.userId] };
    await max.post('/users/me/subscriptions', birds);
    const ids = [await send(newTopic(), 'birds'), await send(newTopic(), 'birds')];
    const lair = { subscriptions: [{ name: 'lair' }], invite_only: true, history_public_to_subscribers: false };
    const principals = [adam.userId, max.userId, mia.userId, mona.userId];
    await adam.post('/users/me/subscriptions', { ...lair, principals });
    const stream_id = await channelId('lair');
    for (const id of ids) await max.patch(`/messages/${id}`, { stream_id, send_notification_to_new_thread: false });
    await adam.delete('/users/me/subscriptions', { subscriptions: ['lair'], principals: [mona.userId] });
    const queues = [await mia.register(MODERN), await max.register(MODERN), await mona.register(MODERN)] as const;
    await max.patch(`/messages/${ids[0]}`, { content: 'anew' });
    await adam.delete(`/messages/${ids[0]}`);
    const back = { stream_id: await channelId('birds'), send_notification_to_new_thread: false };
    await max.patch(`/messages/${ids[1]}`, back);
    const told = await Promise.all(queues.map(async (queue) => (await queue.events()).map(({ type }) => type)));
    const all = ['update_message', 'delete_message', 'update_message'];
    expect(told.map((types) => types.filter((type) => all.includes(type)))).toEqual([all, all, []]);
  });

  it('gives a moved message to nobody who came to its old channel after it', async () => {
    const { max } = world;
    const id = await send(newTopic(), 'heron');
    const late = await world.user();
    await late.post('/users/me/subscriptions', { subscriptions: [{ name: 'birds' }] });
    await max.patch(`/messages/${id}`, { stream_id: await channelId('fish'), send_notification_to_new_thread: false });
    expect((await late.get(`/messages/${id}`))['message'].flags).toEqual(['read', 'historical']);
    const unread = { anchor: 'newest', num_before: 10, num_after: 0, narrow: [['is', 'unread']] };
    expect((await late.get('/messages', unread))['messages']).toEqual([]);
  });

  it('moves into no channel that the actor cannot read or post to (security#holes, row 6)', async () => {
    const { adam, max, mia } = world;
    const id = await send(newTopic());
    for (const stream_id of [await channelId('own'), 999_999])
      for (const who of [adam, mia]) expect(await refusal(who, id, { stream_id })).toBe('Invalid channel ID');
    expect((await max.get(`/messages/${id}`))['message'].stream_id).toBe(await channelId('birds'));
  });

  it('moves old messages for moderators only (protocol/editing#checks, checks 18, 22 and 23)', async () => {
    const { max, mona } = world;
    const topic = newTopic();
    const old = await send(topic, 'old');
    world.clock.advance(604_820_000 + 1000);
    const young = await send(topic, 'young');
    expect(await refusal(max, old, { topic: newTopic() })).toBe(
      "The time limit for editing this message's topic has passed.",
    );
    expect(await refusal(max, old, { stream_id: await channelId('fish') })).toBe(
      "The time limit for editing this message's channel has passed",
    );
    expect(
      await max.refused('PATCH', `/messages/${young}`, { topic: newTopic(), propagate_mode: 'change_all' }),
    ).toMatchObject({
      code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
      first_message_id_allowed_to_move: young,
      total_messages_in_topic: 2,
      total_messages_allowed_to_move: 1,
    });
    await mona.patch(`/messages/${old}`, { topic: newTopic(), propagate_mode: 'change_all' });
  });

  it('moves a message for many at once, and tells those to try again whom others always forestalled', async () => {
    const id = await send(newTopic());
    const move = () => world.adam.request('PATCH', `/messages/${id}`, { topic: newTopic() });
    const answers = (await Promise.all(Array.from({ length: 40 }, move))).map(({ body }) => body['msg']);
    expect(answers).toContain('');
    expect(['', 'Others are moving this message at the moment. Try again.']).toEqual(
      expect.arrayContaining([...new Set(answers)]),
    );
  });

  it('leaves a message deleted when it is edited at the same time', async () => {
    const { max } = world;
    const id = await send(newTopic());
    await Promise.all([
      max.request('PATCH', `/messages/${id}`, { content: 'late' }),
      max.request('DELETE', `/messages/${id}`),
    ]);
    expect((await max.refused('GET', `/messages/${id}`)).msg).toBe('Invalid message(s)');
  });
});
