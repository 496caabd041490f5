import type { Message } from '../../access/messages.ts'
import type { Audience } from '../../events/log/audience.ts'
import type { LoggedEvent } from '../../events/types/table.ts'
import type { Tx } from '../../kernel/context.ts'
import { servedHtml } from '../../kernel/public-url.ts'
import type { User } from '../../kernel/user.ts'
import type { TopicLink } from '../../organization/linkifiers/topic-links.ts'
import { flagNames } from '../../read-state/flag-bits.ts'
import type { MessageFlag, SubmessageView } from '../../shapes/message.ts'
import { avatarUrl } from '../../users/avatars/avatar-url.ts'
import type { Recipient } from './recipient.ts'

interface MessageEventParts {
  /** Stored flags by user id. */
  flagsByUser: ReadonlyMap<number, number>
  /** Users who have muted its sender. The message starts as read for them. */
  muting: readonly number[]
  /** The only users who get it as unread; undefined for all. */
  unreadFor: readonly number[] | undefined
  submessages: readonly SubmessageView[]
  topic_links: readonly TopicLink[]
  echo: { queue_id: string; local_id: string } | undefined
}

/**
 * Returns a message event for the log, with everything any reader may need. message-payload.ts selects what each
 * reader gets.
 */
export function messageEvent(
  tx: Tx,
  message: Message,
  recipient: Recipient,
  { flagsByUser, muting, unreadFor, submessages, topic_links, echo }: MessageEventParts,
): { event: LoggedEvent<'message'>; audience: Audience } {
  const sender = tx.user
  const event: LoggedEvent<'message'> = {
    type: 'message',
    message: {
      id: message.id,
      sender_id: sender.id,
      recipient_id: message.conversation_id,
      timestamp: message.sent_at,
      client: message.client,
      ...placeOf(recipient),
      is_me_message: message.is_me_message === 1,
      reactions: [],
      submessages,
      topic_links,
      sender_full_name: sender.full_name,
      sender_email: sender.email,
      sender_realm_str: '',
    },
    content: message.content,
    rendered_content: servedHtml(tx.chat, message.rendered_content),
    sender_avatar_url: avatarUrl(tx.chat, sender),
    read_by_sender: message.read_by_sender === 1,
    flags: flagNames(0, message.stream_wildcard === 1),
    flags_of: flagsOfReaders(flagsByUser, muting),
    ...(unreadFor && { unread_for: Object.fromEntries(unreadFor.map((id) => [id, true])) }),
    is_public_stream: recipient.kind === 'stream' && recipient.stream.invite_only === 0,
    has: contents.filter(([, column]) => message[column] === 1).map(([what]) => what),
    ...(echo && { echo }),
  }
  return { event, audience: audienceOf(recipient, sender) }
}

const contents = [
  ['link', 'has_link'],
  ['image', 'has_image'],
  ['attachment', 'has_attachment'],
] as const

function flagsOfReaders(flagsByUser: ReadonlyMap<number, number>, muting: readonly number[]) {
  const flags: Record<string, MessageFlag[]> = {}
  // Thousands of members of a group have the same flags.
  const names = new Map<number, MessageFlag[]>()
  for (const [user_id, stored] of flagsByUser) {
    const same = names.get(stored) ?? flagNames(stored)
    names.set(stored, same)
    flags[user_id] = same
  }
  for (const user_id of muting) flags[user_id] = ['read', ...(flags[user_id] ?? [])]
  return flags
}

function placeOf(recipient: Recipient) {
  if (recipient.kind === 'stream') {
    const { stream, topic } = recipient
    return { type: 'stream' as const, stream_id: stream.id, display_recipient: stream.name, subject: topic }
  }
  return { type: 'private' as const, display_recipient: displayPeople(recipient.people), subject: '' }
}

export const displayPeople = (people: readonly Pick<User, 'id' | 'email' | 'full_name'>[]) =>
  people.map((user) => ({ id: user.id, email: user.email, full_name: user.full_name, is_mirror_dummy: false }))

function audienceOf(recipient: Recipient, sender: User): Audience {
  if (recipient.kind === 'direct') return { users: recipient.people.map((user) => user.id) }
  // Senders without a subscription still see their own message.
  return { stream: recipient.stream.id, ...(!recipient.stream.subscribed && { users: [sender.id] }) }
}
