/** Every kind of event that clients of the protocol know, with its `op` after the stroke where it has one. See protocol/events. */
export const EVENT_KINDS: readonly string[] = Object.entries({
  '4.4.1': 'message',
  '4.4.2': 'reaction/add reaction/remove submessage',
  '4.4.3': 'update_message',
  '4.4.4': 'delete_message',
  '4.4.5': 'update_message_flags/add update_message_flags/remove',
  '4.4.6': 'typing/start typing/stop typing_edit_message/start typing_edit_message/stop',
  '4.4.7': 'stream/create stream/delete stream/update',
  '4.4.8': 'subscription/add subscription/remove subscription/update subscription/peer_add subscription/peer_remove',
  '4.4.9': 'realm_user/add realm_user/update realm_user/remove',
  '4.4.10':
    'user_group/add user_group/update user_group/add_members user_group/remove_members user_group/add_subgroups user_group/remove_subgroups user_group/remove',
  '4.4.11':
    'alert_words user_settings/update muted_topics user_topic muted_users onboarding_steps has_zoom_token attachment/add attachment/update attachment/remove saved_snippets/add saved_snippets/update saved_snippets/remove drafts/add drafts/update drafts/remove navigation_view/add navigation_view/update navigation_view/remove scheduled_messages/add scheduled_messages/update scheduled_messages/remove reminders/add reminders/remove device/add device/update device/remove',
  '4.4.12': 'presence user_status',
  // `realm_emoji/update` and `realm_emoji/edit` are forms that `add` and `update_one` take for some clients.
  '4.4.13':
    'realm/update realm/update_dict realm/deactivated realm_user_settings_defaults/update realm_emoji/add realm_emoji/update_one realm_linkifiers realm_playgrounds realm_domains/add realm_domains/change realm_domains/remove custom_profile_fields default_streams default_stream_groups channel_folder/add channel_folder/update channel_folder/reorder realm_bot/add realm_bot/update realm_bot/delete invites_changed realm_export realm_export_consent restart web_reload_client heartbeat',
}).flatMap(([, kinds]) => kinds.split(' '));
