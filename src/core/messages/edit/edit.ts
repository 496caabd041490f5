import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { accessMessage, type Message } from '../../access/messages.ts'
import { requireVoice } from '../../access/silence.ts'
import { action } from '../../kernel/action.ts'
import { storedTopicName } from '../../kernel/base/topic-name.ts'
import type { Caller, Tx } from '../../kernel/context.ts'
import { badRequest, ChatError, invalidStream } from '../../kernel/errors.ts'
import { bool, described, id, text } from '../../kernel/fields.ts'
import { requireEstablished } from '../../review/newcomers.ts'
import { settingsOf } from '../../settings/organization.ts'
import { type AttachmentView, attachmentShape } from '../../shapes/attachment.ts'
import { type AccessedStream, accessStream, canReadStream } from '../../streams/access.ts'
import { requireAdmittedTopic } from '../../streams/topics-policy.ts'
import { requireUnblockedIn } from '../../users/blocks.ts'
import { finishMove } from '../move/finish.ts'
import { type Counted, countMovable } from '../move/movable.ts'
import { moveMessages } from '../move/move.ts'
import type { Destination } from '../move/move-details.ts'
import { placeOf } from '../move/relocate.ts'
import { isResolveToggle, truncateResolved } from '../move/resolved-topics.ts'
import { isOlder, requireStreamMove, requireTopicMove } from '../move/rules.ts'
import { propagateMode } from '../move/selection.ts'
import { topicMatches } from '../send/content-filters.ts'
import { type Prepared, prepare } from '../send/prepare.ts'
import { requirePosting, requireTopicCreation, resolveTopic } from '../send/recipient.ts'
import { editContent } from './content.ts'

/** Throws unless the caller may change the message's content. */
async function requireContentEdit(caller: Caller, message: Message): Promise<void> {
  const settings = await settingsOf(caller)
  if (!settings.allow_message_editing) throw badRequest('Your organization has turned off message editing')
  if (message.sender_id !== caller.user.id) throw badRequest("You don't have permission to edit this message")
  if (isOlder(caller, message, settings.message_content_edit_limit_seconds)) {
    throw badRequest('The time limit for editing this message has passed')
  }
  const widget = await caller.db
    .selectFrom('submessage')
    .select('id')
    .where('message_id', '=', message.id)
    .executeTakeFirst()
  if (widget) throw badRequest('Widgets cannot be edited.')
}

const params = v.object({
  message_id: described(id, 'ID of the message.'),
  content: described(v.nullish(text), 'The new text, in Markdown.'),
  topic: described(v.nullish(text), 'The new topic.'),
  subject: described(v.nullish(text), 'Deprecated name of `topic`.'),
  stream_id: described(v.nullish(id), 'ID of the channel to move to.'),
  propagate_mode: described(
    v.nullish(propagateMode, 'change_one'),
    'Which messages of the topic move: change_one, change_later or change_all.',
  ),
  send_notification_to_old_thread: described(v.nullish(bool, false), 'Whether to post a notice in the old topic.'),
  send_notification_to_new_thread: described(v.nullish(bool, true), 'Whether to post a notice in the new topic.'),
  prev_content_sha256: described(
    v.nullish(text),
    'SHA-256 of the text before the edit, in hexadecimal. The edit is rejected if the text has changed since.',
  ),
})
type Params = v.InferOutput<typeof params>

/**
 * PATCH /messages/{message_id}: changes a message's content, topic or stream, and the topic and stream of other
 * messages of its topic.
 *
 * @throws BAD_REQUEST "Invalid message(s)" for an unknown or hidden message; also without the permission to change it,
 * and after the time limit
 * @throws EXPECTATION_MISMATCH if `prev_content_sha256` doesn't match the current content
 * @throws SILENCED while a moderator has silenced the caller
 * @throws STREAM_WILDCARD_MENTION_NOT_ALLOWED, TOPIC_WILDCARD_MENTION_NOT_ALLOWED if the new content needs the permission
 * @throws MOVE_MESSAGES_TIME_LIMIT_EXCEEDED if some of the messages to move are too old
 * @example
 * await updateMessage(caller, { message_id, content: 'Shall we meet **tomorrow**?' })
 */
