import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FORMAT, writeExport } from '#features/exports';
import { openFiles } from '#kernel/files';
import type { Body } from '../support/client.ts';
import { databasesInTurn } from '../support/databases.ts';
import { plain } from '../support/pictures.ts';
import { openWorld, type World } from '../support/world.ts';

/** Members that the importer of the established server (release 12) reads in each row without asking whether they are there. */
const READ: Readonly<Record<string, string>> = {
  zerver_realm: `id date_created scheduled_deletion_date demo_organization_scheduled_deletion_date deactivated string_id name
    push_notifications_enabled_end_timestamp moderation_request_channel new_stream_announcements_stream
    signup_announcements_stream zulip_update_announcements_stream can_access_all_users_group can_add_subscribers_group
    can_create_groups can_invite_users_group can_resolve_topics_group direct_message_permission_group
    create_multiuse_invite_group can_mention_many_users_group workplace_users_group`,
  zerver_userprofile: `id realm bot_owner default_sending_stream default_events_register_stream last_active_message_id
    date_joined last_login last_reminder is_superuser is_staff can_create_users can_forge_sender can_change_user_emails
    user_permissions groups delivery_email email role is_active is_bot is_mirror_dummy avatar_source`,
  zerver_userprofile_crossrealm: 'id email recipient_id',
  zerver_client: 'id name',
  zerver_presencesequence: 'id realm last_update_id',
  zerver_usergroup: 'id realm',
  zerver_namedusergroup: `id usergroup_ptr realm_for_sharding creator date_created can_add_members_group can_join_group
    can_leave_group can_manage_group can_mention_group can_remove_members_group`,
  zerver_usergroupmembership: 'id user_group user_profile',
  zerver_groupgroupmembership: 'id supergroup subgroup',
  zerver_channelfolder: 'id realm creator date_created',
  zerver_stream: `id realm creator folder name date_created description can_add_subscribers_group can_administer_channel_group
    can_send_message_group can_subscribe_group can_remove_subscribers_group can_create_topic_group
    can_move_messages_out_of_channel_group can_delete_any_message_group`,
  zerver_defaultstream: 'id stream realm',
  zerver_realmemoji: 'id realm author name file_name deactivated',
  zerver_realmdomain: 'id realm domain',
  zerver_realmfilter: 'id realm pattern url_template',
  zerver_realmplayground: 'id realm url_template',
  zerver_realmauthenticationmethod: 'id realm name',
  zerver_realmuserdefault: 'id realm',
  zerver_recipient: 'id type type_id',
  zerver_huddle: 'id group_size',
  zerver_subscription: 'id user_profile recipient active is_user_active',
  zerver_realmauditlog: `id realm modified_user acting_user modified_stream modified_user_group modified_channel_folder event_time
    event_type event_last_message_id`,
  zerver_alertword: 'id user_profile realm word',
  zerver_navigationview: 'id user',
  zerver_savedsnippet: 'id user_profile realm date_created',
  zerver_onboardingstep: 'id user timestamp',
  zerver_usertopic: 'id user_profile stream recipient last_updated',
  zerver_muteduser: 'id user_profile muted_user date_muted',
  zerver_service: 'id user_profile',
  zerver_botstoragedata: 'id bot_profile',
  zerver_botconfigdata: 'id bot_profile',
  zerver_userpresence: 'id user_profile realm last_active_time last_connected_time',
  zerver_customprofilefield: 'id realm field_type',
  zerver_customprofilefieldvalue: 'id user_profile field value',
  zerver_scheduledmessage: `id sender recipient sending_client stream realm delivered_message scheduled_timestamp
    request_timestamp content rendered_content has_attachment`,
  zerver_reaction: 'id message user_profile reaction_type emoji_code emoji_name',
  zerver_submessage: 'id message sender',
  zerver_userstatus: 'id user_profile client timestamp reaction_type emoji_code',
  zerver_message:
    'id realm sender recipient sending_client date_sent last_edit_time content rendered_content has_attachment edit_history',
  zerver_usermessage: 'message user_profile flags_mask',
  zerver_attachment: 'id path_id owner realm messages scheduled_messages create_time content_type',
};
/** Tables that it asks for without looking whether they are there. */
const ASKED = [
  ...'realm userprofile userprofile_mirrordummy userprofile_crossrealm client stream defaultstream realmemoji realmdomain'.split(
    ' ',
  ),
  ...'realmfilter realmplayground realmauthenticationmethod recipient subscription userpresence useractivity'.split(
    ' ',
  ),
  ...'useractivityinterval customprofilefield customprofilefieldvalue reaction'.split(' '),
].map((name) => `zerver_${name}`);

