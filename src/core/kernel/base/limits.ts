/** Specification, Limits. */
export const MAX_MESSAGE_BYTES = 10_000
/** Limits that `openChat({ limits })` lowers, for tests of clients that have to meet them. */
export const defaultLimits = {
  messageBytes: MAX_MESSAGE_BYTES,
  /** Approximate characters of the messages in one answer; a larger window is cut to those nearest the anchor. */
  answerCharacters: 10_000_000,
  queuesPerUser: 100,
  draftsPerUser: 10_000,
  scheduledPerUser: 10_000,
  snippetsPerUser: 1000,
  remindersPerUser: 10_000,
  navigationViewsPerUser: 1000,
  mutedUsersPerUser: 1000,
  /** Every message is compared with all of them. */
  alertWordsPerUser: 500,
  /** Characters each bot may store with PUT /bot_storage, keys included. */
  botStorageCharacters: 10_000_000,
}
export type Limits = typeof defaultLimits

/** These limits in place of the default ones. Throws for an unknown name, and a number that is not lower. */
export function limitsWith(lower: Partial<Limits> = {}): Limits {
  for (const [name, value] of Object.entries(lower)) {
    const most = (defaultLimits as Readonly<Record<string, number>>)[name]
    if (most === undefined)
      throw new Error(`there is no limit ${name}; there are ${Object.keys(defaultLimits).join(', ')}`)
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
/** An upload goes if it is not finished after this. */
export const UPLOAD_SECONDS = 3600
/** The same for one in several requests, after the last of them. */
export const RESUMABLE_UPLOAD_SECONDS = 24 * 3600
/** Files of one user. */
export const MAX_FILES_PER_USER = 20_000
/** Custom emoji that were ever uploaded: old messages refer to all of them, and every client gets the list. */
export const MAX_CUSTOM_EMOJI = 10_000
export const MAX_PROFILE_FIELDS = 1000
/** User groups, deactivated ones included: messages refer to those, and every client gets the list. */
export const MAX_GROUPS = 10_000
/** Uploads that one user may have under way. */
export const MAX_UNFINISHED_UPLOADS = 100
/** Characters of a file's name that are kept. */
export const MAX_FILE_NAME_LENGTH = 100
/** A file can be fetched by a temporary address this long. */
export const TEMPORARY_LINK_SECONDS = 60
/** Bytes that were deleted stay this long for those who are reading them. */
export const DROPPED_BLOB_SECONDS = 900

/** Of the pictures that users and the organization are known by. */
export const MAX_PICTURE_MIB = 5
/** Pixels of an image that smaller copies are made of; what is larger is only kept. */
export const MAX_IMAGE_PIXELS = 50_000_000
/** Of all frames that a moving copy has. */
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

/** Milliseconds after which clients give up a poll without an answer. */
export const LONG_POLL_SECONDS = 90
/** How often queues are saved, and what nobody needs is removed. */
export const SWEEP_SECONDS = 30
export const HEARTBEAT_SECONDS = 45
export const DEFAULT_QUEUE_LIFESPAN_SECONDS = 600
export const MAX_QUEUE_LIFESPAN_SECONDS = 7 * 24 * 3600
/** What mobile apps request, which are suspended for days. */
export const MOBILE_QUEUE_LIFESPAN_SECONDS = 12 * 3600
/** How long repeated sends are recognised. */
export const SEND_RECEIPT_SECONDS = 7 * 24 * 3600

/** How long a link that sets a password works. */
export const PASSWORD_LINK_SECONDS = 24 * 3600

/** How long a request with an Idempotency-Key is recognised. */
export const IDEMPOTENCY_KEY_SECONDS = 24 * 3600

export const FEATURE_LEVEL = 371
export const API_VERSION = '10.0'

export const lengthOf = (text: string): number => [...text].length

/** What clients that do not know empty topics are shown for one (feature level 334). */
export const EMPTY_TOPIC_DISPLAY_NAME = 'general chat'

export const MAX_STATUS_TEXT_LENGTH = 60
export const MAX_ALERT_WORD_LENGTH = 100

export const PRESENCE_PING_SECONDS = 60
/** After this time without a report somebody counts as offline. */
export const PRESENCE_OFFLINE_SECONDS = 140
/** Above so many active people presence is not sent as events, as upstream. */
export const MAX_PRESENCE_EVENT_USERS = 100
export const TYPING_STARTED_EXPIRY_MS = 15_000
export const TYPING_STOPPED_WAIT_MS = 5_000
export const TYPING_STARTED_WAIT_MS = 10_000

export const MAX_SNIPPET_TITLE_LENGTH = 60
export const MAX_REMINDER_NOTE_LENGTH = 1000
/** Changes of subscription settings in one request: they are one write. */
export const MAX_SUBSCRIPTION_CHANGES = 1000
/** Drafts in one request. */
export const MAX_DRAFTS_PER_REQUEST = 1000
