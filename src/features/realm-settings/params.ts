import { json, lenient, optional, paramsOfSettings, raw } from '#kernel/endpoint';
import { recordOf } from '#kernel/ids';
import { groupSettingChange } from '#kernel/permissions';
import { anyOf, bool, boundedDict, int, oneOf, text } from '#kernel/schema';
import { CHANGEABLE_SETTINGS, REALM_GROUP_SETTINGS } from '#features/realms';

const {
  // These have a parameter format of their own.
  authentication_methods: _methods,
  gif_rating_policy: _gif,
  jitsi_server_url: _jitsi,
  message_content_delete_limit_seconds: _delete,
  message_content_edit_limit_seconds: _edit,
  move_messages_between_streams_limit_seconds: _moveBetween,
  move_messages_within_stream_limit_seconds: _moveWithin,
  message_retention_days: _retention,
  video_chat_provider: _video,
  default_avatar_source: _avatar,
  ...PLAIN
} = CHANGEABLE_SETTINGS;

/** Settings that may be "unlimited", with the stored value for that. */
export const UNLIMITED = {
  message_content_delete_limit_seconds: null,
  message_content_edit_limit_seconds: null,
  move_messages_between_streams_limit_seconds: null,
  move_messages_within_stream_limit_seconds: null,
  message_retention_days: -1,
} as const;

const limit = optional(lenient(anyOf(int(), text({ max: 100 })), 'A number, or the text "unlimited".'));
const groupChange = optional(json(groupSettingChange, 'Who holds the permission.'));

/** Parameters of a change of the organization's settings. See protocol/organizations#changing-settings. */
export const realmParams = {
  name: optional(raw(text({ line: true, min: 1, max: 40 }), 'Shown to everybody.')),
  ...paramsOfSettings(PLAIN),
  default_avatar_source: optional(raw(oneOf('G', 'J'))),
  authentication_methods: optional(
    json(boundedDict(bool(), { max: 100, key: 100 }), 'Which ways of signing in may be used.'),
  ),
  gif_rating_policy: optional(json(int())),
  video_chat_provider: optional(json(int())),
  jitsi_server_url: optional(lenient(text({ max: 200 }), 'An address, or "default".')),
  message_content_delete_limit_seconds: limit,
  message_content_edit_limit_seconds: limit,
  move_messages_between_streams_limit_seconds: limit,
  move_messages_within_stream_limit_seconds: limit,
  message_retention_days: limit,
  ...recordOf(
    REALM_GROUP_SETTINGS.map(({ name }) => name),
    () => groupChange,
  ),
};
