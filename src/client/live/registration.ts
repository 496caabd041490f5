export const registration = (include_subscribers: boolean) => ({
  apply_markdown: true,
  client_gravatar: false,
  slim_presence: true,
  include_subscribers,
  client_capabilities: {
    notification_settings_null: true,
    bulk_message_deletion: true,
    user_avatar_url_field_optional: false,
    stream_typing_notifications: true,
    user_settings_object: true,
    include_deactivated_groups: true,
    linkifier_url_template: true,
    empty_topic_name: true,
    archived_channels: true,
  },
})
