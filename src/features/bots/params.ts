import { json, lenient, optional, path, raw, withDefault } from '#kernel/endpoint';
import type { UserId } from '#kernel/ids';
import { bool, boundedDict, idOf, int, text, webUrl } from '#kernel/schema';

/** Longest value of a bot's configuration, in code points. */
const MAX_VALUE = 10_000;
/** Most entries of a bot's configuration. */
const MAX_ENTRIES = 100;

const config_data = json(
  boundedDict(text({ max: MAX_VALUE }), { max: MAX_ENTRIES, key: 100 }),
  'What the integration must know.',
);
const default_sending_stream = optional(raw(text(), 'Channel that it sends to unless told otherwise.'));
const default_events_register_stream = optional(raw(text(), 'Channel that it listens to unless told otherwise.'));

export const bot_id = path(idOf<UserId>());

/** Parameters for creating a bot. See protocol/bots#operations. */
export const newBotParams = {
  full_name: raw(text()),
  short_name: raw(text(), 'The first part of its address, before `-bot`.'),
  bot_type: withDefault(json(int(), '1 generic, 2 incoming webhook, 3 outgoing webhook, 4 embedded.'), 1),
  payload_url: withDefault(lenient(webUrl(), 'Where an outgoing webhook posts to.'), ''),
  service_name: optional(raw(text(), 'Integration that an incoming webhook is for.')),
  config_data: withDefault(config_data, {}),
  interface_type: withDefault(json(int(), '1 generic, 2 Slack-like.'), 1),
  default_sending_stream,
  default_events_register_stream,
  default_all_public_streams: withDefault(json(bool(), 'Whether it receives all public messages by default.'), false),
};

/** Parameters for changing a bot; an empty channel name means no channel. See protocol/bots#operations. */
export const botChangeParams = {
  bot_id,
  full_name: optional(raw(text())),
  role: optional(json(int())),
  bot_owner_id: optional(json(idOf<UserId>())),
  config_data: optional(config_data),
  service_payload_url: optional(lenient(webUrl())),
  service_interface: optional(json(int())),
  default_sending_stream,
  default_events_register_stream,
  default_all_public_streams: optional(json(bool())),
};
