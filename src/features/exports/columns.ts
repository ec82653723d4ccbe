/**
 * What the established server's importer (release 12) knows of each table: it refuses a row with any other member. References
 * are named without `_id`. See protocol/organizations#export-format.
 */
const SETTINGS = `enter_sends left_side_userlist default_language web_home_view web_escape_navigates_to_home_view
    fluid_layout_width high_contrast_mode translate_emoticons display_emoji_reaction_users twenty_four_hour_time
    starred_message_counts color_scheme web_font_size_px web_line_height_percent web_animate_image_previews
    demote_inactive_streams web_mark_read_on_scroll_policy web_channel_default_view emojiset user_list_style
    web_stream_unreads_count_display_policy web_navigate_to_sent_message
    email_notifications_batching_period_seconds enable_stream_desktop_notifications
    enable_stream_email_notifications enable_stream_push_notifications enable_stream_audible_notifications
    notification_sound wildcard_mentions_notify enable_followed_topic_desktop_notifications
    enable_followed_topic_email_notifications enable_followed_topic_push_notifications
    enable_followed_topic_audible_notifications enable_followed_topic_wildcard_mentions_notify
    enable_desktop_notifications pm_content_in_desktop_notifications enable_sounds
    enable_offline_email_notifications message_content_in_email_notifications enable_offline_push_notifications
    enable_online_push_notifications desktop_icon_count_display enable_digest_emails enable_login_emails
    enable_marketing_emails presence_enabled realm_name_in_email_notifications_policy
    automatically_follow_topics_policy automatically_unmute_topics_in_muted_streams_policy
    automatically_follow_topics_where_mentioned enable_drafts_synchronization send_stream_typing_notifications
    send_private_typing_notifications send_read_receipts receives_typing_notifications email_address_visibility
    allow_private_data_export web_suggest_update_timezone hide_ai_features
    resolved_topic_notice_auto_read_policy web_left_sidebar_unreads_count_summary
    web_left_sidebar_show_channel_folders web_inbox_show_channel_folders`;

const PERSON = `id last_login is_superuser delivery_email email full_name date_joined tos_version uuid is_staff is_active
    is_bot bot_type role long_term_idle last_active_message_id is_mirror_dummy can_forge_sender can_create_users
    can_change_user_emails last_reminder rate_limits default_all_public_streams timezone avatar_source
    avatar_version avatar_hash bot_owner realm default_events_register_stream default_sending_stream
    is_imported_stub third_party_api_state is_deleted recipient groups user_permissions
    ${SETTINGS}`;

