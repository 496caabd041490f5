import type { LogEntry } from '../event-log/log.ts'
import type { Queue } from '../event-log/queues.ts'
import type { MessageEvent } from '../messages/send/message-event.ts'
import { displayTopicName } from '../topic-name.ts'
import type { User } from '../user.ts'
import { avatarUrl } from '../users/view.ts'

/** A message event as JSON for one reader: the text of their variant, shared, and what is theirs alone. */
export function messagePayloads(entry: LogEntry, queue: Queue, user: User): string[] {
  const event = entry.payload as MessageEvent
  const { apply_markdown, client_gravatar, capabilities } = queue.options
  const emptyTopic = capabilities.empty_topic_name === true
  const variant = `${apply_markdown ? 'html' : 'text'} ${client_gravatar} ${emptyTopic}`
  let shared = entry.texts.get(variant)
  if (shared === undefined) {
    const { sender_id, sender_email } = event.message
    const message = {
      ...event.message,
      content: apply_markdown ? event.rendered_content : event.content,
      content_type: apply_markdown ? 'text/html' : 'text/x-markdown',
      avatar_url: avatarUrl({ ...event.sender_avatar, id: sender_id, email: sender_email }, client_gravatar),
      ...(event.message.type === 'stream' && { subject: displayTopicName(event.message.subject, emptyTopic) }),
    }
    shared = `{"type":"message","message":${JSON.stringify(message)}`
    entry.texts.set(variant, shared)
  }
  return [`${shared},"flags":${JSON.stringify(flagsFor(event, user))}${echoOf(event, queue)},"id":${entry.id}}`]
}

/** A new message's flags for one reader. */
export function flagsFor(event: MessageEvent, user: Pick<User, 'id'>): string[] {
  const flags = [
    ...(event.message.sender_id === user.id && event.read_by_sender ? ['read'] : []),
    ...(event.flags_of[user.id] ?? []),
    ...event.flags,
  ]
  return [...new Set(flags)]
}

/** The sender's own name for the message, for the queue that sent it and no other (specification, Events). */
function echoOf({ echo }: MessageEvent, queue: Queue): string {
  if (echo?.queue_id !== queue.id) return ''
  const local_id = JSON.stringify(echo.local_id)
  return `,"local_id":${local_id},"local_message_id":${local_id}`
}
