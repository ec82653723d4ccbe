import type { Schema } from '#kernel/schema';
import { registerState } from '#kernel/state';
import { findUser } from '#features/users';
import { DEFAULTED_SETTINGS } from './settings.ts';
import { settingsOf } from './values.ts';

type Name = keyof typeof DEFAULTED_SETTINGS;

const DISPLAY: readonly Name[] = [
  'color_scheme',
  'default_language',
  'demote_inactive_streams',
  'display_emoji_reaction_users',
  'emojiset',
  'fluid_layout_width',
  'high_contrast_mode',
  'left_side_userlist',
  'starred_message_counts',
  'translate_emoticons',
  'twenty_four_hour_time',
];

const NOTIFICATIONS: readonly Name[] = [
  'desktop_icon_count_display',
  'enable_desktop_notifications',
  'enable_digest_emails',
  'enable_login_emails',
  'enable_marketing_emails',
  'enable_offline_email_notifications',
  'enable_offline_push_notifications',
  'enable_online_push_notifications',
  'enable_sounds',
  'enable_stream_audible_notifications',
  'enable_stream_desktop_notifications',
  'enable_stream_email_notifications',
  'enable_stream_push_notifications',
  'message_content_in_email_notifications',
  'notification_sound',
  'pm_content_in_desktop_notifications',
  'presence_enabled',
  'wildcard_mentions_notify',
];

/**
 * Settings as top-level members of the response, for clients from before `user_settings` that ask for the older event
 * type; the published terminal client does not start without them. Decision 0008.
 */
function flatCopies(fetchType: string, names: readonly Name[]) {
  return registerState({
    fetchType,
    stale: 'the events of that time are gone; such clients read user_settings events',
    source: 'protocol/clients#registering',
    fields: Object.fromEntries(names.map((name): [string, Schema] => [name, DEFAULTED_SETTINGS[name].schema])),
    read: async ({ tx, request }) => {
      const row = tx.actor && request.names(fetchType) ? await findUser(tx, tx.actor.userId) : undefined;
      if (!row) return {};
      const settings: Readonly<Record<string, unknown>> = settingsOf(row);
      return Object.fromEntries(names.map((name) => [name, settings[name]]));
    },
  });
}

export const legacySettingsStates = [
  flatCopies('update_display_settings', DISPLAY),
  flatCopies('update_global_notifications', NOTIFICATIONS),
];
