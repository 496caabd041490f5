import { displayTopicName } from '../../kernel/base/topic-name.ts'
import type { User } from '../../kernel/user.ts'
import type { MessageFlag } from '../../shapes/message.ts'
import { shownAvatarUrl } from '../../users/avatars/avatar-url.ts'
import type { LogEntry } from '../log/log.ts'
import type { Queue } from '../log/queues.ts'
import type { LoggedEvent } from '../types/table.ts'
import type { EventReader } from './compat.ts'

/**
 * Returns a message event as JSON for one reader: the shared text of their variant with their own flags and local id.
 */
export function messagePayloads(
  { id, texts }: LogEntry,
  event: LoggedEvent<'message'>,
  queue: Queue,
  { user, unknown }: EventReader,
): string[] {
  const { apply_markdown, client_gravatar, capabilities } = queue.options
  const emptyTopic = capabilities.empty_topic_name === true
  const stranger = unknown.get(event.message.sender_id)
  const variant = `${apply_markdown ? 'html' : 'text'} ${client_gravatar} ${emptyTopic}${stranger ? ' unknown' : ''}`
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
  return [`${shared},"flags":${JSON.stringify(flagsFor(event, user))}${echoOf(event, queue)},"id":${id}}`]
}

/** Returns a new message's flags for one reader. */
export function flagsFor(event: LoggedEvent<'message'>, user: Pick<User, 'id'>): MessageFlag[] {
  const flags: MessageFlag[] = [
    ...(event.message.sender_id === user.id && event.read_by_sender ? (['read'] as const) : []),
    ...(event.unread_for && !event.unread_for[user.id] ? (['read'] as const) : []),
    ...(event.flags_of[user.id] ?? []),
    ...event.flags,
  ]
  return [...new Set(flags)]
}

/** The client's own id for the message, only for the queue that sent it (specification, Events). */
function echoOf({ echo, message }: LoggedEvent<'message'>, queue: Queue): string {
  // A sender may give the id of any queue, even another user's.
  if (echo?.queue_id !== queue.id || message.sender_id !== queue.user_id) return ''
  const local_id = JSON.stringify(echo.local_id)
  return `,"local_id":${local_id},"local_message_id":${local_id}`
}