describe.each(databasesInTurn(import.meta.url))('an export for other servers, on %s', (database) => {
  let world: World;
  let folder: string;
  let files: Map<string, Body>;
  beforeAll(async () => {
    world = await openWorld(database, { isFurnished: true });
    folder = mkdtempSync(join(tmpdir(), 'roost-format-'));
    await live();
    const to = await openFiles(folder, { clock: world.clock });
    const archive: Parameters<typeof writeExport>[1] = { write: (path, source) => to.put(path, source) };
    await writeExport(world.server.context, archive, { realmId: world.realm.id, type: 'full' });
    const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
    files = new Map(names.map((name) => [name, JSON.parse(readFileSync(join(folder, name), 'utf8')) as Body]));
  });
  afterAll(async () => {
    await world.close();
    rmSync(folder, { recursive: true });
  });

  /** Something in every table. */
  const live = async () => {
    const { olive, max, mia, gus, server } = world;
    server.context.jobs.start(server.context);
    const { id: nests } = await olive.post('/channels/create', {
      name: 'nests',
      description: '',
      subscribers: [max.userId, mia.userId],
    });
    const { id: folderId } = await olive
      .post('/channel_folders/create', { name: 'Work', description: 'What we do' })
      .then((made) => ({ id: made['channel_folder_id'] }));
    await olive.patch(`/streams/${nests}`, { folder_id: folderId });
    await olive.post('/default_streams', { stream_id: nests });
    await olive.post('/user_groups/create', { name: 'birds', description: 'All', members: [max.userId, mia.userId] });
    const { url } = await max.upload('eggs.txt', 'three eggs');
    const { id } = await max.post('/messages', {
      type: 'channel',
      to: nests,
      topic: 'eggs',
      content: `[eggs](${url}) @*birds*`,
    });
    await max.patch(`/messages/${id}`, { topic: 'moved', content: 'changed' });
    await max.post('/messages', { type: 'channel', to: nests, topic: 'poll', content: '/poll Which?\nOne\nTwo' });
    await mia.post('/messages', { type: 'direct', to: [max.userId, olive.userId], content: 'the three of us' });
    await olive.post(`/messages/${id}/reactions`, { emoji_name: 'tada' });
    await mia.post('/user_topics', { stream_id: nests, topic: 'eggs', visibility_policy: 3 });
    await max.post(`/users/me/muted_users/${gus.userId}`);
    await max.post('/users/me/status', { status_text: 'brooding' });
    await max.post('/saved_snippets', { title: 'Hello', content: 'Hello there' });
    await max.post('/users/me/alert_words', { alert_words: ['heron'] });
    await max.post('/scheduled_messages', {
      type: 'direct',
      to: [mia.userId],
      content: 'later',
      scheduled_delivery_timestamp: world.clock.now() + 9999,
    });
    await max.post('/users/me/presence', { status: 'active', ping_only: false });
    await olive.post('/realm/filters', { pattern: '#(?P<id>[0-9]+)', url_template: 'https://bugs.example.org/{id}' });
    await olive.post('/realm/playgrounds', {
      name: 'Try',
      pygments_language: 'Python',
      url_template: 'https://try.example.org/{code}',
    });
    await olive.post('/realm/domains', { domain: 'example.org', allow_subdomains: false });
    const { id: field } = await olive.post('/realm/profile_fields', { name: 'Nest', field_type: 1, hint: 'where' });
    await max.patch('/users/me/profile_data', { data: [{ id: field, value: 'high' }] });
    const picture = await plain(200, 200).png().toBuffer();
    await olive.send('POST', '/realm/emoji/nest', [{ name: 'nest.png', content: picture }]);
    await max.post('/bots', {
      full_name: 'Beep',
      short_name: 'beep',
      bot_type: 3,
      payload_url: 'https://bot.example.org',
      service_name: 'beep',
    });
    await server.context.jobs.idle();
  };
  const tablesIn = (name: RegExp) =>
    [...files].filter(([file]) => name.test(file)).flatMap(([, tables]) => Object.entries<Body[] | string>(tables));

  it('is of a release that the importer can compare with its own, and names no migrations', () => {
    expect(files.get('migration_status.json')).toEqual({ migrations_by_app: {}, zulip_version: '12.0' });
    expect(files.get('realm.json')?.['import_source']).toBe('zulip');
  });

  it('has every table and every member that the importer reads', () => {
    const tables = tablesIn(/^(realm|attachment|messages-\d+)\.json$/);
    expect(tables.map(([name]) => name)).toEqual(expect.arrayContaining(ASKED));
    const missing = new Set<string>();
    for (const [name, rows] of tables)
      for (const row of Array.isArray(rows) ? rows : [])
        for (const member of READ[name]?.split(/\s+/) ?? []) if (!(member in row)) missing.add(`${name}.${member}`);
    expect([...missing]).toEqual([]);
    // Nothing of this is right because a table is empty.
    const filled = new Set(tables.filter(([, rows]) => rows.length > 0).map(([name]) => name));
    const optional = [
      'zerver_botstoragedata',
      'zerver_botconfigdata',
      'zerver_onboardingstep',
      'zerver_navigationview',
    ];
    expect(Object.keys(READ).filter((name) => !filled.has(name) && !optional.includes(name))).toEqual([]);
  });

  it('has no member that the importer refuses', () => {
    const unknown = new Set<string>();
    for (const [name, rows] of tablesIn(/\.json$/))
      for (const row of Array.isArray(rows) ? rows : [])
        for (const member of Object.keys(row))
          if (FORMAT.has(name) && !FORMAT.get(name)?.has(member)) unknown.add(`${name}.${member}`);
    expect([...unknown]).toEqual([]);
    const names = tablesIn(/^messages-\d+\.json$/).map(([name]) => name);
    expect(names).toContain('roost_zerver_message');
  });

  it('refers only to what is in it', () => {
    const rows = (table: string): Body[] =>
      tablesIn(/^(realm|messages-\d+)\.json$/).flatMap(([name, all]) =>
        name === table && Array.isArray(all) ? all : [],
      );
    const ids = (...names: string[]) =>
      new Set(names.flatMap((name) => rows(`zerver_${name}`).map((row) => row['id'])));
    const users = ids('userprofile', 'userprofile_mirrordummy', 'userprofile_crossrealm');
    const [recipients, clients, streams, groups] = [ids('recipient'), ids('client'), ids('stream'), ids('usergroup')];
    for (const row of rows('zerver_message'))
      expect([users.has(row['sender']), recipients.has(row['recipient']), clients.has(row['sending_client'])]).toEqual([
        true,
        true,
        true,
      ]);
    for (const row of rows('zerver_subscription'))
      expect([users.has(row['user_profile']), recipients.has(row['recipient'])]).toEqual([true, true]);
    for (const row of rows('zerver_scheduledmessage'))
      expect([users.has(row['sender']), recipients.has(row['recipient']), clients.has(row['sending_client'])]).toEqual([
        true,
        true,
        true,
      ]);
    for (const row of rows('zerver_userstatus')) expect(clients.has(row['client'])).toBe(true);
    for (const row of rows('zerver_defaultstream')) expect(streams.has(row['stream'])).toBe(true);
    for (const row of [...rows('zerver_stream'), ...rows('zerver_realm'), ...rows('zerver_namedusergroup')])
      for (const [name, value] of Object.entries(row))
        if (/^(can_|create_multiuse|direct_message_|workplace)/.test(name))
          expect([name, groups.has(value)]).toEqual([name, true]);
    for (const row of rows('zerver_userprofile_crossrealm')) expect(recipients.has(row['recipient_id'])).toBe(true);
  });
});
