/**
 * The members of POST /register's answer in the reference, by kind: facts of the API, compared with our answer.
 * Each word is a member's name.
 */
export const registerMembers: Readonly<Record<string, string>> = {
  int: `
    demo_organization_scheduled_deletion_date
    event_queue_longpoll_timeout_seconds max_avatar_file_size_mib
    max_file_upload_size_mib max_icon_file_size_mib max_logo_file_size_mib max_message_id max_message_length
    max_stream_description_length max_stream_name_length max_topic_length password_min_guesses
    password_min_length presence_last_update_id realm_add_custom_emoji_policy realm_bot_creation_policy
    realm_can_access_all_users_group realm_create_multiuse_invite_group realm_create_private_stream_policy
    realm_create_public_stream_policy realm_create_web_public_stream_policy realm_date_created
    realm_delete_own_message_policy realm_digest_weekday realm_edit_topic_policy
    realm_invite_to_realm_policy realm_invite_to_stream_policy realm_message_retention_days
    realm_move_messages_between_streams_policy
    realm_new_stream_announcements_stream_id realm_org_type realm_plan_type
    realm_signup_announcements_stream_id realm_user_group_edit_policy realm_video_chat_provider
    realm_waiting_period_threshold realm_wildcard_mention_policy realm_zulip_update_announcements_stream_id
    max_reminder_note_length realm_gif_rating_policy realm_media_preview_size realm_moderation_request_channel_id
    realm_workplace_users_group server_generation server_presence_offline_threshold_seconds server_presence_ping_interval_seconds
    server_typing_started_expiry_period_milliseconds server_typing_started_wait_period_milliseconds
    server_typing_stopped_wait_period_milliseconds user_id zulip_feature_level`,
  text: `
    avatar_source avatar_url avatar_url_medium delivery_email email full_name
    giphy_api_key klipy_api_key tenor_api_key realm_uuid realm_welcome_message_custom_text realm_default_avatar_source
    realm_rendered_description jitsi_server_url realm_bot_domain realm_default_code_block_language
    realm_default_language realm_description realm_icon_source realm_icon_url realm_logo_source realm_logo_url
    realm_name realm_night_logo_source realm_night_logo_url realm_uri realm_url server_emoji_data_url server_jitsi_server_url
    realm_second_factor_required_for realm_topics_policy upgrade_text_for_wide_organization_logo zulip_merge_base zulip_version`,
  list: `
    alert_words channel_folders cross_realm_bots custom_profile_fields drafts
    muted_topics muted_users navigation_views never_subscribed onboarding_steps realm_bots realm_default_stream_groups
    realm_default_streams realm_domains realm_embedded_bots realm_filters realm_incoming_webhook_bots
    realm_linkifiers realm_non_active_users realm_playgrounds realm_user_groups realm_users
    recent_private_conversations reminders scheduled_messages server_report_message_types starred_messages stop_words streams subscriptions
    unsubscribed user_topics`,
  object: `
    custom_profile_field_types devices gif_rating_policy_options presences realm_authentication_methods
    realm_available_video_chat_providers realm_default_external_accounts realm_emoji
    realm_user_settings_defaults server_supported_permission_settings unread_msgs user_settings user_status`,
  number: `
    server_timestamp`,
  'yes or no': `
    can_create_private_streams can_create_public_streams can_create_streams can_create_web_public_streams
    can_invite_others_to_realm development_environment
    has_zoom_token is_admin is_guest
    is_moderator is_owner
    realm_allow_edit_history realm_allow_message_editing
    realm_avatar_changes_disabled realm_digest_emails_enabled realm_disallow_disposable_email_addresses
    realm_email_auth_enabled realm_email_changes_disabled realm_emails_restricted_to_domains
    realm_enable_guest_user_indicator realm_enable_read_receipts realm_enable_spectator_access
    realm_inline_image_preview realm_inline_url_embed_preview realm_invite_required
    realm_mandatory_topics realm_message_content_allowed_in_email_notifications realm_name_changes_disabled
    realm_password_auth_enabled realm_presence_disabled realm_push_notifications_enabled
    realm_owner_full_content_access realm_require_e2ee_push_notifications realm_require_unique_names
    realm_send_channel_events_messages realm_send_welcome_emails realm_want_advertise_in_communities_directory
    server_avatar_changes_disabled server_inline_image_preview
    server_inline_url_embed_preview server_name_changes_disabled server_needs_upgrade
    server_web_public_streams_enabled settings_send_digest_emails
    zulip_plan_is_not_limited`,
  'text or null': `
    realm_jitsi_server_url`,
  'int or null': `
    realm_message_content_delete_limit_seconds realm_message_content_edit_limit_seconds
    realm_move_messages_between_streams_limit_seconds realm_move_messages_within_stream_limit_seconds
    realm_push_notifications_enabled_end_timestamp realm_api_token_max_days realm_audit_retention_days
    realm_session_idle_days realm_session_max_days
    realm_upload_quota_mib`,
}
