import * as v from 'valibot'

/** The neutral format between readers and the writer: records, as lines of JSON. docs/operate/import-format.md describes it. */
export const FORMAT = 'chat-server-import'
export const FORMAT_VERSION = 1

/** A message's text is longer nowhere else; the rest is left out and reported. */
export const MAX_CONTENT = 100_000
const MAX_TEXT = 2_000
const MAX_LIST = 1_000_000

/** Every string is well-formed Unicode without control characters, which databases and clients don't accept. */
const control = /(?![\t\n])\p{Cc}/gu
const clean = (text: string): string => text.toWellFormed().replace(control, '')
const line = v.pipe(
  v.string(),
  v.maxLength(MAX_TEXT, `is longer than ${MAX_TEXT} characters`),
  v.transform((text) => clean(text).replace(/\s+/g, ' ').trim()),
)
const longText = v.pipe(v.string(), v.maxLength(MAX_CONTENT), v.transform(clean))
const id = v.pipe(v.string(), v.nonEmpty('is empty'), v.maxLength(200, 'is longer than 200 characters'))
const ids = v.pipe(v.array(id), v.maxLength(MAX_LIST))
/** Seconds since 1970, with fractions where the source has them. In the years 1 to 9999, which every date can show. */
const time = v.pipe(
  v.number(),
  v.finite(),
  v.minValue(-62_135_596_800, 'it is outside the years 1 to 9999'),
  v.maxValue(253_402_300_799, 'it is outside the years 1 to 9999'),
)
const count = v.pipe(v.number(), v.integer(), v.minValue(0))

export const sources = ['zulip', 'slack', 'mattermost', 'rocketchat', 'discord', 'jsonl'] as const
export type SourceName = (typeof sources)[number]
export const roleNames = ['owner', 'administrator', 'moderator', 'member', 'guest'] as const

const header = v.object({
  type: v.literal('header'),
  format: v.literal(FORMAT, `must be "${FORMAT}"`),
  version: v.literal(FORMAT_VERSION, `must be ${FORMAT_VERSION}`),
  source: v.picklist(sources),
})

const user = v.object({
  type: v.literal('user'),
  id,
  name: line,
  email: v.optional(line),
  role: v.optional(v.picklist(roleNames)),
  /** False for a deactivated account. */
  active: v.optional(v.boolean()),
  bot: v.optional(v.boolean()),
  /** The owner of a bot. */
  owner: v.optional(id),
  joined: v.optional(time),
  timezone: v.optional(line),
  /** An entry of the archive. */
  avatar: v.optional(v.string()),
  status: v.optional(v.object({ text: v.optional(line), emoji: v.optional(line) })),
  /** Values of custom profile fields, by the field's id. */
  profile: v.optional(v.record(v.string(), v.string())),
  alert_words: v.optional(v.array(line)),
  muted_users: v.optional(ids),
  /** One of the server's own accounts: notices, greetings, or messages by email. */
  system: v.optional(v.picklist(['notification', 'welcome', 'mail'])),
  /** Has messages here and can't sign in. */
  stub: v.optional(v.boolean()),
  /** The hash of their password, as Django or bcrypt writes it. */
  password: v.optional(line),
})

const profileField = v.object({
  type: v.literal('profile_field'),
  id,
  name: line,
  hint: v.optional(line),
  kind: v.optional(v.picklist(['short_text', 'long_text', 'link'])),
})

const group = v.object({
  type: v.literal('group'),
  id,
  name: line,
  description: v.optional(line),
  members: ids,
  subgroups: v.optional(ids),
  active: v.optional(v.boolean()),
})

const emoji = v.object({
  type: v.literal('emoji'),
  name: line,
  /** An entry of the archive. */
  path: v.string(),
  author: v.optional(id),
  active: v.optional(v.boolean()),
})

const linkifier = v.object({ type: v.literal('linkifier'), pattern: v.string(), url_template: v.string() })

/** Who can send messages in a channel, from the fewest people to the most. */
export const senderNames = [
  'nobody',
  'owners',
  'administrators',
  'moderators',
  'fullmembers',
  'members',
  'everyone',
] as const

const channel = v.object({
  type: v.literal('channel'),
  id,
  name: line,
  description: v.optional(line),
  created: v.optional(time),
  creator: v.optional(id),
  private: v.optional(v.boolean()),
  /** Of a private channel: members see only messages that they received. */
  protected_history: v.optional(v.boolean()),
  web_public: v.optional(v.boolean()),
  archived: v.optional(v.boolean()),
  /** Everyone unless given. */
  can_send: v.optional(v.picklist(senderNames)),
  /** New members are subscribed. */
  default: v.optional(v.boolean()),
  retention_days: v.optional(v.pipe(v.number(), v.integer(), v.minValue(-1))),
})

