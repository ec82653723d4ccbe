import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Source } from '#features/imports';
import type { Body, Client } from '../support/client.ts';
import { databasesInTurn } from '../support/databases.ts';
import { type EmptyServer, openEmptyServer } from '../support/empty-server.ts';
import { plain } from '../support/pictures.ts';
import { archiveOfLevel200, archiveOfToday, GROUPS, NOBODY } from './support/established.ts';
import { archiveWith, type Imported, imported, messagesOf } from './support/imported.ts';

const RELEASES = [
  ['release 12', archiveOfToday],
  ['level 200', archiveOfLevel200],
] as const;

const cases = databasesInTurn(import.meta.url).flatMap((database) =>
  RELEASES.map(([release, archive]) => [release, database, archive] as const),
);

/** Everything that an archive of the established server says, as clients see it. See protocol/organizations#import. */
describe.each(cases)('an archive of %s of the established server, on %s', (release, database, archive) => {
  const isToday = release === 'release 12';
  let empty: EmptyServer;
  let birds: Imported;
  let [olive, mia, gus]: Client[] = [];
  const as = (client: Client | undefined): Client => client ?? expect.fail('nobody came');
  const state = async (client: Client | undefined): Promise<Body> =>
    as(client).post('/register', {
      apply_markdown: false,
      client_capabilities: {
        notification_settings_null: true,
        include_deactivated_groups: true,
        linkifier_url_template: true,
      },
    });
  beforeAll(async () => {
    empty = await openEmptyServer(database);
    const files = archiveWith(archive(await plain(64, 64).png().toBuffer()));
    const source: Source = { ...files, messageFiles: () => Promise.resolve(['messages-000001.json']) };
    birds = await imported(empty, source, 'olive@birds.test');
    [olive, mia, gus] = await Promise.all(['olive', 'mia', 'gus'].map((name) => birds.as(`${name}@birds.test`)));
  });
  afterAll(() => empty.close());

  it('brings the organization with its settings, permissions and picture', async () => {
    const seen = await state(olive);
    expect(seen).toMatchObject({
      realm_name: 'Birds',
      realm_description: 'A place for *birds*',
      realm_org_type: 30,
      realm_invite_required: false,
      realm_message_content_edit_limit_seconds: null,
      realm_message_content_delete_limit_seconds: 1200,
      realm_waiting_period_threshold: 3,
      realm_default_language: 'de',
      realm_enable_read_receipts: true,
      realm_video_chat_provider: 0,
      realm_gif_rating_policy: 2,
      realm_new_stream_announcements_stream_id: 21,
      realm_topics_policy: 'disable_empty_topic',
      realm_date_created: 1_700_000_000,
      realm_icon_source: 'U',
      realm_can_create_public_channel_group: GROUPS.administrators,
      realm_direct_message_permission_group: NOBODY,
      realm_can_invite_users_group: isToday ? 9 : GROUPS.moderators,
      realm_domains: [{ domain: 'birds.test', allow_subdomains: true }],
      realm_user_settings_defaults: { color_scheme: 2, web_home_view: 'inbox' },
    });
    const others = isToday
      ? { realm_message_edit_history_visibility_policy: 'moves' }
      : {
          realm_can_mention_many_users_group: GROUPS.moderators,
          realm_can_create_bots_group: GROUPS.administrators,
          realm_can_move_messages_between_topics_group: GROUPS.everyone,
          realm_can_create_groups: GROUPS.members,
          realm_can_manage_all_groups: GROUPS.moderators,
        };
    expect(seen).toMatchObject(others);
  });

  it('brings people and bots with roles, settings and pictures, and nothing to log in with', async () => {
    const { members } = await as(olive).get('/users', { include_custom_profile_fields: true });
    const byId = new Map<number, Body>(members.map((one: Body) => [one['user_id'], one]));
    expect(byId.get(11)).toMatchObject({ full_name: 'Olive Owner', role: 100, delivery_email: 'olive@birds.test' });
    expect(byId.get(12)).toMatchObject({
      role: 400,
      timezone: 'Europe/Berlin',
      avatar_url: expect.stringContaining('/user_avatars/'),
      profile_data: {
        71: { value: 'high up', rendered_value: expect.any(String) },
        72: { value: 'y' },
        78: { value: '[11,13]' },
      },
    });
    expect(byId.get(13)).toMatchObject({ role: 600, is_guest: true });
    expect(byId.get(14)).toMatchObject({ full_name: 'Lena Left', is_active: false });
    expect(byId.get(15)).toMatchObject({ is_bot: true, bot_type: 1, bot_owner_id: 12 });
    const seen = await state(mia);
    expect(seen['user_settings']).toMatchObject({
      color_scheme: 3,
      enter_sends: true,
      web_home_view: 'all_messages',
      web_escape_navigates_to_home_view: false,
    });
    expect(seen['realm_bots']).toMatchObject([{ user_id: 15 }]);
    const { realm_bots } = await state(olive);
    const hook = realm_bots.find(({ user_id }: Body) => user_id === 16);
    expect(hook['services']).toMatchObject([{ base_url: 'https://hook.test', interface: 1 }]);
    const beep = await birds.as('beep@birds.test');
    expect((await beep.get('/bot_storage', { keys: ['seen'] }))['storage']).toEqual({ seen: '7' });
    const refused = await as(mia).send('POST', '/fetch_api_key', [], {
      username: 'mia@birds.test',
      password: 'pbkdf2_sha256$1$x$y',
    });
    expect(refused.status).toBe(401);
    const withOldKey = Buffer.from('mia@birds.test:abcdefghijklmnopqrstuvwxyz012345').toString('base64');
    expect(as(mia).authorization).not.toContain(withOldKey);
  });

  it('brings groups, channels with folders and permissions, and who is in them', async () => {
    const seen = await state(mia);
    const group = seen['realm_user_groups'].find(({ id }: Body) => id === 9);
    expect(group).toMatchObject({
      name: 'birds',
      description: 'All that fly',
      members: [12, 13],
      can_mention_group: GROUPS.moderators,
    });
    const { streams } = await as(olive).get('/streams', { include_all: true, exclude_archived: false });
    const byId = new Map<number, Body>(streams.map((one: Body) => [one['stream_id'], one]));
    expect(byId.get(21)).toMatchObject({
      name: 'nests',
      description: 'Where we *breed*',
      rendered_description: '<p>Where we <em>breed</em></p>',
      can_send_message_group: GROUPS.moderators,
      message_retention_days: 90,
      is_archived: false,
      invite_only: false,
    });
    expect(byId.get(22)).toMatchObject({ name: 'secret', invite_only: true, history_public_to_subscribers: false });
    expect(byId.get(23)).toMatchObject({ name: 'old', is_archived: true });
    if (isToday) {
      expect(byId.get(21)).toMatchObject({ folder_id: 41, topics_policy: 'empty_topic_only' });
      expect(byId.get(22)?.['can_administer_channel_group']).toEqual({ direct_members: [13], direct_subgroups: [] });
      expect(seen['channel_folders']).toMatchObject([{ id: 41, name: 'Work', description: 'What we do' }]);
    }
    expect(seen['realm_default_streams']).toEqual([21]);
    expect(seen['subscriptions']).toMatchObject([
      { stream_id: 21, color: '#112233', is_muted: true, pin_to_top: true, push_notifications: true },
    ]);
  });

  it('brings messages under their IDs to their recipients, with edits, reactions, flags and what is unread', async () => {
    const seen = await messagesOf(as(mia));
    expect(seen.map(({ id, content }) => [id, content])).toEqual([
      [1001, 'three eggs @**Gus Guest|13** [n](/user_uploads/2/ab/n.txt) #7'],
      [1002, 'psst'],
      [1005, 'the three of us'],
    ]);
    expect(seen[0]).toMatchObject({
      subject: 'eggs',
      stream_id: 21,
      sender_id: 12,
      timestamp: 1_700_001_001,
      last_edit_timestamp: 1_700_001_500,
      flags: ['read', 'starred'],
      reactions: [
        { emoji_name: 'tada', emoji_code: '1f389', user_id: 11 },
        { emoji_name: 'heron', emoji_code: '61', reaction_type: 'realm_emoji', user_id: 13 },
      ],
    });
    expect(seen[1]).toMatchObject({ type: 'private', client: 'ZulipMobile' });
    const rendered = await messagesOf(as(mia), true);
    expect(rendered[0]?.['content']).toContain('<span class="user-mention" data-user-id="13">@Gus Guest</span>');
    expect(rendered[0]?.['content']).toContain('href="https://bugs.test/7"');
    expect(rendered.map(({ content }) => content).join('')).not.toContain('another renderer');
    if (!isToday) {
      const { message_history } = await as(mia).get('/messages/1001/history');
      expect(message_history.map(({ content }: Body) => content)).toEqual(['to eggs', seen[0]?.['content']]);
    }
    const { unread_msgs } = await state(gus);
    expect(unread_msgs).toMatchObject({
      pms: [{ other_user_id: 12, unread_message_ids: [1002] }],
      streams: [{ stream_id: 21, topic: 'eggs', unread_message_ids: [1001] }],
      mentions: [1001],
    });
    expect((await state(mia))['unread_msgs'].count).toBe(0);
    expect((await state(olive))['unread_msgs'].streams).toMatchObject([{ unread_message_ids: [1001] }]);
    expect((await messagesOf(as(olive))).map(({ id }) => id)).toEqual([1001, 1003, 1004, 1005]);
  });

  it('brings what people keep: topics, drafts, scheduled messages, alert words, muted people, status and presence', async () => {
    const seen = await state(mia);
    expect(seen['user_topics']).toMatchObject([
      { stream_id: 21, topic_name: 'eggs', visibility_policy: 3 },
      { stream_id: 21, topic_name: 'noise', visibility_policy: 1 },
    ]);
    expect(seen['drafts']).toMatchObject([{ id: 91, type: 'stream', to: [21], topic: 'eggs', content: 'unsent' }]);
    expect(seen['scheduled_messages']).toMatchObject([
      {
        scheduled_message_id: 92,
        to: 21,
        topic: 'eggs',
        content: 'later',
        scheduled_delivery_timestamp: 4_000_000_000,
      },
    ]);
    expect(seen['alert_words']).toEqual(['heron']);
    expect(seen['muted_users']).toEqual([{ id: 14, timestamp: 1_700_000_004 }]);
    expect(seen['user_status'][12]).toMatchObject({ status_text: 'brooding', emoji_name: 'heron', emoji_code: '61' });
    const { presence } = await as(olive).get('/users/12/presence');
    expect(presence['website']?.['timestamp'] ?? presence['aggregated']?.['timestamp']).toBeGreaterThanOrEqual(
      1_700_000_006,
    );
    if (!isToday) return;
    expect(seen['saved_snippets']).toMatchObject([{ id: 81, title: 'Hello', content: 'Hello there' }]);
    expect(seen['navigation_views']).toMatchObject([{ fragment: 'narrow/is/starred', is_pinned: false }]);
    expect(seen['onboarding_steps']).not.toContainEqual(expect.objectContaining({ name: 'intro_inbox_view_modal' }));
  });

  it('brings what administrators have set up: linkifiers, playgrounds, profile fields, emoji, invitations, files', async () => {
    const seen = await state(olive);
    expect(seen['realm_linkifiers']).toMatchObject([
      { id: 51, pattern: '#(?P<id>[0-9]+)', url_template: 'https://bugs.test/{id}' },
    ]);
    expect(seen['realm_playgrounds']).toMatchObject([
      { id: 52, name: 'Try', pygments_language: 'Python', url_template: 'https://try.test/{code}' },
    ]);
    expect(seen['custom_profile_fields']).toMatchObject([
      { id: 71, name: 'Nest', hint: 'where', type: 1 },
      { id: 72, name: 'Sings', type: 3, field_data: '{"y":{"text":"Yes","order":"1"}}' },
      { id: 78, name: 'Friends', type: 6 },
    ]);
    expect(seen['realm_emoji']).toMatchObject({ 61: { name: 'heron', author_id: 11, deactivated: false } });
    const { invites } = await as(olive).get('/invites');
    expect(invites).toMatchObject([
      { email: 'new@birds.test', invited_by_user_id: 11, invited_as: 400, is_multiuse: false },
      { invited_as: 600, is_multiuse: true, link_url: expect.stringMatching(/\/join\/[a-z2-7]{24}\/$/) },
    ]);
    expect((await as(mia).get('/attachments'))['attachments']).toMatchObject([
      { name: 'n.txt', path_id: '2/ab/n.txt', size: 4, messages: [{ id: 1001 }] },
    ]);
    expect((await as(mia).fetch('/user_uploads/2/ab/n.txt')).body).toBe('note');
  });

  it('names what it leaves out, and nothing that came', () => {
    const place = 'realm.json, zerver_userprofile[0]';
    expect(birds.report.remarks).toEqual([
      `fields left out: 2 (${place}: "password", ${place}: "api_key")`,
      ...(isToday ? [] : ['tables left out: 1 (zerver_userhotspot)']),
    ]);
  });
});
