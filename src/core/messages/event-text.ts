import type { User } from '../caller.ts'
import type { LogEntry } from '../events/log.ts'
import type { Queue } from '../events/queues.ts'
import { EMPTY_TOPIC_DISPLAY_NAME } from '../limits.ts'
import type { MessageEvent } from './event.ts'

/** A message event as JSON for one reader: the text of their variant, shared, and what is theirs alone. */
export function messageTexts(entry: LogEntry, queue: Queue, user: User): string[] {
  const event = entry.payload as MessageEvent
  const { apply_markdown, client_gravatar, capabilities } = queue.options
  const emptyTopic = capabilities.empty_topic_name === true
  const variant = `${apply_markdown ? 'html' : 'text'} ${client_gravatar} ${emptyTopic}`
  let shared = entry.texts.get(variant)
  if (shared === undefined) {
    const message = {
      ...event.message,
      content: apply_markdown ? event.rendered_content : event.content,
      content_type: apply_markdown ? 'text/html' : 'text/x-markdown',
      avatar_url: client_gravatar && event.sender_uses_gravatar ? null : event.sender_avatar_url,
      ...(!emptyTopic && event.message.subject === '' && event.message.type === 'stream'
        ? { subject: EMPTY_TOPIC_DISPLAY_NAME }
        : {}),
    }
    shared = `{"type":"message","message":${JSON.stringify(message)}`
    entry.texts.set(variant, shared)
  }
  const flags = [
    ...(event.message.sender_id === user.id && event.read_by_sender ? ['read'] : []),
    ...(event.flags_of[user.id] ?? []),
    ...event.flags,
  ]
  return [`${shared},"flags":${JSON.stringify([...new Set(flags)])}${echoOf(event, queue)},"id":${entry.id}}`]
}

/** The sender's own name for the message, for the queue that sent it and no other (specification, Events). */
function echoOf({ echo }: MessageEvent, queue: Queue): string {
  if (echo?.queue_id !== queue.id) return ''
  const local_id = JSON.stringify(echo.local_id)
  return `,"local_id":${local_id},"local_message_id":${local_id}`
}
