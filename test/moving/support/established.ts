import type { Contents } from './imported.ts';

type Row = Readonly<Record<string, unknown>>;
/** Seconds since 1970 when everything in the archive happened; the format has fractions. */
const AT = 1_700_000_000.25;
const at = (seconds: number) => AT + seconds;

/** IDs of the groups that follow the roles. */
export const GROUPS = {
  internet: 1,
  everyone: 2,
  members: 3,
  fullmembers: 4,
  moderators: 5,
  administrators: 6,
} as const;
const OWNERS = 7;
export const NOBODY = 8;
const BIRDS = 9;
const SYSTEM: readonly (readonly [string, number])[] = [
  ...Object.entries(GROUPS),
  ['owners', OWNERS],
  ['nobody', NOBODY],
];

/** What release 12 of the established server writes of an organization with something of everything. */
export function archiveOfToday(picture: Uint8Array): Contents {
  return {
    'realm.json': {
      import_source: 'zulip',
      zerver_realm: [
        {
          ...realm,
          can_create_public_channel_group: GROUPS.administrators,
          can_invite_users_group: BIRDS,
          direct_message_permission_group: NOBODY,
          topics_policy: 3,
          message_edit_history_visibility_policy: 2,
          new_stream_announcements_stream: 21,
          gif_rating_policy: 2,
        },
      ],
      zerver_realmuserdefault: [{ id: 1, realm: 2, color_scheme: 2, web_home_view: 'inbox' }],
      zerver_usergroup: [...SYSTEM.map(([, id]) => ({ id, realm: 2 })), { id: BIRDS, realm: 2 }, { id: 10, realm: 2 }],
      zerver_namedusergroup: [
        ...SYSTEM.map(([name, id]) => group(id, `role:${name}`, { usergroup_ptr: id, is_system_group: true })),
        group(BIRDS, 'birds', {
          usergroup_ptr: BIRDS,
          description: 'All that fly',
          can_mention_group: GROUPS.moderators,
        }),
      ],
      zerver_usergroupmembership: [
        member(1, GROUPS.members, 12),
        member(2, BIRDS, 12),
        member(3, BIRDS, 13),
        // A group without a name stands for one setting.
        member(4, 10, 13),
      ],
      zerver_userprofile: people({ web_home_view: 'all_messages', web_escape_navigates_to_home_view: false }),
      zerver_stream: [
        { ...nests, folder: 41, can_send_message_group: GROUPS.moderators, topics_policy: 4 },
        { ...secret, can_administer_channel_group: 10 },
        { ...old, can_send_message_group: GROUPS.everyone },
      ],
      zerver_channelfolder: [
        { id: 41, realm: 2, name: 'Work', description: 'What we do', order: 1, is_archived: false, creator: 11 },
      ],
      zerver_savedsnippet: [
        { id: 81, realm: 2, user_profile: 12, title: 'Hello', content: 'Hello there', date_created: at(5) },
      ],
      zerver_navigationview: [{ id: 83, user: 12, fragment: 'narrow/is/starred', is_pinned: false, name: null }],
      zerver_onboardingstep: [{ id: 84, user: 12, onboarding_step: 'intro_inbox_view_modal', timestamp: at(3) }],
      zerver_realmfilter: [
        { id: 51, realm: 2, pattern: '#(?P<id>[0-9]+)', url_template: 'https://bugs.test/{id}', order: 1 },
      ],
      zerver_realmplayground: [
        { id: 52, realm: 2, name: 'Try', pygments_language: 'Python', url_template: 'https://try.test/{code}' },
      ],
      ...shared,
    },
    ...rest(picture),
  };
}

/** The same organization as the established server wrote it at level 200, when policies were numbers. */
export function archiveOfLevel200(picture: Uint8Array): Contents {
  return {
    'realm.json': {
      zerver_realm: [
        {
          ...realm,
          create_public_stream_policy: 2,
          invite_to_realm_policy: 4,
          private_message_policy: 2,
          wildcard_mention_policy: 7,
          bot_creation_policy: 3,
          edit_topic_policy: 5,
          user_group_edit_policy: 1,
          mandatory_topics: true,
          notifications_stream: 21,
          giphy_rating: 2,
        },
      ],
      zerver_realmuserdefault: [{ id: 1, realm: 2, color_scheme: 2, default_view: 'inbox' }],
      zerver_usergroup: [
        ...SYSTEM.map(([name, id]) => ({ ...group(id, `@role:${name}`, { is_system_group: true }), realm: 2 })),
        { ...group(BIRDS, 'birds', { description: 'All that fly', can_mention_group: GROUPS.moderators }), realm: 2 },
      ],
      zerver_usergroupmembership: [member(1, GROUPS.members, 12), member(2, BIRDS, 12), member(3, BIRDS, 13)],
      zerver_userprofile: people({ default_view: 'all_messages', escape_navigates_to_default_view: false }),
      zerver_stream: [
        { ...nests, stream_post_policy: 4 },
        { ...secret, stream_post_policy: 1 },
        { ...old, stream_post_policy: 1 },
      ],
      zerver_userhotspot: [{ id: 84, user: 12, hotspot: 'intro_streams', timestamp: at(3) }],
      zerver_realmfilter: [{ id: 51, realm: 2, pattern: '#(?P<id>[0-9]+)', url_template: 'https://bugs.test/{id}' }],
      zerver_realmplayground: [
        { id: 52, realm: 2, name: 'Try', pygments_language: 'Python', url_template: 'https://try.test/{code}' },
      ],
      ...shared,
    },
    ...rest(picture),
  };
}

