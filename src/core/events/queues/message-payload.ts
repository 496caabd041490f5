import type { FeedEvent } from '../../kernel/answers.ts'
import { displayTopicName } from '../../kernel/base/topic-name.ts'
import type { User } from '../../kernel/user.ts'
import type { MessageFlag } from '../../shapes/message.ts'
import { shownAvatarUrl } from '../../users/avatars/avatar-url.ts'
import type { LogEntry } from '../log/log.ts'
import type { Queue } from '../log/queues.ts'
import type { LoggedEvent } from '../types/table.ts'
import type { EventReader } from './compat.ts'

/** The variants by the bits of a reader's options. Making and hashing a name for each reader would take longer. */
const VARIANTS = Array.from({ length: 16 }, (_, bits) => `message ${bits}`)

/**
 * Returns a message event for one reader: the shared text of their variant with their own flags and local id.
 */
export function messagePayload(
  { id, texts }: LogEntry,
  event: LoggedEvent<'message'>,
  queue: Queue,
  { user, unknown }: EventReader,
): FeedEvent {
  const { apply_markdown, client_gravatar, capabilities } = queue.options
  const emptyTopic = capabilities.empty_topic_name === true
  const stranger = unknown.get(event.message.sender_id)
  const bits = Number(apply_markdown) + 2 * Number(client_gravatar) + 4 * Number(emptyTopic) + 8 * Number(!!stranger)
  const variant = VARIANTS[bits]!
  let shared = texts.get(variant)
  if (shared === undefined) {
    const message = {
      ...event.message,
      content: apply_markdown ? event.rendered_content : event.content,
      content_type: apply_markdown ? 'text/html' : 'text/x-markdown',
      avatar_url: shownAvatarUrl(event.sender_avatar_url, client_gravatar),
      ...(event.message.type === 'stream' && { subject: displayTopicName(event.message.subject, emptyTopic) }),
      ...(stranger && {
        sender_full_name: stranger.full_name,
        sender_email: stranger.email,
        avatar_url: stranger.avatar_url,
      }),
    }
    shared = `{"type":"message","message":${JSON.stringify(message)}`
    texts.set(variant, shared)
  }
  const flags = flagsFor(event, user)
  const json = `${shared},"flags":${flags.length === 0 ? '[]' : JSON.stringify(flags)}${echoOf(event, queue)},"id":${id}}`
  return { id, type: 'message', json }
}

/** Returns a new message's flags for one reader. */
export function flagsFor(event: LoggedEvent<'message'>, user: Pick<User, 'id'>): MessageFlag[] {
  const { message, read_by_sender, unread_for, flags_of } = event
  const isRead = (message.sender_id === user.id && read_by_sender) || (unread_for && !unread_for[user.id])
  const flags: MessageFlag[] = [...(isRead ? (['read'] as const) : []), ...(flags_of[user.id] ?? []), ...event.flags]
  return flags.length > 1 ? [...new Set(flags)] : flags
}

/** The client's own id for the message, only for the queue that sent it (specification, Events). */
function echoOf({ echo, message }: LoggedEvent<'message'>, queue: Queue): string {
  // A sender may give the id of any queue, even another user's.
  if (echo?.queue_id !== queue.id || message.sender_id !== queue.user_id) return ''
  const local_id = JSON.stringify(echo.local_id)
  return `,"local_id":${local_id},"local_message_id":${local_id}`
}
