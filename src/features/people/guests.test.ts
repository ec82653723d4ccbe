import { lockLog } from '#kernel/events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Body, Client, TestQueue } from '../../../test/support/client.ts';
import { databases } from '../../../test/support/databases.ts';
import { expectSync } from '../../../test/support/sync.ts';
import { openWorld, untilParked, type World } from '../../../test/support/world.ts';

const INCOMPLETE = { client_capabilities: { notification_settings_null: true, user_list_incomplete: true } };

/**
 * Guests who may not know everybody. See protocol/users#visibility, protocol/events#audiences (SEES),
 * protocol/events#forms.
 */
describe.each(databases)('people whom a guest may not know of on %s', (database) => {
  let world: World;
  let channel: number;
  beforeEach(async () => {
    world = await openWorld(database);
    const { olive, gus, max, realm } = world;
    await subscribe([olive, gus, max]);
    channel = (await olive.register()).state['subscriptions'][0]['stream_id'];
    await olive.patch('/realm', { can_access_all_users_group: { new: realm.groups['role:members'] } });
  });
  afterEach(() => world.close());

  const subscribe = (people: readonly Client[]) =>
    world.olive.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'harbour' }],
      principals: people.map((person) => person.userId),
    });
  const unsubscribe = (person: Client) =>
    world.olive.delete('/users/me/subscriptions', { subscriptions: ['harbour'], principals: [person.userId] });
  const unknown = ({ userId }: Client) => ({
    user_id: userId,
    full_name: 'Unknown user',
    email: `user${userId}@localhost`,
    delivery_email: null,
    date_joined: '1970-01-01T00:00+00:00',
    role: 400,
    avatar_url: '/user_avatars/unknown.png',
  });
  const person = (users: readonly Body[], { userId }: Client) => users.find((user) => user['user_id'] === userId);
  const say = (by: Client, to: readonly number[] | number) =>
    by.post('/messages', {
      type: typeof to === 'number' ? 'stream' : 'direct',
      to,
      content: 'hello',
      ...(typeof to === 'number' && { topic: 'tide' }),
    });
  /** Polls until the process has heard that the queue has ended. */
  const pollOn = async (queue: TestQueue) => {
    for (let polls = 0; polls < 5000; polls++) {
      await queue.events();
      // Polls that do not wait would leave the process no turn to hear of anything.
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const kinds = (events: readonly Body[] | undefined) =>
    (events ?? []).map(({ type, op }) => (op === undefined ? type : `${type}/${op}`));

  it('stand in lists as unknown, or are left out of them', async () => {
    const { gus, max, mia, adam } = world;
    await adam.delete(`/users/${mia.userId}`);
    const { realm_users: users, realm_non_active_users: gone } = (await gus.register()).state;
    expect(person(users, world.mona)).toMatchObject({ ...unknown(world.mona), profile_data: {} });
    expect(person(gone, mia)).toMatchObject(unknown(mia));
    expect(person(users, max)).toMatchObject({ full_name: 'Max Member', email: 'member@roost.test' });
    expect(person(users, gus)).toMatchObject({ full_name: 'Gus Guest', role: 600 });
    const { state } = await gus.register(INCOMPLETE);
    const known = [world.olive.userId, max.userId, gus.userId];
    expect(state['realm_users'].map((user: Body) => user['user_id'])).toEqual(known);
    expect(state['realm_non_active_users']).toEqual([]);
    const { members } = await gus.get('/users', { include_custom_profile_fields: true });
    expect(person(members, mia)).toMatchObject({ ...unknown(mia), is_active: true, profile_data: {} });
    expect(JSON.stringify(members)).not.toContain('member2@roost.test');
    const named = await gus.get('/users', { user_ids: [mia.userId, max.userId] });
    expect(named['members'].map((user: Body) => user['user_id'])).toEqual([max.userId]);
    expect(person((await max.get('/users'))['members'], world.mona)).toMatchObject({ full_name: 'Mona Moderator' });
  });

  it('do not exist in any answer', async () => {
    const { gus, max, mia } = world;
    await mia.post('/users/me/presence', { status: 'active', ping_only: true });
    await mia.post('/users/me/status', { status_text: 'away' });
    const paths = (who: string | number) => [`/users/${who}`, `/users/${who}/presence`];
    for (const path of [
      ...paths(mia.userId),
      ...paths(mia.email),
      ...paths(`user${mia.userId}@localhost`),
      `/users/${mia.userId}/status`,
      `/users/${mia.userId}/channels`,
      `/users/${mia.userId}/subscriptions/${channel}`,
    ])
      expect([path, (await gus.refused('GET', path)).msg]).toEqual([path, 'No such user']);
    for (const path of [...paths(mia.userId), `/users/${mia.userId}/status`]) await max.get(path);
    const avatar = await gus.fetch(`/avatar/${mia.userId}`);
    expect(avatar.headers['location']).toBe('/user_avatars/unknown.png');
    const byEmail = async (email: string) => (await gus.fetch(`/avatar/${email}`)).headers['location'];
    expect(await byEmail(mia.email)).toMatch(/gravatar/);
    expect((await gus.refused('DELETE', `/users/${mia.userId}`)).msg).toBe('No such user');
    expect((await gus.refused('PATCH', `/users/${mia.email}`)).msg).toBe('No such user');
    const { presences, user_status } = (await gus.register({ slim_presence: true })).state;
    expect([presences, user_status]).toEqual([{}, {}]);
    expect((await gus.get('/realm/presence'))['presences']).toEqual({});
    const ping = { status: 'active', last_update_id: -1 };
    expect(Object.keys((await gus.post('/users/me/presence', ping))['presences'])).toEqual([String(gus.userId)]);
    expect(Object.keys((await max.post('/users/me/presence', ping))['presences'])).toContain(String(mia.userId));
  });

  it('cannot be written to, and their addresses are not confirmed', async () => {
    const { gus, mia, adam } = world;
    const refusal = await gus.refused('POST', '/messages', { type: 'direct', to: [mia.userId], content: 'x' });
    await adam.delete(`/users/${mia.userId}`);
    const later = await gus.refused('POST', '/messages', { type: 'direct', to: [mia.userId], content: 'x' });
    expect(later).toEqual(refusal);
    expect(JSON.stringify(later)).not.toContain(mia.email);
    const narrow = (operand: string) => [{ operator: 'sender', operand }];
    const ask = (operand: string) =>
      gus.refused('GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0, narrow: narrow(operand) });
    const [known, none] = [await ask(mia.email), await ask('nobody@roost.test')];
    expect(known.msg.replace(mia.email, 'x')).toBe(none.msg.replace('nobody@roost.test', 'x'));
  });

  it('are unknown as senders, as those who react and who type', async () => {
    const { gus, max, mia } = world;
    const [guest, member] = [await gus.register(INCOMPLETE), await max.register()];
    const { id } = await say(mia, channel);
    await mia.post(`/messages/${id}/reactions`, { emoji_name: 'tada' });
    await mia.post('/typing', { op: 'start', type: 'stream', stream_id: channel, topic: 'tide' });
    await mia.post('/typing', { op: 'start', type: 'direct', to: [gus.userId] });
    const sender = { sender_id: mia.userId, sender_full_name: 'Unknown user' };
    const face = { sender_email: `user${mia.userId}@localhost`, avatar_url: '/user_avatars/unknown.png' };
    const events = await guest.events();
    expect(events.find((event) => event['type'] === 'message')).toMatchObject({ message: { ...sender, ...face } });
    expect(events.find((event) => event['type'] === 'reaction')).toMatchObject({
      user: { user_id: mia.userId, full_name: 'Unknown user', email: face.sender_email },
    });
    expect(JSON.stringify(events)).not.toMatch(/Mia|member2@/);
    expect(JSON.stringify(await member.events())).toContain('Mia Member');
    const { messages } = await gus.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 });
    const user = { id: mia.userId, full_name: 'Unknown user', email: face.sender_email };
    expect(messages[0]).toMatchObject({ ...sender, ...face, reactions: [{ emoji_name: 'tada', user }] });
    expect(JSON.stringify(messages[0])).not.toMatch(/Mia|member2@/);
    expect((await gus.get(`/messages/${id}`))['message']).toMatchObject({ ...sender, ...face });
    expect((await max.get(`/messages/${id}`))['message']['sender_full_name']).toBe('Mia Member');
  });

  it('are not named by notices of what they did to the guest', async () => {
    const { gus, max, olive, server } = world;
    // People who share a channel are known; an administrator who shares none is not.
    const { adam } = world;
    const inbox = async (reader: Client) => {
      const narrow = [{ operator: 'is', operand: 'dm' }];
      const query = { anchor: 'newest', num_before: 9, num_after: 0, narrow, apply_markdown: false };
      return (await reader.get('/messages', query))['messages'].map((message: Body) => message['content']);
    };
    await olive.post('/users/me/subscriptions', { subscriptions: [{ name: 'pier' }] });
    const people = [gus.userId, max.userId];
    await adam.post('/users/me/subscriptions', { subscriptions: [{ name: 'pier' }], principals: people });
    const { group_id } = await adam.post('/user_groups/create', { name: 'crew', description: '', members: [] });
    await adam.post(`/user_groups/${group_id}/members`, { add: people });
    server.context.jobs.start(server.context);
    await server.context.jobs.idle();
    expect(await inbox(gus)).toEqual([
      'Somebody subscribed you to #**pier**.',
      'Somebody added you to the group @_*crew*.',
    ]);
    const name = `@_**Adam Admin|${adam.userId}**`;
    expect(await inbox(max)).toEqual([
      `${name} subscribed you to #**pier**.`,
      `${name} added you to the group @_*crew*.`,
    ]);
  });

  it('stay numbers where the API knows people by number, and are left out of who has read', async () => {
    const { gus, max, mia, olive } = world;
    const members = [mia.userId, gus.userId];
    const { group_id } = await olive.post('/user_groups/create', { name: 'crew', description: '', members });
    const { id } = await say(mia, channel);
    await mia.patch(`/messages/${id}`, { content: 'hello again' });
    const narrow = [{ operator: 'sender', operand: mia.userId }];
    const query = { anchor: 'newest', num_before: 1, num_after: 0, narrow };
    const groups: Body[] = (await gus.register({ fetch_event_types: ['realm_user_groups'] })).state[
      'realm_user_groups'
    ];
    const { subscribers } = await gus.get(`/streams/${channel}/members`);
    const { message_history: history } = await gus.get(`/messages/${id}/history`);
    const { messages } = await gus.get('/messages', query);
    expect(JSON.stringify([groups, subscribers, history, messages])).not.toMatch(/Mia|member2@/);
    expect(groups.find((group) => group['id'] === group_id)?.['members']).toEqual(expect.arrayContaining(members));
    expect(subscribers).not.toContain(mia.userId);
    expect(history.at(-1)).toMatchObject({ user_id: mia.userId });
    expect(messages).toMatchObject([{ id, sender_full_name: 'Unknown user' }]);

    await olive.patch('/realm', { enable_read_receipts: true });
    await subscribe([mia]);
    const { id: read } = await say(max, channel);
    await mia.post('/messages/flags', { messages: [read], op: 'add', flag: 'read' });
    await unsubscribe(mia);
    const readers = async (client: Client) => (await client.get(`/messages/${read}/read_receipts`))['user_ids'];
    expect(await readers(olive)).toEqual([mia.userId]);
    expect(await readers(gus)).toEqual([]);
  });

  it('change without a word to the guest', async () => {
    const { olive, gus, max, mia } = world;
    const [guest, member] = [await gus.register(), await max.register()];
    await olive.patch(`/users/${mia.userId}`, { full_name: 'Mia Renamed' });
    await mia.patch('/settings', { email_address_visibility: 3, timezone: 'Europe/Berlin' });
    await mia.post('/users/me/presence', { status: 'active', ping_only: true });
    await mia.post('/users/me/status', { status_text: 'away' });
    expect(kinds(await guest.events())).toEqual([]);
    expect(kinds(await member.events())).toEqual(
      expect.arrayContaining(['realm_user/update', 'presence', 'user_status']),
    );
  });

  it('join unknown, also past a poll that waits', async () => {
    const { gus, olive } = world;
    const [full, incomplete] = [await gus.register(), await gus.register(INCOMPLETE)];
    const waiting = full.wait();
    await untilParked(world, 1);
    await olive.post('/invites', { invitee_emails: 'x@roost.test', stream_ids: [] });
    await world.server.context.store.in(world.realm).write(async (tx) => {
      const { addPerson } = await import('#features/accounts');
      await lockLog(tx);
      const newcomer = { email: 'nora@roost.test', full_name: 'Nora New', role: 400, passwordHash: 'none' };
      await addPerson(tx, newcomer);
    });
    const [added] = await waiting;
    expect(added).toMatchObject({ type: 'realm_user', op: 'add', person: { full_name: 'Unknown user' } });
    expect(kinds(await incomplete.events())).not.toContain('realm_user/add');
  });

  it('become known by a channel, and unknown by leaving it (law of sync)', async () => {
    const { gus, max, mia, olive } = world;
    const [seen] = await expectSync([gus, max], () => subscribe([mia]));
    expect(kinds(seen)).toEqual(['realm_user/add', 'subscription/peer_add']);
    expect(seen?.[0]).toMatchObject({
      person: { user_id: mia.userId, full_name: 'Mia Member', email: 'member2@roost.test', is_active: true },
    });
    const [lost] = await expectSync([gus, max], () => unsubscribe(mia));
    expect(kinds(lost)).toEqual(['subscription/peer_remove', 'realm_user/remove']);
    expect(lost?.[1]).toMatchObject({ person: { user_id: mia.userId, full_name: 'Unknown user' } });
    await subscribe([mia]);
    const [left] = await expectSync([gus], () => unsubscribe(gus));
    expect(kinds(left).filter((kind) => kind === 'realm_user/remove')).toHaveLength(3);
    const [back] = await expectSync([gus, olive], () => subscribe([gus]));
    expect(kinds(back).slice(-4)).toEqual(['subscription/add', 'realm_user/add', 'realm_user/add', 'realm_user/add']);
  });

  it('become known by the first direct message, with the address that guests see', async () => {
    const { gus, mia, mona } = world;
    await mia.patch('/settings', { email_address_visibility: 2 });
    const [seen] = await expectSync([gus], () => say(mia, [gus.userId, mona.userId]));
    expect(kinds(seen)).toEqual(['realm_user/add', 'realm_user/add', 'message']);
    const added = seen?.find((event) => event['person']?.user_id === mia.userId);
    expect(added).toMatchObject({ person: { email: `user${mia.userId}@localhost`, delivery_email: null } });
    expect(seen?.at(-1)).toMatchObject({ message: { sender_full_name: 'Mia Member' } });
    expect(kinds((await expectSync([gus], () => say(mia, [gus.userId, mona.userId])))[0])).toEqual(['message']);
    expect((await gus.get(`/users/${mia.userId}`))['user']['full_name']).toBe('Mia Member');
  });

  it('leave and return without their names being told (protocol/users#deactivating)', async () => {
    const { gus, max, mia, adam } = world;
    const crew = { name: 'crew', description: '', members: [mia.userId, max.userId] };
    await world.olive.post('/user_groups/create', crew);
    const [gone] = await expectSync([gus], () => adam.delete(`/users/${max.userId}`));
    expect(kinds(gone)).toEqual([
      'subscription/peer_remove',
      'realm_user/remove',
      'user_group/remove_members',
      'user_group/remove_members',
      'user_group/remove_members',
    ]);
    const [stranger] = await expectSync([gus], () => adam.delete(`/users/${mia.userId}`));
    expect(kinds(stranger)).toEqual(Array.from({ length: 3 }, () => 'user_group/remove_members'));
    const [back] = await expectSync([gus], () => adam.post(`/users/${max.userId}/reactivate`));
    expect(kinds(back)).toContain('realm_user/add');
    await expectSync([gus], () => adam.post(`/users/${mia.userId}/reactivate`));
  });

  it('are read anew when the rule or a role changes', async () => {
    const { olive, gus, max, mia, realm } = world;
    const [queue, other] = [await gus.register(), await max.register()];
    await queue.events();
    const rule = (name: 'role:everyone' | 'role:members') => ({
      can_access_all_users_group: { new: realm.groups[name] },
    });
    await olive.patch('/realm', rule('role:everyone'));
    await expect(pollOn(queue)).rejects.toThrow('BAD_EVENT_QUEUE_ID');
    expect(kinds(await other.events())).toEqual(['realm/update_dict']);
    expect((await gus.get(`/users/${mia.userId}`))['user']['full_name']).toBe('Mia Member');
    await olive.patch('/realm', rule('role:members'));
    const own = await max.register();
    await own.events();
    await olive.patch(`/users/${max.userId}`, { role: 600 });
    await expect(pollOn(own)).rejects.toThrow('BAD_EVENT_QUEUE_ID');
    expect((await max.refused('GET', `/users/${mia.userId}`)).msg).toBe('No such user');
  });
});
