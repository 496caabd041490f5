/** Specification, Limits. */
export const MAX_MESSAGE_BYTES = 10_000
/** Limits that `openChat({ limits })` lowers, to test how clients handle them. */
const defaultLimits = {
  messageBytes: MAX_MESSAGE_BYTES,
  /**
   * Approximate characters of the messages in one response. A larger window is cut to the ones nearest to the anchor.
   */
  answerCharacters: 10_000_000,
  queuesPerUser: 100,
  draftsPerUser: 10_000,
  scheduledPerUser: 10_000,
  snippetsPerUser: 1000,
  remindersPerUser: 10_000,
  navigationViewsPerUser: 1000,
  pinsPerChannel: 100,
  mutedUsersPerUser: 1000,
  /** Every message is compared with all of them. */
  alertWordsPerUser: 500,
  /** Characters each bot may store with PUT /bot_storage, keys included. */
  botStorageCharacters: 10_000_000,
}
export type Limits = typeof defaultLimits

/** Returns the default limits with these lower ones. Throws for an unknown name, and a number that isn't lower. */
export function limitsWith(lower: Partial<Limits> = {}): Limits {
  for (const [name, value] of Object.entries(lower)) {
    const most = (defaultLimits as Readonly<Record<string, number>>)[name]
    if (most === undefined)
      throw new Error(`unknown limit ${name}; the limits are ${Object.keys(defaultLimits).join(', ')}`)
    if (!(Number.isInteger(value) && value >= 0 && value <= most)) throw new Error(`${name} is at most ${most}`)
  }
  return { ...defaultLimits, ...lower }
}
/** Specification, Limits. Characters are Unicode code points. */
export const MAX_TOPIC_LENGTH = 60
/** Specification, Limits: default of the server setting MAX_EMOJI_FILE_SIZE_MIB. */
export const DEFAULT_MAX_EMOJI_FILE_SIZE_MIB = 5

/** Default of the server setting for uploads. */
export const DEFAULT_MAX_FILE_UPLOAD_SIZE_MIB = 25
/** Default of the option for files that no message refers to. */
export const DEFAULT_UNUSED_FILE_DAYS = 35
export const DEFAULT_RESERVE_MIB = 64
/** Seconds after which an unfinished upload is deleted. */
export const UPLOAD_SECONDS = 3600
/** The same for an upload in several requests, after the last of them. */
export const RESUMABLE_UPLOAD_SECONDS = 24 * 3600
/** Files of one user. */
export const MAX_FILES_PER_USER = 20_000
/** Custom emoji that were ever uploaded. Old messages refer to all of them, and every client gets the list. */
export const MAX_CUSTOM_EMOJI = 10_000
export const MAX_PROFILE_FIELDS = 1000
/** User groups, including deactivated ones. Messages refer to them, and every client gets the list. */
export const MAX_GROUPS = 10_000
/** Unfinished uploads of one user. */
export const MAX_UNFINISHED_UPLOADS = 100
/** Bytes of an archive that an owner uploads for an import. Larger ones lie on the server. */
export const MAX_IMPORT_BYTES = 20 * 1024 ** 3
/** Characters of a file's name that are kept. */
export const MAX_FILE_NAME_LENGTH = 100
/** A file can be fetched by a temporary address this long. */
export const TEMPORARY_LINK_SECONDS = 60
/** Seconds that deleted bytes stay, for downloads in progress. */
export const DROPPED_BLOB_SECONDS = 900

/** The largest avatar, icon or logo. */
export const MAX_PICTURE_MIB = 5
/** Pixels of an image that gets thumbnails. Larger ones are only stored. */
export const MAX_IMAGE_PIXELS = 50_000_000
/** Pixels of all frames of an animated thumbnail. */
export const MAX_ANIMATION_PIXELS = 30_000_000

export const MAX_EMOJI_SIDE_PIXELS = 2048
/** Pixels of all frames together: 50 of 1024 by 1024, or 800 of 256 by 256. */
export const MAX_EMOJI_ANIMATION_PIXELS = 52_428_800
export const MAX_STREAM_NAME_LENGTH = 60
export const MAX_STREAM_DESCRIPTION_LENGTH = 1024
export const MAX_FOLDER_NAME_LENGTH = 60
export const MAX_FOLDER_DESCRIPTION_LENGTH = 1024
export const MAX_FULL_NAME_LENGTH = 100
export const MAX_EMAIL_LENGTH = 254
export const MAX_GROUP_NAME_LENGTH = 100
export const MIN_PASSWORD_LENGTH = 6
/** Messages that one GET /messages may request. */
export const MAX_MESSAGES_PER_FETCH = 5000
/** Participants of a direct conversation, the sender included. */
export const MAX_DIRECT_PARTICIPANTS = 100
/** Streams that one request may subscribe to or unsubscribe from … */
export const MAX_SUBSCRIPTIONS = 20_000
/** … times the users it does that for. */
export const MAX_SUBSCRIPTION_PAIRS = 200_000
/** A request that subscribes more users tells nobody by direct message. */
export const MAX_BULK_NEW_SUBSCRIPTION_MESSAGES = 100
/** Ids in one list parameter. */
export const MAX_LIST_LENGTH = 50_000

/** Seconds after which clients give up a poll without a response. */
export const LONG_POLL_SECONDS = 90
/** How often queues are saved and unneeded data is removed. */
export const SWEEP_SECONDS = 30
export const HEARTBEAT_SECONDS = 45
export const DEFAULT_QUEUE_LIFESPAN_SECONDS = 600
export const MAX_QUEUE_LIFESPAN_SECONDS = 7 * 24 * 3600
/** Requested by mobile apps, which are suspended for days. */
export const MOBILE_QUEUE_LIFESPAN_SECONDS = 12 * 3600
/** How long repeated sends are recognized. */
export const SEND_RECEIPT_SECONDS = 7 * 24 * 3600

/** How long a link that sets a password works. */
export const PASSWORD_LINK_SECONDS = 24 * 3600

/** How long a request with an Idempotency-Key is recognized. */
export const IDEMPOTENCY_KEY_SECONDS = 24 * 3600

export const FEATURE_LEVEL = 489
export const API_VERSION = '12.0'

export const lengthOf = (text: string): number => [...text].length

/** The display name of an empty topic for clients that don't know empty topics (feature level 334). */
export const EMPTY_TOPIC_DISPLAY_NAME = 'general chat'

export const MAX_STATUS_TEXT_LENGTH = 60
export const MAX_ALERT_WORD_LENGTH = 100

export const PRESENCE_PING_SECONDS = 60
/** A user without a report for this long counts as offline. */
export const PRESENCE_OFFLINE_SECONDS = 140
/** Above this many active people, presence is not sent as events, like upstream. */
export const MAX_PRESENCE_EVENT_USERS = 100
export const TYPING_STARTED_EXPIRY_MS = 15_000
export const TYPING_STOPPED_WAIT_MS = 5_000
export const TYPING_STARTED_WAIT_MS = 10_000

export const MAX_SNIPPET_TITLE_LENGTH = 60
export const MAX_REMINDER_NOTE_LENGTH = 1000
export const MAX_WELCOME_TEXT_LENGTH = 8000
export const MAX_TERMS_LENGTH = 10_000
export const MAX_REPORT_LENGTH = 1000
/** How long closed reports stay, which contain texts of messages. */
export const CLOSED_REPORT_SECONDS = 90 * 24 * 3600
/** Changes of subscription settings in one request: they are one write. */
export const MAX_SUBSCRIPTION_CHANGES = 1000
/** Drafts in one request. */
export const MAX_DRAFTS_PER_REQUEST = 1000
