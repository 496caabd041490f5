import * as v from 'valibot'
import { draftShape, savedSnippetShape } from '../../shapes/draft.ts'
import { emojiEntries } from '../../shapes/emoji.ts'
import {
  loggedMessageShape,
  messageFlag,
  scheduledMessageShape,
  sentMessageShape,
  topicLinkShape,
} from '../../shapes/message.ts'
import { reminderShape } from '../../shapes/personal.ts'
import { id, ids, unixTime } from '../../shapes/values.ts'
import { event, eventByOp } from './define.ts'

const flags = v.array(messageFlag)

const edit = {
  /** null if only the rendering changed. */
  user_id: v.nullable(id),
  edit_timestamp: unixTime,
  /** The message that was edited; `message_ids` are all that moved. */
  message_id: id,
  message_ids: ids,
  rendering_only: v.boolean(),
  stream_id: v.exactOptional(id),
  stream_name: v.exactOptional(v.string()),
  // A changed text
  orig_content: v.exactOptional(v.string()),
  orig_rendered_content: v.exactOptional(v.string()),
  content: v.exactOptional(v.string()),
  rendered_content: v.exactOptional(v.string()),
  is_me_message: v.exactOptional(v.boolean()),
  // A changed topic or stream
  propagate_mode: v.exactOptional(v.picklist(['change_one', 'change_later', 'change_all'])),
  orig_subject: v.exactOptional(v.string()),
  subject: v.exactOptional(v.string()),
  topic_links: v.exactOptional(v.array(topicLinkShape)),
  new_stream_id: v.exactOptional(id),
}

const deletedFrom = {
  message_type: v.picklist(['stream', 'private']),
  stream_id: v.exactOptional(id),
  topic: v.exactOptional(v.string()),
}

const reaction = {
  user_id: id,
  message_id: id,
  ...emojiEntries,
}

const typist = v.strictObject({ user_id: id, email: v.string() })
const typing = {
  message_type: v.picklist(['stream', 'direct']),
  sender: typist,
  /** The participants of the direct conversation. */
  recipients: v.exactOptional(v.array(typist)),
  stream_id: v.exactOptional(id),
  topic: v.exactOptional(v.string()),
}
const typingEdit = {
  sender_id: id,
  message_id: id,
  recipient: v.variant('type', [
    v.strictObject({ type: v.literal('channel'), channel_id: id, topic: v.string() }),
    v.strictObject({ type: v.literal('direct'), user_ids: ids }),
  ]),
}

const changedFlags = {
  /** The same as `op`, for clients from before feature level 32. */
  operation: v.picklist(['add', 'remove']),
  flag: messageFlag,
  messages: ids,
  /** Whether it is about all messages. The list is then empty. */
  all: v.boolean(),
}

export const messageEvents = {
  message: event(
    'message',
    {
      message: loggedMessageShape,
      content: v.string(),
      rendered_content: v.string(),
      /** The data for the sender's avatar address, in the form that the reader wants. */
      sender_avatar_url: v.string(),
      read_by_sender: v.boolean(),
      /** Flags of all readers, and of individual readers by id. */
      flags,
      flags_of: v.record(v.string(), flags),
      /** Ids of the only readers who have it as unread at first; all if it is missing. */
      unread_for: v.exactOptional(v.record(v.string(), v.literal(true))),
      is_public_stream: v.boolean(),
      /** Data that narrows match against. */
      has: v.array(v.picklist(['link', 'image', 'attachment'])),
      /** The queue of the client that sent it, and that client's own id for the message. */
      echo: v.exactOptional(v.strictObject({ queue_id: v.string(), local_id: v.string() })),
    },
    {
      read: {
        message: sentMessageShape,
        flags,
        /** The client's own id for the message, sent only to the queue it was sent with (specification, Events). */
        local_id: v.exactOptional(v.string()),
        local_message_id: v.exactOptional(v.string()),
      },
    },
  ),

  update_message: event('update_message', edit, { read: { ...edit, flags } }),

  delete_message: event(
    'delete_message',
    { message_ids: ids, ...deletedFrom },
    {
      // Clients without the capability get one event per message.
      ids: ({ message_ids }) => Math.max(1, message_ids.length),
      read: { message_ids: v.exactOptional(ids), message_id: v.exactOptional(id), ...deletedFrom },
    },
  ),

  update_message_flags: eventByOp('update_message_flags', {
    add: changedFlags,
    remove: {
      ...changedFlags,
      /** What a client needs to count messages marked as unread that it never loaded, by message id. */
      message_details: v.exactOptional(
        v.record(
          v.string(),
          v.variant('type', [
            v.strictObject({ type: v.literal('stream'), mentioned: v.boolean(), stream_id: id, topic: v.string() }),
            v.strictObject({ type: v.literal('private'), mentioned: v.boolean(), user_ids: ids }),
          ]),
        ),
      ),
    },
  }),

  /** The list of a channel's pinned messages changed. Moves and deletions have events of their own. */
  pinned_messages: event('pinned_messages', { stream_id: id }),

  reaction: eventByOp('reaction', { add: reaction, remove: reaction }),

  submessage: event('submessage', {
    msg_type: v.string(),
    content: v.string(),
    message_id: id,
    sender_id: id,
    submessage_id: id,
  }),

  typing: eventByOp('typing', { start: typing, stop: typing }, { transient: true }),
  typing_edit_message: eventByOp('typing_edit_message', { start: typingEdit, stop: typingEdit }, { transient: true }),

  scheduled_messages: eventByOp('scheduled_messages', {
    add: { scheduled_messages: v.array(scheduledMessageShape) },
    update: { scheduled_message: scheduledMessageShape },
    remove: { scheduled_message_id: id },
  }),

  drafts: eventByOp('drafts', {
    add: { drafts: v.array(draftShape) },
    update: { draft: draftShape },
    remove: { draft_id: id },
  }),
  reminders: eventByOp('reminders', {
    add: { reminders: v.array(reminderShape) },
    /** Also when it is delivered. */
    remove: { reminder_id: id },
  }),
  saved_snippets: eventByOp('saved_snippets', {
    add: { saved_snippet: savedSnippetShape },
    update: { saved_snippet: savedSnippetShape },
    remove: { saved_snippet_id: id },
  }),
}
