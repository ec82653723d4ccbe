import { groupSetting, type GroupSetting } from '#kernel/permissions';

const SOURCE = 'protocol/permissions#channel-permissions';

const setting = <const N extends string>(
  name: N,
  byDefault: GroupSetting['default'],
  everyone: boolean,
  nobody: boolean,
) => groupSetting({ name, on: 'stream', default: byDefault, everyone, nobody, source: SOURCE });

/** A channel's permissions, in the order in which changes are applied. */
export const CHANNEL_SETTINGS = [
  setting('can_add_subscribers_group', 'role:nobody', false, true),
  setting('can_administer_channel_group', 'channel_creator', false, true),
  setting('can_create_topic_group', 'role:everyone', true, true),
  setting('can_delete_any_message_group', 'role:nobody', true, true),
  setting('can_delete_own_message_group', 'role:nobody', true, true),
  setting('can_move_messages_out_of_channel_group', 'role:nobody', true, true),
  setting('can_move_messages_within_channel_group', 'role:nobody', true, true),
  setting('can_remove_subscribers_group', 'role:administrators', true, true),
  setting('can_send_message_group', 'role:everyone', true, true),
  setting('can_subscribe_group', 'role:nobody', false, true),
  setting('can_resolve_topics_group', 'role:nobody', true, true),
] as const;
/** Name of a permission of a channel. */
export type ChannelSettingName = (typeof CHANNEL_SETTINGS)[number]['name'];

/** The declaration of one permission. */
export function channelSetting(name: ChannelSettingName): GroupSetting {
  const found = CHANNEL_SETTINGS.find((candidate) => candidate.name === name);
  if (!found) throw new Error(`there is no channel setting ${name}`);
  return found;
}

/** Colours handed out to new subscriptions in turn. See protocol/subscriptions#subscription-object. */
export const PALETTE: readonly string[] = [
  '#76ce90',
  '#fae589',
  '#a6c7e5',
  '#e79ab5',
  '#bfd56f',
  '#f4ae55',
  '#b0a5fd',
  '#addfe5',
  '#f5ce6e',
  '#c2726a',
  '#94c849',
  '#bd86e5',
  '#ee7e4a',
  '#a6dcbf',
  '#95a5fd',
  '#53a063',
  '#9987e1',
  '#e4523d',
  '#c2c2c2',
  '#4f8de4',
  '#c6a8ad',
  '#e7cc4d',
  '#c8bebf',
  '#a47462',
];
