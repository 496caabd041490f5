import type { ClientState } from '../../../src/client/index.ts'
import { pageTexts } from '../../texts/page-texts.ts'
import { texts } from '../../texts/texts.ts'
import { rowsOf, themed } from './setting.ts'

/** Names of personal settings, for `updateSettings`. */
export type UserSettingName = keyof ClientState['user_settings']

const { choices } = pageTexts
const row = rowsOf<UserSettingName>()(pageTexts.userSettings)

const display = [
  ...themed(pageTexts.themes.appearance, [
    row('color_scheme', [
      [1, choices.system],
      [3, choices.light],
      [2, choices.dark],
    ]),
    row('web_accent_color', [
      ['organization', choices.asOrganization],
      ['blue', choices.blue],
      ['green', choices.green],
      ['purple', choices.purple],
      ['orange', choices.orange],
    ]),
    row('high_contrast_mode', 'check'),
    row('web_font_size_px', 'number'),
    row('web_line_height_percent', 'number'),
    row('fluid_layout_width', 'check'),
    row('emojiset', [
      ['google', choices.google],
      ['google-blob', choices.googleBlobs],
      ['twitter', choices.twitter],
      ['text', choices.plainText],
    ]),
    row('web_link_previews', 'check'),
    row('web_animate_image_previews', [
      ['on_hover', choices.onHover],
      ['always', choices.always],
      ['never', choices.whenOpened],
    ]),
    row('display_emoji_reaction_users', 'check'),
  ]),
  ...themed(pageTexts.themes.languageAndTime, [
    row('default_language', 'language'),
    row('twenty_four_hour_time', 'check'),
    row('web_suggest_update_timezone', 'check'),
  ]),
  ...themed(pageTexts.shortcuts.reading, [
    row('web_home_view', [
      ['inbox', texts.places.inbox],
      ['recent', texts.places.recent],
      ['all_messages', texts.places.allMessages],
    ]),
    row('web_escape_navigates_to_home_view', 'check'),
    row('web_channel_default_view', [
      [1, choices.newestTopic],
      [4, choices.newestUnreadTopic],
      [3, choices.listOfTopics],
      [2, choices.allMessages],
    ]),
    row('web_mark_read_on_scroll_policy', [
      [1, choices.whenSeen],
      [2, choices.inConversation],
      [3, choices.onlyByHand],
    ]),
  ]),
  ...themed(pageTexts.themes.sidebars, [
    row('web_stream_unreads_count_display_policy', [
      [1, choices.allChannels],
      [2, choices.unmutedChannels],
      [3, choices.noChannels],
    ]),
    row('starred_message_counts', 'check'),
    row('demote_inactive_streams', [
      [1, choices.whenMany],
      [2, choices.always],
      [3, choices.never],
    ]),
    row('web_left_sidebar_show_channel_folders', 'check'),
    row('user_list_style', [
      [1, choices.names],
      [2, choices.namesAndStatus],
      [3, choices.picturesAndStatus],
    ]),
    row('left_side_userlist', 'check'),
  ]),
]

const writing = [
  ...themed(pageTexts.shortcuts.writing, [
    row('enter_sends', 'check'),
    row('web_navigate_to_sent_message', 'check'),
    row('translate_emoticons', 'check'),
    row('enable_drafts_synchronization', 'check'),
    row('receives_typing_notifications', 'check'),
  ]),
  ...themed(pageTexts.themes.privacy, [
    row('send_private_typing_notifications', 'check'),
    row('send_stream_typing_notifications', 'check'),
    row('send_read_receipts', 'check'),
    row('presence_enabled', 'check'),
    row('email_address_visibility', [
      [1, choices.everyone],
      [2, choices.members],
      [5, choices.moderators],
      [3, choices.administrators],
      [4, choices.noOne],
    ]),
    row('allow_private_data_export', 'check'),
  ]),
]

const topics = [
  [1, choices.topicsJoined],
  [2, choices.topicsPosted],
  [3, choices.topicsStarted],
  [4, choices.never],
] as const

const sounds = [...Object.entries(pageTexts.sounds), ['zulip', 'Zulip'], ['none', choices.noSound]] as const

/** Desktop notifications and sounds. */
const notifications = [
  ...themed(pageTexts.themes.desktop, [
    row('enable_desktop_notifications', 'check'),
    row('pm_content_in_desktop_notifications', 'check'),
    row('enable_followed_topic_desktop_notifications', 'check'),
    row('enable_stream_desktop_notifications', 'check'),
    row('wildcard_mentions_notify', 'check'),
    row('enable_followed_topic_wildcard_mentions_notify', 'check'),
    row('desktop_icon_count_display', [
      [1, choices.allUnread],
      [2, choices.directMentionsFollowed],
      [3, choices.directMentions],
      [4, choices.none],
    ]),
  ]),
  ...themed(pageTexts.themes.sounds, [
    row('enable_sounds', 'check'),
    row('enable_followed_topic_audible_notifications', 'check'),
    row('enable_stream_audible_notifications', 'check'),
    row('notification_sound', sounds),
  ]),
  ...themed(pageTexts.themes.mobile, [
    row('enable_offline_push_notifications', 'check'),
    row('enable_online_push_notifications', 'check'),
    row('enable_followed_topic_push_notifications', 'check'),
    row('enable_stream_push_notifications', 'check'),
  ]),
  ...themed(pageTexts.sections.mail, [
    row('enable_offline_email_notifications', 'check'),
    row('enable_followed_topic_email_notifications', 'check'),
    row('enable_stream_email_notifications', 'check'),
    row('email_notifications_batching_period_seconds', 'number'),
    row('message_content_in_email_notifications', 'check'),
    row('realm_name_in_email_notifications_policy', [
      [1, choices.automatic],
      [2, choices.always],
      [3, choices.never],
    ]),
    row('enable_digest_emails', 'check'),
    row('enable_login_emails', 'check'),
  ]),
  ...themed(pageTexts.themes.topics, [
    row('automatically_follow_topics_policy', topics),
    row('automatically_follow_topics_where_mentioned', 'check'),
    row('automatically_unmute_topics_in_muted_streams_policy', topics),
    row('resolved_topic_notice_auto_read_policy', [
      ['always', choices.always],
      ['except_followed', choices.exceptFollowed],
      ['never', choices.never],
    ]),
  ]),
]

/** Settings that this page doesn't use. */
const otherApps = [
  row('hide_ai_features', 'check'),
  row('web_inbox_show_channel_folders', 'check'),
  row('web_left_sidebar_unreads_count_summary', 'check'),
]

/** The editable settings of an account, by page. A new one needs one line here. */
export const userPages = { display, writing, notifications, otherApps } as const
