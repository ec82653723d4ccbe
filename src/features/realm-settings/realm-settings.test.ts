import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../../test/support/databases.ts';
import { expectSync } from '../../../test/support/sync.ts';
import { openWorld, type World } from '../../../test/support/world.ts';

const WANTED = { event_types: ['realm'], fetch_event_types: ['realm'] };

describe.each(databases)('realm settings on %s', (database) => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld(database);
  });
  afterAll(() => world.close());

  it('gives clients what they do not start without (protocol/clients#registering)', async () => {
    const { state } = await world.gus.register(WANTED);
    expect(state).toMatchObject({
      realm_name: 'Roost Test',
      realm_wildcard_mention_policy: 5,
      realm_waiting_period_threshold: 0,
      realm_allow_message_editing: true,
      realm_enable_read_receipts: false,
      realm_presence_disabled: false,
      realm_create_web_public_stream_policy: 7,
      realm_icon_url: expect.any(String),
      realm_mandatory_topics: false,
      max_file_upload_size_mib: expect.any(Number),
      max_topic_length: 60,
      realm_can_access_all_users_group: world.realm.groups['role:everyone'],
      realm_authentication_methods: { Email: { enabled: true, available: true } },
      development_environment: true,
    });
    expect(state['server_supported_permission_settings'].group.can_manage_group).toEqual({
      require_system_group: false,
      allow_internet_group: false,
      allow_nobody_group: true,
      allow_everyone_group: false,
      default_group_name: 'group_creator',
      default_for_system_groups: 'role:nobody',
      allowed_system_groups: [],
    });
  });

  it('serves the names of emoji to any origin (protocol/organizations#server-facts)', async () => {
    const { state } = await world.max.register(WANTED);
    const reply = await world.spectator.fetch(state['server_emoji_data_url']);
    expect(reply.headers['access-control-allow-origin']).toBe('*');
    expect(reply.json().code_to_names['1f697']).toContain('car');
  });

  it('tells everybody of each change, and answers with what changed (protocol/organizations#changing-settings)', async () => {
    const queue = await world.gus.register(WANTED);
    const reply = await world.adam.patch('/realm', {
      name: 'The Roost',
      enable_read_receipts: true,
      inline_image_preview: true,
      message_content_edit_limit_seconds: 'unlimited',
      topics_policy: 'disable_empty_topic',
    });
    expect(reply).toEqual({
      result: 'success',
      msg: '',
      name: 'updated',
      enable_read_receipts: true,
      message_content_edit_limit_seconds: null,
      topics_policy: 'updated',
    });
    const events = await queue.events();
    expect(events).toHaveLength(3);
    expect(events).toMatchObject([
      { type: 'realm', op: 'update', property: 'enable_read_receipts', value: true },
      { type: 'realm', op: 'update', property: 'name', value: 'The Roost' },
      {
        op: 'update_dict',
        property: 'default',
        data: {
          message_content_edit_limit_seconds: null,
          topics_policy: 'disable_empty_topic',
          mandatory_topics: true,
        },
      },
    ]);
    await world.adam.patch('/realm', { name: 'The Roost', enable_read_receipts: true });
    expect(await queue.events()).toEqual([]);
  });

  it('hands a permission to people and groups (protocol/permissions#values)', async () => {
    const queue = await world.max.register(WANTED);
    const value = { direct_members: [world.mia.userId], direct_subgroups: [world.realm.groups['role:moderators']] };
    await world.adam.patch('/realm', { can_add_custom_emoji_group: { new: value } });
    expect(await queue.events()).toMatchObject([{ op: 'update_dict', data: { can_add_custom_emoji_group: value } }]);
    const { state } = await world.max.register(WANTED);
    expect(state['realm_can_add_custom_emoji_group']).toEqual(value);
    expect(
      await world.adam.refused('PATCH', '/realm', {
        can_add_custom_emoji_group: { new: world.realm.groups['role:nobody'], old: world.realm.groups['role:members'] },
      }),
    ).toMatchObject({ code: 'EXPECTATION_MISMATCH' });
  });

  it('ends where registering again ends (law of sync)', async () => {
    await expectSync([world.max, world.gus], () =>
      world.olive.patch('/realm', {
        waiting_period_threshold: 3,
        message_edit_history_visibility_policy: 'none',
        jitsi_server_url: 'https://calls.example.com',
        can_mention_many_users_group: { new: world.realm.groups['role:members'] },
        message_retention_days: 30,
      }),
    );
  });

  it.each([
    ['max', { name: 'x' }, 'UNAUTHORIZED_PRINCIPAL', 'Must be an organization administrator'],
    ['adam', { invite_required: false }, 'UNAUTHORIZED_PRINCIPAL', 'Must be an organization owner'],
    ['adam', { message_retention_days: 3 }, 'UNAUTHORIZED_PRINCIPAL', 'Must be an organization owner'],
    ['adam', { default_language: 'tlh' }, 'BAD_REQUEST', "Invalid language 'tlh'"],
    ['adam', { name: 'x'.repeat(41) }, 'BAD_REQUEST', 'name is too long (limit: 40 characters)'],
    ['adam', { video_chat_provider: 9 }, 'BAD_REQUEST', 'Invalid video_chat_provider 9'],
    ['adam', { gif_rating_policy: 9 }, 'BAD_REQUEST', 'Invalid gif_rating_policy 9'],
    ['adam', { jitsi_server_url: 'javascript:alert(1)' }, 'BAD_REQUEST', 'jitsi_server_url is not a URL'],
    ['adam', { signup_announcements_stream_id: 999 }, 'BAD_REQUEST', 'Invalid channel ID'],
    [
      'adam',
      { message_content_delete_limit_seconds: 0 },
      'REQUEST_VARIABLE_INVALID',
      "Bad value for 'message_content_delete_limit_seconds': 0",
    ],
    [
      'olive',
      { message_retention_days: 2_147_483_648 },
      'REQUEST_VARIABLE_INVALID',
      "Bad value for 'message_retention_days': 2147483648",
    ],
    [
      'adam',
      { message_content_edit_limit_seconds: 'never' },
      'REQUEST_VARIABLE_INVALID',
      "Bad value for 'message_content_edit_limit_seconds': never",
    ],
    [
      'olive',
      { authentication_methods: { Email: false } },
      'BAD_REQUEST',
      'At least one authentication method must be enabled.',
    ],
    [
      'olive',
      { authentication_methods: { Magic: true } },
      'BAD_REQUEST',
      'Invalid authentication method: Magic. Valid methods are: Email, Passkey, Dev',
    ],
  ] as const)('refuses to %s %j (protocol/organizations#changing-settings)', async (who, sent, code, msg) => {
    expect(await world[who].refused('PATCH', '/realm', sent)).toMatchObject({ status: 400, code, msg });
  });

  it('sends requests to moderators to a private channel only', async () => {
    await world.adam.post('/users/me/subscriptions', { subscriptions: [{ name: 'open' }] });
    const { stream_id } = await world.adam.get('/get_stream_id', { stream: 'open' });
    expect((await world.adam.refused('PATCH', '/realm', { moderation_request_channel_id: stream_id })).msg).toBe(
      'Moderation request channel must be private.',
    );
    await world.adam.patch('/realm', { signup_announcements_stream_id: stream_id });
  });

  it('names no channel any more that was archived, and none that is (protocol/channels#archiving)', async () => {
    const { adam, max } = world;
    const { id } = await max.post('/channels/create', { name: 'short-lived', subscribers: [] });
    const names = ['new_stream_announcements_stream_id', 'signup_announcements_stream_id'];
    for (const name of names) await adam.patch('/realm', { [name]: id });
    const fields = names.map((name) => `realm_${name}`);
    const [events] = await expectSync([max], () => adam.delete(`/streams/${id}`), { fields });
    expect(events?.map((event) => [event['type'], event['op'], event['data'] ?? event['value']])).toEqual([
      ['realm', 'update_dict', Object.fromEntries(names.map((name) => [name, -1]))],
      ['stream', 'update', true],
    ]);
    expect((await adam.refused('PATCH', '/realm', { [names[0] ?? '']: id })).msg).toBe('Invalid channel ID');
  });
});