const subscription = v.object({
  type: v.literal('subscription'),
  channel: id,
  user: id,
  muted: v.optional(v.boolean()),
  pinned: v.optional(v.boolean()),
  color: v.optional(v.pipe(v.string(), v.regex(/^#[0-9a-f]{6}$/, 'must be like #76ce90'))),
  /** Later messages are unread. Without it, all messages are read. */
  read_until: v.optional(time),
})

const topicPolicy = v.object({
  type: v.literal('topic_policy'),
  channel: id,
  topic: line,
  user: id,
  policy: v.picklist(['muted', 'unmuted', 'followed']),
})

const file = v.object({
  type: v.literal('file'),
  id,
  name: line,
  /** An entry of the archive. */
  path: v.string(),
  user: v.optional(id),
  date: v.optional(time),
  content_type: v.optional(line),
})

const edit = v.object({
  date: time,
  user: v.optional(id),
  content: v.optional(longText),
  topic: v.optional(line),
  /** The topic that it was moved to then; the message's own unless given. */
  new_topic: v.optional(line),
})

const message = v.object({
  type: v.literal('message'),
  id,
  user: id,
  date: time,
  channel: v.optional(id),
  topic: v.optional(line),
  /** People of a direct conversation; the sender may be left out. */
  direct: v.optional(v.pipe(ids, v.maxLength(1000))),
  content: v.string(),
  client: v.optional(line),
  edited: v.optional(time),
  moved: v.optional(time),
  /** Its earlier versions, newest first. */
  edits: v.optional(v.array(edit)),
  reactions: v.optional(v.pipe(v.array(v.object({ emoji: line, user: id })), v.maxLength(100_000))),
  /** Who pinned it in its channel, and when; at its own date unless given. */
  pinned: v.optional(v.object({ user: id, date: v.optional(time) })),
  starred: v.optional(ids),
  mentioned: v.optional(ids),
  collapsed: v.optional(ids),
  /** People whose alert words it contains, and people it mentions as followers of its topic. */
  alerted: v.optional(ids),
  topic_mentioned: v.optional(ids),
  unread: v.optional(ids),
  /** Of a channel with protected history: people who received it. */
  received: v.optional(ids),
  /** Polls and to-do lists: the JSON that starts it, unless the content does, and then each vote and change. */
  widget: v.optional(v.pipe(v.array(v.object({ user: id, content: v.string() })), v.maxLength(100_000))),
})

const snippet = v.object({
  type: v.literal('snippet'),
  user: id,
  title: line,
  content: longText,
  created: v.optional(time),
})

const draft = v.object({
  type: v.literal('draft'),
  user: id,
  channel: v.optional(id),
  topic: v.optional(line),
  direct: v.optional(ids),
  /** May contain references, as in a message. */
  content: v.pipe(v.string(), v.maxLength(MAX_CONTENT)),
  edited: v.optional(time),
})

/** A message to be sent later. Those that are due before the import are left out. */
const scheduledMessage = v.object({
  type: v.literal('scheduled_message'),
  user: id,
  /** When to send it. */
  date: time,
  channel: v.optional(id),
  topic: v.optional(line),
  /** People of a direct conversation; the sender may be left out. */
  direct: v.optional(v.pipe(ids, v.maxLength(1000))),
  content: v.pipe(v.string(), v.maxLength(MAX_CONTENT)),
})

/** A person is reminded of a message later. It stands before or after the message. */
const reminder = v.object({
  type: v.literal('reminder'),
  user: id,
  message: id,
  date: time,
  note: v.optional(longText),
})

/** Records that a reader left out, so that the report's totals match the source. */
const leftOut = v.object({
  type: v.literal('left_out'),
  kind: line,
  reason: line,
  place: line,
  count: v.optional(count),
})
/** What a reader changed. */
const changed = v.object({ type: v.literal('changed'), kind: line, reason: line, place: line })

export const record = v.variant('type', [
  header,
  user,
  profileField,
  group,
  emoji,
  linkifier,
  channel,
  subscription,
  topicPolicy,
  file,
  message,
  snippet,
  draft,
  scheduledMessage,
  reminder,
  leftOut,
  changed,
])

export type ImportRecord = v.InferOutput<typeof record>
/** As a reader makes it, before it is checked. */
export type NewRecord = v.InferInput<typeof record>
export type RecordOf<T extends ImportRecord['type']> = Extract<ImportRecord, { type: T }>

/** A record and where it is in the source, for messages to people. */
export interface Placed {
  record: NewRecord
  place: string
}

/** A reference inside a message's content: it becomes a mention or a link with the new id. */
const START = '\u0002'
const END = '\u0003'
export const reference = (kind: ReferenceKind, id: string): string => `${START}${kind}:${id}${END}`
const kinds = ['user', 'silent', 'group', 'channel', 'channel_id', 'topic', 'message', 'message_id', 'file'] as const
export type ReferenceKind = (typeof kinds)[number]
export const references = new RegExp(`${START}(${kinds.join('|')}):([^${START}${END}]{1,500})${END}`, 'g')

/** A text without broken references. */
export const withoutMarks = (text: string): string => text.replaceAll(START, '').replaceAll(END, '')

/** A content without control characters, except in references. */
const notReferences = new RegExp(`(?![\\t\\n${START}${END}])\\p{Cc}`, 'gu')
export const cleanContent = (text: string): string =>
  text.toWellFormed().replaceAll('\r\n', '\n').replace(notReferences, '').trim()