const realm: Row = {
  id: 2,
  string_id: 'birds',
  name: 'Birds',
  description: 'A place for *birds*',
  date_created: at(0),
  deactivated: false,
  org_type: 30,
  invite_required: false,
  message_content_edit_limit_seconds: null,
  message_content_delete_limit_seconds: 1200,
  waiting_period_threshold: 3,
  default_language: 'de',
  message_retention_days: -1,
  enable_read_receipts: true,
  video_chat_provider: 0,
  icon_source: 'U',
};

/** An owner, a member with settings of her own, a guest, somebody who left, two bots, and the server's own. */
function people(settings: Row): readonly Row[] {
  const person = (id: number, full_name: string, role: number, more: Row = {}): Row => ({
    id,
    realm: 2,
    delivery_email: `${full_name.split(' ')[0]?.toLowerCase()}@birds.test`,
    email: `user${id}@birds.test`,
    full_name,
    role,
    is_active: true,
    is_bot: false,
    is_mirror_dummy: false,
    date_joined: at(id),
    last_login: at(id),
    timezone: '',
    email_address_visibility: 1,
    avatar_source: 'G',
    // What no archive should hold is not taken when it does.
    password: 'pbkdf2_sha256$1$x$y',
    api_key: 'abcdefghijklmnopqrstuvwxyz012345',
    ...more,
  });
  return [
    person(11, 'Olive Owner', 100),
    person(12, 'Mia Member', 400, {
      timezone: 'Europe/Berlin',
      color_scheme: 3,
      enter_sends: true,
      avatar_source: 'U',
      ...settings,
    }),
    person(13, 'Gus Guest', 600),
    person(14, 'Lena Left', 400, { is_active: false }),
    person(15, 'Beep Bot', 400, { is_bot: true, bot_type: 1, bot_owner: 12 }),
    person(16, 'Hook Bot', 400, { is_bot: true, bot_type: 3, bot_owner: 11 }),
  ];
}

function group(id: number, name: string, more: Row): Row {
  return { id, name, description: '', is_system_group: false, can_mention_group: GROUPS.everyone, ...more };
}

const member = (id: number, user_group: number, user_profile: number): Row => ({ id, user_group, user_profile });

const channel = (id: number, name: string, more: Row): Row => ({
  id,
  name,
  realm: 2,
  description: '',
  date_created: at(1),
  deactivated: false,
  invite_only: false,
  is_web_public: false,
  history_public_to_subscribers: true,
  message_retention_days: null,
  can_remove_subscribers_group: GROUPS.administrators,
  ...more,
});
const nests = channel(21, 'nests', { description: 'Where we *breed*', message_retention_days: 90 });
const secret = channel(22, 'secret', { invite_only: true, history_public_to_subscribers: false });
const old = channel(23, 'old', { deactivated: true });

const subscription = (id: number, user_profile: number, recipient: number, more: Row = {}): Row => ({
  id,
  user_profile,
  recipient,
  active: true,
  color: '#c2c2c2',
  ...more,
});

/** Numbers of where messages go: channels, a group of three, and each person. */
const PLACES = { nests: 31, secret: 32, old: 33, three: 34, of: (user: number) => 100 + user } as const;