const NAMES: Readonly<Record<string, string>> = {
  zerver_realm: `id name description string_id uuid uuid_owner_secret push_notifications_enabled
    push_notifications_enabled_end_timestamp date_created demo_organization_scheduled_deletion_date deactivated
    deactivated_redirect emails_restricted_to_domains invite_required max_invites
    disallow_disposable_email_addresses enable_spectator_access want_advertise_in_communities_directory
    inline_image_preview inline_url_embed_preview digest_emails_enabled digest_weekday send_welcome_emails
    message_content_allowed_in_email_notifications require_unique_names name_changes_disabled
    email_changes_disabled avatar_changes_disabled move_messages_within_stream_limit_seconds
    move_messages_between_streams_limit_seconds waiting_period_threshold message_content_delete_limit_seconds
    allow_message_editing message_content_edit_limit_seconds default_language zulip_update_announcements_level
    message_retention_days message_visibility_limit first_visible_message_id org_type plan_type
    custom_upload_quota_gb video_chat_provider jitsi_server_url gif_rating_policy default_code_block_language
    enable_read_receipts enable_guest_user_indicator icon_source icon_version logo_source logo_version
    night_logo_source night_logo_version can_access_all_users_group can_create_private_channel_group
    can_create_public_channel_group can_create_web_public_channel_group can_delete_any_message_group
    create_multiuse_invite_group direct_message_initiator_group direct_message_permission_group
    new_stream_announcements_stream signup_announcements_stream zulip_update_announcements_stream
    can_delete_own_message_group can_create_groups can_manage_all_groups can_add_custom_emoji_group
    can_move_messages_between_channels_group can_move_messages_between_topics_group can_invite_users_group
    moderation_request_channel scheduled_deletion_date can_add_subscribers_group can_create_bots_group
    can_create_write_only_bots_group enable_guest_user_dm_warning can_summarize_topics_group
    can_mention_many_users_group message_edit_history_visibility_policy can_manage_billing_group
    can_resolve_topics_group topics_policy can_set_topics_policy_group can_set_delete_message_policy_group
    require_e2ee_push_notifications welcome_message_custom_text send_channel_events_messages
    owner_full_content_access default_avatar_source rendered_description rendered_description_version
    media_preview_size workplace_users_group`,
  zerver_realmauthenticationmethod: 'id name realm',
  zerver_realmdomain: 'id domain allow_subdomains realm',
  zerver_realmemoji: 'id name file_name is_animated deactivated author realm',
  zerver_realmfilter: 'id pattern url_template order realm example_input reverse_template alternative_url_templates',
  zerver_realmplayground: 'id url_template name pygments_language realm',
  zerver_customprofilefield: `id name hint order display_in_profile_summary required field_type field_data realm editable_by_user
    use_for_user_matching`,
  zerver_customprofilefieldvalue: 'id value rendered_value field user_profile',
  zerver_channelfolder: 'id name description rendered_description date_created is_archived creator realm order',
  zerver_defaultstream: 'id realm stream',
  zerver_recipient: 'id type type_id',
  zerver_huddle: 'id huddle_hash recipient group_size',
  zerver_subscription: `id active is_user_active is_muted color pin_to_top desktop_notifications audible_notifications
    push_notifications email_notifications wildcard_mentions_notify recipient user_profile`,
  zerver_realmauditlog: `id event_time backfilled extra_data event_type event_last_message_id acting_user modified_user realm
    modified_stream modified_user_group modified_channel_folder scrubbed`,
  zerver_stream: `id name date_created deactivated description rendered_description invite_only history_public_to_subscribers
    is_web_public message_retention_days first_message_id can_remove_subscribers_group creator realm recipient
    is_recently_active can_administer_channel_group can_send_message_group can_add_subscribers_group
    can_subscribe_group subscriber_count folder topics_policy can_move_messages_within_channel_group
    can_move_messages_out_of_channel_group can_resolve_topics_group can_delete_any_message_group
    can_delete_own_message_group can_create_topic_group`,
  zerver_usergroup: 'id realm',
  zerver_namedusergroup: `id usergroup_ptr name description is_system_group can_mention_group realm_for_sharding can_manage_group
    deactivated creator date_created can_join_group can_add_members_group can_leave_group
    can_remove_members_group`,
  zerver_usergroupmembership: 'id user_group user_profile',
  zerver_groupgroupmembership: 'id supergroup subgroup',
  zerver_alertword: 'id word realm user_profile',
  zerver_muteduser: 'id date_muted muted_user user_profile',
  zerver_usertopic: 'id topic_name last_updated visibility_policy recipient stream user_profile',
  zerver_userstatus: 'id reaction_type timestamp emoji_name emoji_code status_text client user_profile',
  zerver_userpresence: 'id last_update_id last_connected_time last_active_time realm user_profile',
  zerver_presencesequence: 'id last_update_id realm',
  zerver_savedsnippet: 'id title content date_created realm user_profile',
  zerver_navigationview: 'id fragment is_pinned name user',
  zerver_onboardingstep: 'id onboarding_step timestamp user',
  zerver_scheduledmessage: `id subject content rendered_content scheduled_timestamp read_by_sender delivered has_attachment failed
    failure_message delivery_type delivered_message realm recipient sender sending_client stream
    request_timestamp reminder_target_message_id reminder_note`,
  zerver_service: 'id name base_url token interface user_profile',
  zerver_botconfigdata: 'id key value bot_profile',
  zerver_botstoragedata: 'id key value bot_profile',
  zerver_client: 'id name',
  zerver_reaction: 'id emoji_name reaction_type emoji_code message user_profile',
  zerver_submessage: 'id msg_type content message sender',
  zerver_message: `id type subject content rendered_content rendered_content_version date_sent last_edit_time edit_history
    has_attachment has_image has_link sender sending_client realm recipient is_channel_message`,
  zerver_usermessage: 'id flags_mask message user_profile',
  zerver_attachment: `id file_name path_id create_time size content_type is_realm_public is_web_public owner realm messages
    scheduled_messages`,
  zerver_realmuserdefault: `id realm ${SETTINGS}`,
  zerver_userprofile: PERSON,
  zerver_userprofile_mirrordummy: PERSON,
  zerver_userprofile_crossrealm: 'id email recipient_id',
};

/** Members of the rows of each table of the format. */
export const FORMAT: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(NAMES).map(([table, names]) => [table, new Set(names.split(/\s+/))]),
);

/** Members that the importer requires in every row, with values for what Roost has no counterpart of. */
export const NEEDED: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  zerver_realm: {
    push_notifications_enabled_end_timestamp: null,
    demo_organization_scheduled_deletion_date: null,
    scheduled_deletion_date: null,
  },
  zerver_userprofile: {
    is_superuser: false,
    can_forge_sender: false,
    can_create_users: false,
    can_change_user_emails: false,
    last_reminder: null,
  },
  zerver_userprofile_mirrordummy: {
    is_superuser: false,
    can_forge_sender: false,
    can_create_users: false,
    can_change_user_emails: false,
    last_reminder: null,
  },
  zerver_realmauditlog: { acting_user: null, modified_user_group: null, modified_channel_folder: null, extra_data: {} },
};
