import * as v from 'valibot'
import { emojiEntries } from './emoji.ts'
import { id, unixTime } from './values.ts'

/** Flags of a message for one reader. Clients fail on any other. */
export const messageFlags = [
  'read',
  'starred',
  'collapsed',
  'mentioned',
  'wildcard_mentioned',
  'stream_wildcard_mentioned',
  'topic_wildcard_mentioned',
  'has_alert_word',
  'historical',
] as const
export const messageFlag = v.picklist(messageFlags)
export type MessageFlag = v.InferOutput<typeof messageFlag>

export const reactionShape = v.strictObject({ user_id: id, ...emojiEntries })
export type ReactionView = v.InferOutput<typeof reactionShape>

/** A step of a poll, a to-do list or another widget; `content` is JSON. */
export const submessageShape = v.strictObject({
  id,
  message_id: id,
  sender_id: id,
  msg_type: v.string(),
  content: v.string(),
})
export type SubmessageView = v.InferOutput<typeof submessageShape>

export const topicLinkShape = v.strictObject({ text: v.string(), url: v.string() })

/** A participant of a direct conversation. */
export const recipientShape = v.strictObject({
  id,
  email: v.string(),
  full_name: v.string(),
  is_mirror_dummy: v.boolean(),
})

/** One change of a message, in the message itself. */
export const editHistoryEntryShape = v.strictObject({
  user_id: v.nullable(id),
  timestamp: unixTime,
  prev_content: v.exactOptional(v.string()),
  prev_rendered_content: v.exactOptional(v.nullable(v.string())),
  prev_topic: v.exactOptional(v.string()),
  topic: v.exactOptional(v.nullable(v.string())),
  prev_stream: v.exactOptional(id),
  stream: v.exactOptional(v.nullable(id)),
})
export type EditHistoryEntry = v.InferOutput<typeof editHistoryEntryShape>

/** A message after one change, with the values before it. */
export const messageSnapshotShape = v.strictObject({
  topic: v.string(),
  content: v.string(),
  rendered_content: v.string(),
  user_id: v.nullable(id),
  timestamp: unixTime,
  prev_content: v.exactOptional(v.string()),
  prev_rendered_content: v.exactOptional(v.string()),
  /** The additions and deletions, as HTML. */
  content_html_diff: v.exactOptional(v.string()),
  prev_topic: v.exactOptional(v.string()),
  prev_stream: v.exactOptional(id),
  stream: v.exactOptional(v.nullable(id)),
})
export type MessageSnapshot = v.InferOutput<typeof messageSnapshotShape>

const common = {
  id,
  sender_id: id,
  recipient_id: id,
  timestamp: unixTime,
  /** The program that sent it. */
  client: v.string(),
  is_me_message: v.boolean(),
  reactions: v.array(reactionShape),
  submessages: v.array(submessageShape),
  topic_links: v.array(topicLinkShape),
  sender_full_name: v.string(),
  sender_email: v.string(),
  sender_realm_str: v.string(),
}
const inStream = {
  type: v.literal('stream'),
  stream_id: id,
  /** The stream's name. */
  display_recipient: v.string(),
  /** The topic. */
  subject: v.string(),
}
const direct = {
  type: v.literal('private'),
  /** All participants, including the sender. */
  display_recipient: v.array(recipientShape),
  /** Always empty. */
  subject: v.string(),
}

/** The part that is the same for every reader, as the log stores it. */
export const loggedMessageShape = v.variant('type', [
  v.strictObject({ ...common, ...inStream }),
  v.strictObject({ ...common, ...direct }),
])
export type LoggedMessage = v.InferOutput<typeof loggedMessageShape>

const rendered = {
  /** HTML, or Markdown if the reader asked for it. */
  content: v.string(),
  content_type: v.picklist(['text/html', 'text/x-markdown']),
  /** null if the reader computes Gravatar addresses itself. */
  avatar_url: v.nullable(v.string()),
}

/** A message as in its event, where the flags are outside of the message. */
export const sentMessageShape = v.variant('type', [
  v.strictObject({ ...common, ...inStream, ...rendered }),
  v.strictObject({ ...common, ...direct, ...rendered }),
])

const fetched = {
  ...rendered,
  flags: v.array(messageFlag),
  last_edit_timestamp: v.exactOptional(unixTime),
  last_moved_timestamp: v.exactOptional(unixTime),
  /** Newest first. */
  edit_history: v.exactOptional(v.array(editHistoryEntryShape)),
  /** HTML with search matches highlighted. */
  match_content: v.exactOptional(v.string()),
  match_subject: v.exactOptional(v.string()),
}

export const streamMessageShape = v.strictObject({ ...common, ...inStream, ...fetched })
export type StreamMessage = v.InferOutput<typeof streamMessageShape>

export const directMessageShape = v.strictObject({ ...common, ...direct, ...fetched })
export type DirectMessage = v.InferOutput<typeof directMessageShape>

/** A message as one reader fetches it. `type` distinguishes the two kinds. */
export const messageShape = v.variant('type', [streamMessageShape, directMessageShape])
export type MessageView = v.InferOutput<typeof messageShape>

/** A message to be sent later. */
export const scheduledMessageShape = v.variant('type', [
  v.strictObject({
    type: v.literal('stream'),
    scheduled_message_id: id,
    /** The stream's id. */
    to: id,
    topic: v.string(),
    content: v.string(),
    rendered_content: v.string(),
    scheduled_delivery_timestamp: unixTime,
    failed: v.boolean(),
  }),
  v.strictObject({
    type: v.literal('private'),
    scheduled_message_id: id,
    /** Ids of the others in the conversation. */
    to: v.array(id),
    content: v.string(),
    rendered_content: v.string(),
    scheduled_delivery_timestamp: unixTime,
    failed: v.boolean(),
  }),
])
export type ScheduledMessageView = v.InferOutput<typeof scheduledMessageShape>