const shared: Row = {
  zerver_realmauthenticationmethod: [{ id: 1, realm: 2, name: 'Email' }],
  zerver_realmdomain: [{ id: 3, realm: 2, domain: 'birds.test', allow_subdomains: true }],
  zerver_realmemoji: [{ id: 61, realm: 2, name: 'heron', file_name: '61.png', deactivated: false, author: 11 }],
  zerver_customprofilefield: [
    { id: 71, realm: 2, name: 'Nest', hint: 'where', field_type: 1, field_data: '', order: 1 },
    {
      id: 72,
      realm: 2,
      name: 'Sings',
      hint: '',
      field_type: 3,
      field_data: '{"y":{"text":"Yes","order":"1"}}',
      order: 2,
    },
    { id: 78, realm: 2, name: 'Friends', hint: '', field_type: 6, field_data: '', order: 3 },
  ],
  zerver_customprofilefieldvalue: [
    { id: 73, user_profile: 12, field: 71, value: 'high up', rendered_value: '<p>high up</p>' },
    { id: 74, user_profile: 12, field: 72, value: 'y', rendered_value: null },
    { id: 79, user_profile: 12, field: 78, value: '[11, 13]', rendered_value: null },
  ],
  zerver_userprofile_mirrordummy: [],
  zerver_userprofile_crossrealm: [{ id: 1, email: 'notification-bot@zulip.com', recipient_id: 101 }],
  zerver_defaultstream: [{ id: 24, realm: 2, stream: 21 }],
  zerver_recipient: [
    { id: PLACES.nests, type: 2, type_id: 21 },
    { id: PLACES.secret, type: 2, type_id: 22 },
    { id: PLACES.old, type: 2, type_id: 23 },
    { id: PLACES.three, type: 3, type_id: 1 },
    ...[1, 11, 12, 13, 14, 15, 16].map((id) => ({ id: PLACES.of(id), type: 1, type_id: id })),
  ],
  zerver_huddle: [{ id: 1, huddle_hash: 'x', recipient: PLACES.three, group_size: 3 }],
  zerver_subscription: [
    subscription(1, 11, PLACES.nests),
    subscription(2, 12, PLACES.nests, { color: '#112233', is_muted: true, pin_to_top: true, push_notifications: true }),
    subscription(3, 13, PLACES.nests),
    subscription(4, 11, PLACES.secret),
    subscription(5, 12, PLACES.secret, { active: false }),
    ...[11, 12, 13].map((user, index) => subscription(6 + index, user, PLACES.three)),
    ...[11, 12, 13, 14].map((user, index) => subscription(9 + index, user, PLACES.of(user))),
  ],
  zerver_realmauditlog: [
    entry(1, 301, 12, 22, 0),
    // She left after the first message of the private channel.
    entry(2, 303, 12, 22, 1003),
  ],
  zerver_alertword: [{ id: 82, realm: 2, user_profile: 12, word: 'heron' }],
  zerver_muteduser: [{ id: 85, user_profile: 12, muted_user: 14, date_muted: at(4) }],
  zerver_usertopic: [
    {
      id: 86,
      user_profile: 12,
      stream: 21,
      recipient: 31,
      topic_name: 'eggs',
      visibility_policy: 3,
      last_updated: at(4),
    },
    {
      id: 87,
      user_profile: 12,
      stream: 21,
      recipient: 31,
      topic_name: 'noise',
      visibility_policy: 1,
      last_updated: at(4),
    },
  ],
  zerver_userstatus: [
    {
      id: 88,
      user_profile: 12,
      status_text: 'brooding',
      emoji_name: 'heron',
      emoji_code: '61',
      reaction_type: 'realm_emoji',
      timestamp: at(4),
      client: 1,
    },
  ],
  zerver_userpresence: [
    { id: 89, realm: 2, user_profile: 12, last_active_time: at(6), last_connected_time: at(7), last_update_id: 5 },
  ],
  zerver_presencesequence: [{ id: 1, realm: 2, last_update_id: 5 }],
  zerver_draft: [
    {
      id: 91,
      user_profile: 12,
      draft_type: 'stream',
      draft_to: [21],
      topic: 'eggs',
      content: 'unsent',
      last_edit_time: at(8),
    },
  ],
  zerver_scheduledmessage: [
    {
      id: 92,
      sender: 12,
      realm: 2,
      stream: 21,
      recipient: PLACES.nests,
      subject: 'eggs',
      content: 'later',
      rendered_content: '<p>later</p>',
      sending_client: 1,
      delivery_type: 1,
      scheduled_timestamp: 4_000_000_000,
      delivered: false,
      delivered_message: null,
      failed: false,
      failure_message: null,
      read_by_sender: true,
    },
  ],
  zerver_service: [{ id: 93, user_profile: 16, name: 'hook', base_url: 'https://hook.test', token: 'x', interface: 1 }],
  zerver_botconfigdata: [],
  zerver_botstoragedata: [{ id: 94, bot_profile: 15, key: 'seen', value: '7' }],
  zerver_client: [
    { id: 1, name: 'website' },
    { id: 2, name: 'ZulipMobile' },
  ],
  zerver_reaction: [
    reaction(95, 1001, 11, 'tada', '1f389', 'unicode_emoji'),
    reaction(96, 1001, 13, 'heron', '61', 'realm_emoji'),
  ],
  zerver_submessage: [],
  roost_invitation: [
    {
      id: 97,
      email: 'new@birds.test',
      invited_by: 11,
      invited_as: 400,
      streams: [21],
      invited: 1_700_000_000,
      expiry_date: null,
    },
    {
      id: 98,
      is_multiuse: true,
      invited_by: 11,
      invited_as: 600,
      streams: [21],
      invited: 1_700_000_000,
      expiry_date: null,
    },
  ],
};

