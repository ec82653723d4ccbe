import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { databases } from '../../../test/support/databases.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

describe.each(databases)('the own account as its owner sees it, on %s', (database) => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld(database);
  });
  afterEach(() => world.close());

  it('has the fields of protocol/users#operations', async () => {
    const { max } = world;
    expect(await max.get('/users/me')).toMatchObject({
      user_id: max.userId,
      email: max.email,
      delivery_email: max.email,
      role: 400,
      is_admin: false,
      is_owner: false,
      is_guest: false,
      is_bot: false,
      is_active: true,
      is_imported_stub: false,
      avatar_version: 1,
      timezone: '',
      max_message_id: -1,
      profile_data: {},
    });
    for (const field of ['bot_type', 'bot_owner_id']) expect(await max.get('/users/me')).not.toHaveProperty(field);
    expect((await world.spectator.request('GET', '/users/me')).status).toBe(401);
  });

  it('names the newest message received, not the newest there is', async () => {
    const { max, mia, adam } = world;
    const newest = async () => (await max.get('/users/me'))['max_message_id'];
    const say = async (to: number) => {
      const sent = await mia.post('/messages', { type: 'direct', to: [to], content: 'hello' });
      return sent['id'];
    };
    const received = await say(max.userId);
    await say(adam.userId);
    expect(await newest()).toBe(received);
    expect((await max.register()).state['max_message_id']).toBe(received);
  });
});
