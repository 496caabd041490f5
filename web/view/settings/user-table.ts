import type { ClientState } from '../../../src/client/index.ts'
import { languages } from './organization-table.ts'
import { row as rowOf } from './setting.ts'

/** Names of the settings that everybody has, as `updateSettings` takes them. */
export type UserSettingName = keyof ClientState['user_settings']

const row = rowOf<UserSettingName>

const display = [
  row([
    'color_scheme',
    [
      [1, 'As the system'],
      [3, 'Light'],
      [2, 'Dark'],
    ],
    'Theme',
    'Light, dark, or as your system has it.',
  ]),
  row(['web_font_size_px', 'number', 'Size of text', 'In pixels, from 12 to 20.']),
  row(['web_line_height_percent', 'number', 'Height of lines', 'In percent of the size of text, from 100 to 200.']),
  row([
    'default_language',
    languages,
    'Language',
    'Of dates, times and the side that the page begins on. Its words are English; apps may be translated.',
  ]),
  row([
    'web_suggest_update_timezone',
    'check',
    'Offer to change the time zone',
    'When this device is in another one than your profile says.',
  ]),
  row(['twenty_four_hour_time', 'check', '24 hours', 'Times as 14:05 instead of 2:05 PM.']),
  row([
    'web_home_view',
    [
      ['inbox', 'Inbox'],
      ['recent_topics', 'Recent conversations'],
      ['all_messages', 'All messages'],
    ],
    'First view',
    'What opens when the address names nothing, and what Escape leads back to.',
  ]),
  row([
    'web_channel_default_view',
    [
      [1, 'Its newest topic'],
      [2, 'All of its messages'],
    ],
    'What a stream opens with',
    'Where a click on its name in the list leads; inside of the stream it leads to all of its messages.',
  ]),
  row([
    'web_mark_read_on_scroll_policy',
    [
      [1, 'When they were seen'],
      [2, 'Only in the view of a conversation'],
      [3, 'Never by themselves'],
    ],
    'Mark messages as read',
    'When a message that was on your screen counts as read.',
  ]),
  row(['web_escape_navigates_to_home_view', 'check', 'Escape leads home', 'To the first view.']),
  row([
    'web_stream_unreads_count_display_policy',
    [
      [1, 'Of all streams'],
      [2, 'Of those not muted'],
      [3, 'None'],
    ],
    'Unread counts of streams',
    'Beside which streams a number stands.',
  ]),
  row(['starred_message_counts', 'check', 'Count starred messages', 'Beside their view.']),
  row([
    'demote_inactive_streams',
    [
      [1, 'When there are many'],
      [2, 'Always'],
      [3, 'Never'],
    ],
    'Quiet streams last',
    'Streams without new messages go to the end of the list.',
  ]),
  row([
    'display_emoji_reaction_users',
    'check',
    'Names in reactions',
    'In place of a number, where a message has at most three.',
  ]),
  row([
    'emojiset',
    [
      ['google', 'As your device draws them (Google in apps)'],
      ['google-blob', 'As your device draws them (Google’s blobs in apps)'],
      ['twitter', 'As your device draws them (Twitter in apps)'],
      ['text', 'As text, such as :smile:'],
    ],
    'Look of emoji',
    'This page has no drawings of its own, only those of your device; apps may have the ones named.',
  ]),
  row([
    'web_animate_image_previews',
    [
      ['on_hover', 'Under the pointer'],
      ['always', 'Always'],
      ['never', 'When opened'],
    ],
    'Moving pictures',
    'When they move in messages; where your system asks for less movement, never by themselves.',
  ]),
  row([
    'user_list_style',
    [
      [1, 'Names'],
      [2, 'Names and status'],
      [3, 'Pictures, names and status'],
    ],
    'List of people',
    'What it shows of each.',
  ]),
  row([
    'left_side_userlist',
    'check',
    'List of people on the left',
    'Below the streams, where the window has no room for a third column.',
  ]),
  row(['fluid_layout_width', 'check', 'All of the width', 'Messages go from one side of the window to the other.']),
  row(['high_contrast_mode', 'check', 'High contrast', 'Stronger colours of text and lines.']),
]