export const updateMessage = action(
  {
    name: 'updateMessage',
    summary: 'Edit a message',
    audit: {
      subject: 'message',
      id: ({ message_id }) => message_id,
      // Edits of the text are in the history of the message.
      when: ({ stream_id, topic, subject }) => (stream_id ?? topic ?? subject) != null,
    },
    params,
    result: v.strictObject({ detached_uploads: v.array(attachmentShape) }),
    errors: [
      'EXPECTATION_MISMATCH',
      'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
      'SILENCED',
      'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
      'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
    ],
  },
  async (caller, requested) => {
    // Some clients empty a message instead of deleting it.
    const content = requested.content?.trim() === '' ? '(deleted)' : requested.content
    const prepared = content == null ? undefined : await prepare(caller, content)
    const counted = await countedBefore(caller, requested)
    const { unfinished, detached_uploads } = await caller.write(async (tx) => {
      const message = await accessMessage(tx, requested.message_id)
      await requireVoice(tx)
      await requireUnblockedIn(tx, message)
      if (prepared) await checkContentEdit(tx, message, requested)
      const destination = await destinationOf(tx, message, requested)
      if (!prepared && !destination) throw badRequest('Nothing to change')
      if (prepared && destination && destination.stream.id !== message.conversation_id) {
        throw badRequest('Cannot change message content while changing channel')
      }
      return perform(tx, message, prepared, destination, requested, counted)
    })
    if (unfinished !== undefined) await finishMove(caller, unfinished)
    return { detached_uploads }
  },
)

/** Counts the messages of a topic that is moved as a whole. The write decides whether they may be moved. */
async function countedBefore(
  caller: Caller,
  { message_id, propagate_mode, stream_id }: Params,
): Promise<Counted | undefined> {
  if (propagate_mode !== 'change_all') return undefined
  const message = await caller.db
    .selectFrom('message')
    .select(['topic_id', 'conversation_id'])
    .where('id', '=', message_id)
    .executeTakeFirst()
  return message && countMovable(caller, message, stream_id)
}

async function perform(
  tx: Tx,
  message: Message,
  prepared: Prepared | undefined,
  destination: Destination | undefined,
  requested: Params,
  counted: Counted | undefined,
): Promise<{ unfinished?: number | undefined; detached_uploads: AttachmentView[] }> {
  const edited = prepared && prepared.content !== message.content
  const detached_uploads = edited ? await editContent(tx, message, prepared) : []
  if (!destination) return { detached_uploads }
  const options = {
    mode: requested.propagate_mode,
    notifyOldThread: requested.send_notification_to_old_thread,
    notifyNewThread: requested.send_notification_to_new_thread,
  }
  const unfinished = await moveMessages(tx, message, destination, options, counted)
  return { unfinished, detached_uploads }
}

async function checkContentEdit(tx: Tx, message: Message, { prev_content_sha256 }: Params): Promise<void> {
  await requireContentEdit(tx, message)
  if (prev_content_sha256 == null) return
  const now = createHash('sha256').update(message.content).digest('hex')
  if (now === prev_content_sha256) return
  throw new ChatError('EXPECTATION_MISMATCH', "'prev_content_sha256' value does not match the expected value.")
}

/**
 * Returns the message's new stream and topic, or undefined if it isn't moved. Throws if the caller may not move it.
 */
async function destinationOf(tx: Tx, message: Message, requested: Params): Promise<Destination | undefined> {
  const topic = requested.topic ?? requested.subject ?? undefined
  const stream_id = requested.stream_id ?? undefined
  if (message.topic_id === null) {
    if (stream_id !== undefined) throw badRequest('Direct messages cannot be moved to channels.')
    if (topic !== undefined) throw badRequest('Direct messages cannot have topics.')
    return undefined
  }
  const from = await placeOf(tx, message)
  if (from.stream.is_archived) throw invalidStream()
  const newTopic = topic === undefined ? from.topic : editedTopic(topic)
  const toStream = stream_id !== undefined && stream_id !== from.stream.id
  if (newTopic === from.topic && !toStream) return undefined
  await requireEstablished(tx)
  if (newTopic !== from.topic) await requireTopicMove(tx, message, from.topic, newTopic)
  if (toStream) await requireStreamMove(tx, message)
  const to = { stream: toStream ? await streamToMoveTo(tx, stream_id) : from.stream, topic: newTopic }
  await requireAdmittedTopic(tx, to.stream, newTopic)
  if (toStream || !isResolveToggle(from.topic, newTopic)) await requireTopicCreation(tx, to.stream, newTopic)
  if (!isResolveToggle(from.topic, newTopic)) await topicMatches(tx, to.stream.id, newTopic)
  return to
}

function editedTopic(requested: string): string {
  const topic = requested.trim()
  const isGeneralChat = storedTopicName(topic.replace(/^✔ ?/, '')) === ''
  if (topic.startsWith('✔') && isGeneralChat) throw badRequest('General chat cannot be marked as resolved')
  return resolveTopic(truncateResolved(topic))
}

/** Moving a message into a stream requires the permission to post there. */
async function streamToMoveTo(tx: Tx, stream_id: number): Promise<AccessedStream> {
  const stream = await accessStream(tx, stream_id)
  if (!canReadStream(stream, tx.user)) throw invalidStream()
  await requirePosting(tx, stream)
  return stream
}
