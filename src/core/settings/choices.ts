/** Lists in the API that settings choose from. */

/** Codes of the languages that clients are translated into. */
export const languages = [
  ...['ar', 'be', 'bg', 'bn', 'bqi', 'ca', 'cs', 'cy', 'da', 'de', 'el', 'en', 'en-gb', 'eo', 'es', 'et', 'fa', 'fi'],
  ...['fr', 'gl', 'gu', 'hi', 'hu', 'id', 'it', 'ja', 'kk', 'ko', 'lt', 'lv', 'ml', 'mn', 'my', 'nb-no', 'nl', 'no'],
  ...['pl', 'pt', 'pt-br', 'pt-pt', 'ro', 'ru', 'si', 'sl', 'sr', 'sv', 'ta', 'tl', 'tr', 'uk', 'vi', 'zh-hans'],
  ...['zh-hant', 'zh-tw'],
]

/** A language's name for itself. */
export const languageName = (code: string): string =>
  new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code

/** File names of the clients' sounds. "none" is a valid value too. */
export const notificationSounds = [
  ...['ascend', 'beep_boop', 'bink', 'bright', 'brlip', 'chime', 'deep tom', 'ding', 'double tap', 'down'],
  ...['dry bongos', 'dutdut', 'fast ascend', 'flute', 'friendly', 'kick roll', 'loud tintong', 'metallic snare'],
  ...['pan', 'practicechat', 'shaker', 'simple', 'stairs', 'subtle', 'swish', 'tintong', 'up', 'wood block'],
  ...['zaping', 'zing', 'zulip'],
]

export const emojisets = [
  { key: 'google', text: 'Google' },
  { key: 'twitter', text: 'Twitter' },
  { key: 'text', text: 'Plain text' },
  { key: 'google-blob', text: 'Google blobs' },
] as const

export const organizationTypes = {
  unspecified: 0,
  business: 10,
  opensource: 20,
  education_nonprofit: 30,
  education: 35,
  research: 40,
  event: 50,
  nonprofit: 60,
  government: 70,
  political: 80,
  community: 90,
  personal: 100,
  other: 1000,
} as const

/** External accounts that clients know by name. */
export const externalAccounts = {
  twitter: { text: 'Twitter', url_pattern: 'https://twitter.com/%(username)s', name: 'Twitter username', hint: '' },
  github: { text: 'GitHub', url_pattern: 'https://github.com/%(username)s', name: 'GitHub username', hint: '' },
} as const

/** Why a message may be reported, in the order in which clients list it. */
export const reportTypes = [
  { key: 'spam', name: 'Spam' },
  { key: 'harassment', name: 'Harassment' },
  { key: 'inappropriate', name: 'Inappropriate content' },
  { key: 'norms', name: 'Violates community norms' },
  { key: 'other', name: 'Other reason' },
] as const

/** Content ratings for GIFs. */
export const gifRatings = {
  disabled: { name: 'GIFs disabled', id: 0 },
  g: { name: 'Rated G: for all ages', id: 1 },
  pg: { name: 'Rated PG: with parental guidance', id: 2 },
  'pg-13': { name: 'Rated PG-13: unsuitable for children under 13', id: 3 },
  r: { name: 'Rated R: for adults', id: 4 },
} as const

/** The server for Jitsi Meet calls unless the organization names another. Clients open it. */
export const JITSI_SERVER_URL = 'https://meet.jit.si'

/** Providers of calls. Some need a server that the operator names. */
export const videoChatProviders = {
  disabled: { name: 'None', id: 0 },
  jitsi_meet: { name: 'Jitsi Meet', id: 1 },
  big_blue_button: { name: 'BigBlueButton', id: 4 },
  constructor_groups: { name: 'Constructor Groups', id: 6 },
  nextcloud_talk: { name: 'Nextcloud Talk', id: 7 },
  // Of this server: clients that don't know it show no button.
  url_template: { name: 'Other (link template)', id: 100 },
} as const