const writing = [
  row(['enter_sends', 'check', 'Enter sends', 'Shift+Enter begins a new line then; otherwise Ctrl+Enter sends.']),
  row(['web_navigate_to_sent_message', 'check', 'Go to what was sent', 'When it was written in another view.']),
  row(['translate_emoticons', 'check', 'Emoticons become emoji', 'The server turns :) and others in what you send.']),
  row(['enable_drafts_synchronization', 'check', 'Keep drafts on the server', 'You find them on your other devices.']),
  row(['send_private_typing_notifications', 'check', 'Tell that you write', 'To the people of a direct conversation.']),
  row(['send_stream_typing_notifications', 'check', 'Tell that you write in streams', 'To those who read the topic.']),
  row(['receives_typing_notifications', 'check', 'See who writes', 'Otherwise you get no such notices.']),
  row(['send_read_receipts', 'check', 'Tell what you have read', 'Others can see that you have read a message.']),
  row(['presence_enabled', 'check', 'Tell whether you are here', 'Otherwise you are shown as offline to everybody.']),
  row([
    'email_address_visibility',
    [
      [1, 'Everybody'],
      [2, 'Members'],
      [5, 'Moderators'],
      [3, 'Administrators'],
      [4, 'Nobody'],
    ],
    'Who sees your e-mail address',
    'The others see a made-up one in its place.',
  ]),
  row([
    'allow_private_data_export',
    'check',
    'Agree to the export of private data',
    'Exports by administrators contain your direct messages and private streams then.',
  ]),
]

const topics = [
  [1, 'Topics that you take part in'],
  [2, 'Topics that you write in'],
  [3, 'Topics that you begin'],
  [4, 'None'],
] as const

const sounds = [
  ...['ascend', 'beep_boop', 'bink', 'bright', 'brlip', 'chime', 'deep tom', 'ding', 'double tap', 'down'],
  ...['dry bongos', 'dutdut', 'fast ascend', 'flute', 'friendly', 'kick roll', 'loud tintong', 'metallic snare'],
  ...['pan', 'practicechat', 'shaker', 'simple', 'stairs', 'subtle', 'swish', 'tintong', 'up', 'wood block'],
  ...['zaping', 'zing', 'zulip', 'none'],
].map((name) => [name, name] as const)

/** What the browser shows, and the sound it makes, while one looks elsewhere. */
const notifications = [
  row(['enable_desktop_notifications', 'check', 'Direct messages and mentions', 'What is for you, or mentions you.']),
  row([
    'pm_content_in_desktop_notifications',
    'check',
    'With the text of direct messages',
    'Otherwise only that there is one.',
  ]),
  row([
    'enable_followed_topic_desktop_notifications',
    'check',
    'Followed topics',
    'Everything in topics that you follow.',
  ]),
  row([
    'enable_stream_desktop_notifications',
    'check',
    'Streams',
    'Everything in your streams, unless one has its own setting.',
  ]),
  row(['wildcard_mentions_notify', 'check', '@all counts as a mention', 'It notifies you where it is not muted.']),
  row([
    'enable_followed_topic_wildcard_mentions_notify',
    'check',
    '@all in followed topics',
    'It notifies you there, also where it does not elsewhere.',
  ]),
  row(['enable_sounds', 'check', 'Sound for direct messages and mentions', 'While you look elsewhere.']),
  row([
    'enable_followed_topic_audible_notifications',
    'check',
    'Sound for followed topics',
    'For each message in them.',
  ]),
  row([
    'enable_stream_audible_notifications',
    'check',
    'Sound for streams',
    'For each message in your streams, unless one has its own setting.',
  ]),
  row([
    'notification_sound',
    sounds,
    'Which sound',
    'This page makes each of them by itself; apps have recordings under the same names.',
  ]),
  row(['automatically_follow_topics_policy', topics, 'Follow by itself', 'Which topics the server lets you follow.']),
  row([
    'automatically_unmute_topics_in_muted_streams_policy',
    topics,
    'Unmute by itself',
    'Which topics of muted streams the server unmutes for you.',
  ]),
  row([
    'automatically_follow_topics_where_mentioned',
    'check',
    'Follow where you are mentioned',
    'Topics in which somebody mentions you.',
  ]),
  row([
    'desktop_icon_count_display',
    [
      [1, 'All unread messages'],
      [2, 'Direct messages, mentions and followed topics'],
      [3, 'Direct messages and mentions'],
      [4, 'None'],
    ],
    'Number on the icon',
    'Which unread messages the icon of the page and of apps counts.',
  ]),
]

/** What this page has nothing to do with. */
const otherApps = [
  row([
    'hide_ai_features',
    'check',
    'No summaries by machines',
    'This server has none and this page offers none; an app that brings its own hides them.',
  ]),
]

/** The settings of an account that can be changed, by the page that shows them. A new one is one line here. */
export const userPages = { display, writing, notifications, otherApps } as const
