import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../../test/support/databases.ts';
import { expectSync, MODERN } from '../../../test/support/sync.ts';
import { openWorld, type World } from '../../../test/support/world.ts';
import { settingsOfUsers } from '#features/user-settings';
import { asId, type UserId } from '#kernel/ids';

const WANTED = { event_types: ['user_settings', 'realm_user'], fetch_event_types: ['user_settings', 'realm_user'] };

describe.each(databases)('user settings on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database);
  });
  afterAll(() => world.close());

  it('tells the caller alone of each value that changed, and keeps the rest (protocol/settings#changing)', async () => {
    const { max, mia } = world;
    const [own, other] = [await max.register(WANTED), await mia.register(WANTED)];
    expect(own.state['user_settings']).toMatchObject({ emojiset: 'google', web_font_size_px: 16, timezone: '' });
    await max.patch('/settings', { twenty_four_hour_time: true, emojiset: 'text', starred_message_counts: true });
    expect(await own.events()).toMatchObject([
      { type: 'user_settings', op: 'update', property: 'emojiset', value: 'text' },
      { type: 'user_settings', op: 'update', property: 'twenty_four_hour_time', value: true },
    ]);
    expect(await other.events()).toEqual([]);
    await max.patch('/settings', { emojiset: 'text' });
    expect(await own.events()).toEqual([]);
    const settings = await world.server.context.store
      .in(world.realm)
      .query((tx) => settingsOfUsers(tx, [asId<UserId>(max.userId)]));
    expect(settings.get(asId<UserId>(max.userId))).toMatchObject({ emojiset: 'text', enable_sounds: true });
  });

  it('takes the older paths, and names the language (clients, row 58)', async () => {
    const queue = await world.mia.register(WANTED);
    await world.mia.patch('/settings/notifications', { enable_sounds: false });
    await world.mia.patch('/settings/display', { default_language: 'de', twenty_four_hour_time: null });
    expect(await queue.events()).toMatchObject([
      { property: 'enable_sounds', value: false },
      { property: 'default_language', value: 'de', language_name: 'Deutsch' },
      { property: 'twenty_four_hour_time', value: null },
    ]);
  });

  it('copies settings to the top for clients that name the old words, and for no other (protocol/clients#registering)', async () => {
    const old = await world.gus.register({
      event_types: ['message'],
      fetch_event_types: ['update_display_settings', 'update_global_notifications'],
    });
    expect(old.state).toMatchObject({
      twenty_four_hour_time: false,
      emojiset: 'google',
      pm_content_in_desktop_notifications: true,
    });
    const { state } = await world.gus.register();
    for (const name of ['twenty_four_hour_time', 'emojiset', 'enable_sounds']) expect(state).not.toHaveProperty(name);
  });

  it('tells administrators who lets them export private data, and nobody else (protocol/events#organization)', async () => {
    const wanted = { event_types: ['realm_export_consent'] };
    const queues = await Promise.all(
      [world.adam, world.olive, world.mona, world.max].map((one) => one.register(wanted)),
    );
    await world.max.patch('/settings', { allow_private_data_export: true });
    await world.max.patch('/settings', { allow_private_data_export: true, enable_sounds: true });
    const told = [{ type: 'realm_export_consent', user_id: world.max.userId, consented: true, id: expect.any(Number) }];
    const all = await Promise.all(queues.map((queue) => queue.events()));
    expect(all).toEqual([told, told, [], []]);
  });

  it('ends where registering again ends (law of sync)', async () => {
    await expectSync([world.mona, world.gus], async () => {
      await world.mona.patch('/settings', { color_scheme: 2, web_home_view: 'recent', timezone: 'Europe/Berlin' });
      await world.adam.patch('/realm/user_settings_defaults', { color_scheme: 3, email_address_visibility: 2 });
    });
  });

  it('tells everybody of a time zone', async () => {
    const queue = await world.gus.register(WANTED);
    await world.max.patch('/settings', { timezone: 'Asia/Kolkata' });
    expect(await queue.events()).toMatchObject([
      { type: 'realm_user', op: 'update', person: { user_id: world.max.userId, timezone: 'Asia/Kolkata' } },
    ]);
  });

  it('shows and hides an address to those whose view of it changed (protocol/events#realm_user)', async () => {
    const { max, mia, adam, gus } = world;
    const queues = await Promise.all([max, mia, adam, gus].map((client) => client.register(WANTED)));
    await max.patch('/settings', { email_address_visibility: 3 });
    const heard = await Promise.all(queues.map((queue) => queue.events()));
    const person = (events: (typeof heard)[number]) => events.flatMap((event) => event['person'] ?? []);
    const renamed = { user_id: max.userId, new_email: `user${max.userId}@localhost` };
    expect(heard.map(person)).toEqual([
      [renamed],
      [{ user_id: max.userId, delivery_email: null }, renamed],
      [renamed],
      [{ user_id: max.userId, delivery_email: null }, renamed],
    ]);
    expect((await adam.get(`/users/${max.userId}`))['user'].delivery_email).toBe(max.email);
    await max.patch('/settings', { email_address_visibility: 2 });
    const again = await Promise.all(queues.map((queue) => queue.events()));
    expect(again.map(person)).toEqual([[], [{ user_id: max.userId, delivery_email: max.email }], [], []]);
  });

  it('tells clients the picture that they can no longer compute, as its address is hidden', async () => {
    const { adam, gus } = world;
    const eve = await world.user({ avatar_source: 'G' });
    const parameters = { ...MODERN, client_gravatar: true };
    const heard = await expectSync([adam, gus], () => eve.patch('/settings', { email_address_visibility: 2 }), {
      parameters,
    });
    const pictures = heard.map((events) => events.filter((event) => 'avatar_url' in event['person']));
    expect(pictures.map((events) => events.length)).toEqual([1, 1]);
  });

  it.each([
    [{ default_language: 'tlh' }, 'Invalid default_language'],
    [{ notification_sound: 'gong' }, "Invalid notification sound 'gong'"],
    [{ email_notifications_batching_period_seconds: 0 }, 'Invalid email batching period: 0 seconds'],
    [{ email_notifications_batching_period_seconds: 604_801 }, 'Invalid email batching period: 604801 seconds'],
    [{ timezone: 'Nowhere/Land' }, 'Invalid timezone'],
    [{ color_scheme: 4 }, 'Invalid color_scheme'],
    [{ emojiset: 'none' }, 'Invalid emojiset'],
    [{ enable_sounds: 'yes' }, 'enable_sounds is not valid JSON'],
  ])('refuses %j (protocol/settings#changing)', async (sent, msg) => {
    const encoded = Object.fromEntries(Object.entries(sent));
    expect(await world.max.refused('PATCH', '/settings', encoded)).toMatchObject({ status: 400, msg });
  });

  it("lets only administrators choose new users' settings", async () => {
    expect(await world.mona.refused('PATCH', '/realm/user_settings_defaults', { enter_sends: true })).toMatchObject({
      code: 'UNAUTHORIZED_PRINCIPAL',
      msg: 'Must be an organization administrator',
    });
    const bot = await world.user({ is_bot: true, bot_type: 1 });
    expect((await bot.refused('PATCH', '/settings', { enter_sends: true })).msg).toBe(
      'This endpoint does not accept bot requests.',
    );
  });

  it('keeps both of two changes at once', async () => {
    await Promise.all([
      world.olive.patch('/settings', { enter_sends: true }),
      world.olive.patch('/settings', { left_side_userlist: true }),
    ]);
    const { state } = await world.olive.register({ fetch_event_types: ['user_settings'] });
    expect(state['user_settings']).toMatchObject({ enter_sends: true, left_side_userlist: true });
  });
});
