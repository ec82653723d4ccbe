import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../../test/support/databases.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

describe.each(databases)('why one is told of a message, on %s (protocol/notifications#why)', (database) => {
  let world: World;
  let kitchen: number;
  beforeAll(async () => {
    world = await openWorld(database);
    const principals = [world.max, world.mia].map(({ userId }) => userId);
    await world.olive.post('/users/me/subscriptions', { subscriptions: [{ name: 'kitchen' }], principals });
    kitchen = (await world.olive.get('/get_stream_id', { stream: 'kitchen' }))['stream_id'];
  });
  afterAll(() => world.close());

  const say = async (content: string, topic = 'lunch'): Promise<number> =>
    (await world.mia.post('/messages', { type: 'channel', to: kitchen, topic, content }))['id'];
  const why = async (id: number, by = world.max) => {
    const { push, email, kept_back } = await by.get(`/messages/${id}/notification`);
    return { push, email, kept_back };
  };

  it('is said for each way, with what keeps it back', async () => {
    const { max, mia } = world;
    expect(await why(await say('plain'))).toEqual({ push: null, email: null, kept_back: [] });
    const mention = await say(`@**Max Member|${max.userId}**`);
    expect(await why(mention)).toEqual({ push: 'mentioned', email: 'mentioned', kept_back: [] });
    expect((await why(mention, mia)).kept_back).toEqual(['sender']);
    await max.patch('/settings', { enable_offline_push_notifications: false, quiet_hours: '00:00-23:59' });
    // People who are mentioned in a topic follow it from then on.
    expect(await why(mention)).toEqual({ push: 'followed_topic', email: 'mentioned', kept_back: ['quiet_hours'] });
    await max.post('/messages/flags', { messages: [mention], op: 'add', flag: 'read' });
    await max.post(`/users/me/muted_users/${mia.userId}`);
    expect((await why(mention)).kept_back).toEqual(['muted_sender', 'read', 'quiet_hours']);
    await max.delete(`/users/me/muted_users/${mia.userId}`);
    await max.patch('/settings', { enable_offline_push_notifications: true, quiet_hours: '' });
    await max.patch('/settings', { enable_online_push_notifications: false });
    await max.register();
    await max.post('/users/me/presence', { status: 'active' });
    expect((await why(await say(`@**Max Member|${max.userId}**`))).kept_back).toEqual(['active']);
    const direct = (await mia.post('/messages', { type: 'direct', to: [max.userId], content: 'you' }))['id'];
    expect(await why(direct)).toMatchObject({ push: 'direct_message', email: 'direct_message' });
  });

  it('is not said of what one may not see, to bots, or to nobody', async () => {
    const id = (await world.mia.post('/messages', { type: 'direct', to: [world.max.userId], content: 'you' }))['id'];
    for (const missing of [id, 999_999])
      expect(await world.adam.refused('GET', `/messages/${missing}/notification`)).toMatchObject({
        status: 400,
        msg: 'Invalid message(s)',
      });
    expect((await world.spectator.refused('GET', `/messages/${id}/notification`)).status).toBe(401);
  });

  it('takes quiet hours in their form only', async () => {
    for (const wrong of ['22-7', '24:00-07:00', '22:00-7:00', 'night'])
      expect((await world.max.refused('PATCH', '/settings', { quiet_hours: wrong })).status).toBe(400);
    await world.max.patch('/settings', { quiet_hours: '22:00-07:00' });
    const { state } = await world.max.register({ fetch_event_types: ['user_settings'] });
    expect(state['user_settings']['quiet_hours']).toBe('22:00-07:00');
  });
});
