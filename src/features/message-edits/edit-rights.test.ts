import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Body, Client } from '../../../test/support/client.ts';
import { databases } from '../../../test/support/databases.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

/** Events that say something of a message. */
const CONTENT = new Set(['message', 'update_message', 'reaction', 'delete_message']);

describe.each(databases)('the rights to move messages on %s', (database) => {
  let world: World;
  let groups: Readonly<Record<string, number>>;
  const channels: Record<string, number> = {};
  beforeAll(async () => {
    world = await openWorld(database);
    const { adam, max, mia, olive } = world;
    const principals = [max.userId, mia.userId, olive.userId];
    for (const name of ['birds', 'fish', 'strict']) {
      await adam.post('/users/me/subscriptions', { subscriptions: [{ name }], principals });
      channels[name] = (await adam.get('/get_stream_id', { stream: name }))['stream_id'];
    }
    const { state } = await adam.register({ fetch_event_types: ['realm_user_groups'] });
    const all: { name: string; id: number }[] = state['realm_user_groups'];
    groups = Object.fromEntries(all.map(({ name, id }) => [name, id]));
  });
  afterAll(() => world.close());

  let topics = 0;
  const newTopic = () => `topic ${++topics}`;
  const send = async (topic: string, to = 'birds', who: Client = world.max) =>
    (await who.post('/messages', { type: 'channel', to, topic, content: 'hoo' }))['id'] as number;
  const refusal = async (who: Client, id: number, parameters: Body) =>
    (await who.refused('PATCH', `/messages/${id}`, parameters)).msg;
  const group = (name: string) => ({ new: groups[`role:${name}`] });
  /** Gives a permission of the organization, or of a channel, to a group while `act` runs. */
  const lending = async (path: string, name: string, to: string, act: () => Promise<void>) => {
    const { olive } = world;
    const before = path === '/realm' ? (await olive.register()).state[`realm_${name}`] : undefined;
    await olive.patch(path, { [name]: group(to) });
    await act();
    if (before !== undefined) await olive.patch(path, { [name]: { new: before } });
  };
  const topicOf = async (id: number) => (await world.max.get(`/messages/${id}`))['message'].subject;

  it('keep topics to what their channel allows, before anything else is asked (check 15)', async () => {
    const { olive, max } = world;
    await olive.patch(`/streams/${channels['strict']}`, { topics_policy: 'empty_topic_only' });
    await olive.patch(`/streams/${channels['fish']}`, { topics_policy: 'disable_empty_topic' });
    const id = await send(newTopic());
    await lending('/realm', 'can_move_messages_between_channels_group', 'nobody', async () => {
      expect(await refusal(max, id, { stream_id: channels['strict'] })).toBe(
        'Only the general chat topic is allowed in this channel.',
      );
      expect(await refusal(max, id, { stream_id: channels['fish'], topic: '' })).toBe(
        'Sending messages to the general chat is not allowed in this channel.',
      );
      expect(await refusal(max, id, { stream_id: channels['fish'] })).toBe(
        "You don't have permission to move this message",
      );
    });
    const there = await send(newTopic(), 'fish');
    expect(await refusal(max, there, { topic: 'general chat' })).toBe(
      'Sending messages to the general chat is not allowed in this channel.',
    );
  });

  it('let members of the groups of organization or channel resolve (check 16)', async () => {
    const { max, olive } = world;
    const topic = newTopic();
    const id = await send(topic);
    const resolved = { topic: `✔ ${topic}`, propagate_mode: 'change_all' };
    await lending('/realm', 'can_resolve_topics_group', 'administrators', async () => {
      expect(await refusal(max, id, resolved)).toBe("You don't have permission to resolve topics in this channel.");
      // Other renames do not need the permission to resolve.
      await max.patch(`/messages/${id}`, { topic: `${topic}!`, propagate_mode: 'change_all' });
      await max.patch(`/messages/${id}`, { topic, propagate_mode: 'change_all' });
      await olive.patch(`/streams/${channels['birds']}`, { can_resolve_topics_group: group('members') });
      await max.patch(`/messages/${id}`, resolved);
      expect(await topicOf(id)).toBe(`✔ ${topic}`);
    });
  });

  it('let members of the groups of organization or channel rename, and its administrators (check 17)', async () => {
    const { max, mia, olive } = world;
    const id = await send(newTopic(), 'fish');
    await lending('/realm', 'can_move_messages_between_topics_group', 'nobody', async () => {
      for (const who of [max, mia])
        expect(await refusal(who, id, { topic: newTopic() })).toBe("You don't have permission to edit this message");
      await world.adam.patch(`/messages/${id}`, { topic: newTopic() });
      const path = `/streams/${channels['fish']}`;
      await olive.patch(path, { can_move_messages_within_channel_group: group('members') });
      await mia.patch(`/messages/${id}`, { topic: newTopic() });
      await olive.patch(path, { can_move_messages_within_channel_group: group('nobody') });
      await olive.patch(path, {
        can_administer_channel_group: { new: { direct_members: [mia.userId], direct_subgroups: [] } },
      });
      await mia.patch(`/messages/${id}`, { topic: newTopic() });
      expect(await refusal(max, id, { topic: newTopic() })).toBe("You don't have permission to edit this message");
    });
  });

  it('let members of the groups of organization or channel move messages out of a channel (check 20)', async () => {
    const { max, olive } = world;
    const id = await send(newTopic());
    const stream_id = channels['fish'];
    await lending('/realm', 'can_move_messages_between_channels_group', 'nobody', async () => {
      expect(await refusal(max, id, { stream_id })).toBe("You don't have permission to move this message");
      const path = `/streams/${channels['birds']}`;
      await olive.patch(path, { can_move_messages_out_of_channel_group: group('members') });
      await max.patch(`/messages/${id}`, { stream_id });
      expect((await max.get(`/messages/${id}`))['message'].stream_id).toBe(stream_id);
    });
  });

  it('let begin topics only who may, but resolve all the same (check 24)', async () => {
    const { max, olive } = world;
    const [topic, known] = [newTopic(), newTopic()];
    const [id, other] = [await send(topic), await send(known)];
    await olive.patch(`/streams/${channels['birds']}`, { can_create_topic_group: group('administrators') });
    expect(await refusal(max, id, { topic: newTopic() })).toBe(
      'You do not have permission to create new topics in this channel.',
    );
    await max.patch(`/messages/${id}`, { topic: `✔ ${topic}`, propagate_mode: 'change_all' });
    await max.patch(`/messages/${other}`, { topic: `✔ ${topic}` });
    expect(await topicOf(other)).toBe(`✔ ${topic}`);
    await olive.patch(`/streams/${channels['birds']}`, { can_create_topic_group: group('everyone') });
  });

  it('do not outlive a subscription to a private channel (security#holes, rows 2, 3, 36, 38)', async () => {
    const { adam, max, mia, mona } = world;
    const principals = [adam.userId, max.userId, mia.userId];
    const hidden = { invite_only: true, history_public_to_subscribers: false };
    await adam.post('/users/me/subscriptions', { subscriptions: [{ name: 'den' }], principals, ...hidden });
    const topic = newTopic();
    const early = await send(topic, 'den');
    await adam.post('/users/me/subscriptions', { subscriptions: [{ name: 'den' }], principals: [mona.userId] });
    const event_types = ['message', 'update_message', 'delete_message', 'reaction', 'update_message_flags'];
    const queues = [await mia.register({ event_types }), await mona.register({ event_types })] as const;
    // The message is older than Mona's subscription, so she receives no event about it.
    await max.post(`/messages/${early}/reactions`, { emoji_name: 'owl' });
    await max.patch(`/messages/${early}`, { content: 'changed' });
    await max.patch(`/messages/${early}`, { topic: `${topic}!`, send_notification_to_new_thread: false });
    expect((await queues[0].events()).map((event) => event['type'])).toEqual([
      'reaction',
      'update_message',
      'update_message',
    ]);
    expect(await queues[1].events()).toEqual([]);
    for (const path of ['', '/history'])
      expect((await mona.refused('GET', `/messages/${early}${path}`)).code).toBe('BAD_REQUEST');
    const gone = await send(topic, 'den');
    const late = await send(topic, 'den', mona);
    expect(await queues[1].events()).toHaveLength(2);
    await adam.delete('/users/me/subscriptions', { subscriptions: ['den'], principals: [mona.userId] });
    await queues[1].events();
    await max.patch(`/messages/${gone}`, { content: 'after' });
    await send(topic, 'den');
    expect(await queues[1].events()).toEqual([]);
    expect((await queues[0].events()).length).toBeGreaterThan(0);
    expect(await refusal(mona, late, { content: 'mine' })).toBe('Invalid message(s)');
    expect((await mona.refused('DELETE', `/messages/${late}`)).msg).toBe('Invalid message(s)');
    const marked = { messages: [late], op: 'add' };
    expect((await mona.refused('POST', '/messages/flags', { ...marked, flag: 'starred' })).msg).toBe(
      'Invalid message(s)',
    );
    await mona.post('/messages/flags', { ...marked, flag: 'read' });
    expect((await mona.refused('GET', `/messages/${late}`)).msg).toBe('Invalid message(s)');
    const { messages } = await mona.get('/messages', { anchor: 'newest', num_before: 10, narrow: [['search', 'hoo']] });
    expect(messages.map((message: { id: number }) => message.id)).not.toContain(late);
    const { flags } = (await mia.get(`/messages/${late}`))['message'];
    expect(flags).toEqual([]);
  });

  it('do not bring to guests what is said anew where they are no longer (security#holes, rows 2, 3, 36)', async () => {
    const { adam, gus, max, mia, olive } = world;
    const joining = { subscriptions: [{ name: 'birds' }], principals: [gus.userId] };
    const leaving = { subscriptions: ['birds'], principals: [gus.userId] };
    const former = await world.user();
    const [topic, queues] = [
      newTopic(),
      [await gus.register(), await former.register(), await mia.register()] as const,
    ];
    const told = async () => {
      const all = await Promise.all(queues.map((queue) => queue.events()));
      return all.map((events) => events.map(({ type }) => type).filter((type) => CONTENT.has(type)));
    };
    await adam.post('/users/me/subscriptions', joining);
    await adam.post('/users/me/subscriptions', { ...joining, principals: [former.userId] });
    const id = await send(topic);
    await gus.post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' });
    await adam.delete('/users/me/subscriptions', leaving);
    await olive.patch(`/users/${former.userId}`, { role: 600 });
    await adam.delete('/users/me/subscriptions', { ...leaving, principals: [former.userId] });
    await told();
    await max.patch(`/messages/${id}`, { content: 'secret' });
    await max.post(`/messages/${id}/reactions`, { emoji_name: 'tada' });
    expect(await told()).toEqual([[], [], ['update_message', 'reaction']]);
    await adam.post('/users/me/subscriptions', joining);
    await max.patch(`/messages/${id}`, { content: 'for guests' });
    expect(await told()).toEqual([['update_message'], [], ['update_message']]);
    await adam.delete('/users/me/subscriptions', leaving);
    await olive.patch('/realm', { enable_spectator_access: true });
    await olive.patch(`/streams/${channels['birds']}`, { is_web_public: true });
    await told();
    await max.patch(`/messages/${id}`, { content: 'for all' });
    expect(await told()).toEqual([['update_message'], ['update_message'], ['update_message']]);
    await olive.patch(`/streams/${channels['birds']}`, { is_web_public: false });
  });

  it('delete what moves into a protected channel for none of its people (protocol/editing#checks)', async () => {
    const { adam, max, mia, mona } = world;
    const hidden = { invite_only: true, history_public_to_subscribers: false };
    const principals = [adam.userId, max.userId, mona.userId];
    await adam.post('/users/me/subscriptions', { subscriptions: [{ name: 'lair' }], principals, ...hidden });
    const { stream_id } = await adam.get('/get_stream_id', { stream: 'lair' });
    const id = await send(newTopic());
    const queues = [await mia.register(), await mona.register()] as const;
    await max.patch(`/messages/${id}`, { stream_id, send_notification_to_new_thread: false });
    const types = async (index: 0 | 1) => (await queues[index].events()).map((event) => event['type']);
    expect(await types(0)).toContain('delete_message');
    expect(await types(1)).toContain('update_message');
    expect((await mona.get(`/messages/${id}`))['message'].flags).toContain('read');
    const late = await world.user();
    await adam.post('/users/me/subscriptions', { subscriptions: [{ name: 'lair' }], principals: [late.userId] });
    expect((await late.refused('GET', `/messages/${id}`)).msg).toBe('Invalid message(s)');
  });
});
