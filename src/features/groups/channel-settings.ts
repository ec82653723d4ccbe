import { groupSetting, type GroupSetting } from '#kernel/permissions';

const SOURCE = 'protocol/permissions#channel-permissions';

/** What a permission of a channel is beside a group that holds it. */
interface Meaning {
  /**
   * What it opens to people who are not subscribed to a private channel: its messages, or only its metadata.
   * See protocol/channels#access.
   */
  readonly opens?: 'content' | 'metadata';
  /** Changing it needs access to the channel's messages. */
  readonly touchesContent?: true;
  /** It decides who deletes messages, which only some users may set. */
  readonly isDeletion?: true;
}

const setting = <const N extends string>(
  name: N,
  byDefault: GroupSetting['default'],
  { everyone, ...meaning }: Meaning & { readonly everyone: boolean },
) => ({
  ...groupSetting({ name, on: 'stream', default: byDefault, everyone, nobody: true, source: SOURCE }),
  ...meaning,
});

/**
 * A channel's permissions, in the order in which changes are applied. Here and not with the channels, because a change of
 * a group concerns the channels whose permissions it holds.
 */
export const CHANNEL_SETTINGS = [
  setting('can_add_subscribers_group', 'role:nobody', { everyone: false, opens: 'content', touchesContent: true }),
  setting('can_administer_channel_group', 'channel_creator', { everyone: false, opens: 'metadata' }),
  setting('can_create_topic_group', 'role:everyone', { everyone: true }),
  setting('can_delete_any_message_group', 'role:nobody', { everyone: true, touchesContent: true, isDeletion: true }),
  setting('can_delete_own_message_group', 'role:nobody', { everyone: true, touchesContent: true, isDeletion: true }),
  setting('can_move_messages_out_of_channel_group', 'role:nobody', { everyone: true, touchesContent: true }),
  setting('can_move_messages_within_channel_group', 'role:nobody', { everyone: true, touchesContent: true }),
  setting('can_remove_subscribers_group', 'role:administrators', { everyone: true }),
  setting('can_send_message_group', 'role:everyone', { everyone: true }),
  setting('can_subscribe_group', 'role:nobody', { everyone: false, opens: 'content', touchesContent: true }),
  setting('can_resolve_topics_group', 'role:nobody', { everyone: true }),
] as const;
/** Name of a permission of a channel. */
export type ChannelSettingName = (typeof CHANNEL_SETTINGS)[number]['name'];

const namesOf = (settings: readonly { readonly name: ChannelSettingName }[]): readonly ChannelSettingName[] =>
  settings.map(({ name }) => name);

export const CHANNEL_SETTING_NAMES = namesOf(CHANNEL_SETTINGS);
/** Those that let people know of a private channel. */
export const OPENING_METADATA = namesOf(CHANNEL_SETTINGS.filter(({ opens }) => opens !== undefined));

/** The declaration of one permission. */
export function channelSetting(name: ChannelSettingName): GroupSetting & Meaning {
  const found = CHANNEL_SETTINGS.find((candidate) => candidate.name === name);
  if (!found) throw new Error(`there is no channel setting ${name}`);
  return found;
}