function entry(id: number, event_type: number, modified_user: number, modified_stream: number, last: number): Row {
  return { id, realm: 2, event_type, modified_user, modified_stream, event_last_message_id: last, event_time: at(id) };
}

function reaction(id: number, message: number, user_profile: number, ...[name, code, type]: readonly string[]): Row {
  return { id, message, user_profile, emoji_name: name, emoji_code: code, reaction_type: type };
}

function rest(picture: Uint8Array): Contents {
  const message = (
    id: number,
    sender: number,
    recipient: number,
    subject: string,
    content: string,
    more: Row = {},
  ) => ({
    id,
    realm: 2,
    sender,
    recipient,
    sending_client: 1,
    subject,
    content,
    rendered_content: '<p>of another renderer</p>',
    rendered_content_version: 1,
    date_sent: at(id),
    last_edit_time: null,
    edit_history: null,
    has_attachment: false,
    has_image: false,
    has_link: false,
    ...more,
  });
  const flags = (id: number, user_profile: number, about: number, flags_mask: number) => ({
    id,
    user_profile,
    message: about,
    flags_mask,
  });
  const edit_history = JSON.stringify([
    { user_id: 12, timestamp: 1_700_001_500, prev_content: 'to eggs', prev_rendered_content: '<p>to eggs</p>' },
  ]);
  return {
    'messages-000001.json': {
      zerver_message: [
        message(1001, 12, PLACES.nests, 'eggs', 'three eggs @**Gus Guest|13** [n](/user_uploads/2/ab/n.txt) #7', {
          edit_history,
          last_edit_time: 1_700_001_500,
          has_attachment: true,
        }),
        message(1002, 12, PLACES.of(13), '', 'psst', { sending_client: 2 }),
        message(1003, 11, PLACES.secret, 'plans', 'before she left'),
        message(1004, 11, PLACES.secret, 'plans', 'after she left'),
        message(1005, 13, PLACES.three, '', 'the three of us'),
        message(1006, 14, PLACES.old, 'past', 'so it was'),
      ],
      zerver_usermessage: [
        flags(1, 12, 1001, 1 | 2),
        flags(2, 13, 1001, 8),
        flags(3, 11, 1001, 0),
        flags(4, 12, 1002, 1),
        flags(5, 13, 1002, 2048),
        flags(6, 11, 1003, 1),
        flags(7, 12, 1003, 1),
        flags(8, 11, 1004, 1),
        ...[11, 12, 13].map((user, index) => flags(9 + index, user, 1005, 1)),
      ],
    },
    'attachment.json': {
      zerver_attachment: [
        {
          id: 1,
          realm: 2,
          owner: 12,
          file_name: 'n.txt',
          path_id: '2/ab/n.txt',
          size: 4,
          content_type: 'text/plain',
          create_time: at(2),
          messages: [1001],
          scheduled_messages: [],
        },
      ],
    },
    'uploads/records.json': [{ path: '2/ab/n.txt', s3_path: '2/ab/n.txt', realm_id: 2, user_profile_id: 12 }],
    'uploads/2/ab/n.txt': 'note',
    'avatars/records.json': [
      { path: '2/face.original', s3_path: '2/face.original', realm_id: 2, user_profile_id: 12 },
      { path: '2/face.png', s3_path: '2/face.png', realm_id: 2, user_profile_id: 12 },
    ],
    'avatars/2/face.original': picture,
    'avatars/2/face.png': picture,
    'emoji/records.json': [
      {
        path: '2/emoji/images/61.png',
        s3_path: '2/emoji/images/61.png',
        realm_id: 2,
        name: 'heron',
        file_name: '61.png',
      },
    ],
    'emoji/2/emoji/images/61.png': picture,
    'realm_icons/records.json': [{ path: '2/icon.original', s3_path: '2/icon.original', realm_id: 2 }],
    'realm_icons/2/icon.original': picture,
    'migration_status.json': { migrations_by_app: { zerver: ['0001_initial'] }, zulip_version: '8.0' },
  };
}
