import { type Message, participantsOf } from '../../access/messages.ts'
import { topicNameOf } from '../../access/topics.ts'
import { unknownAmong } from '../../access/user-visibility.ts'
import type { Caller } from '../../kernel/context.ts'
import type { User } from '../../kernel/user.ts'
import { encodeHashComponent, narrowUrl } from '../../markup/narrow-link.ts'
import { findUsers } from '../../users/access.ts'
import { silentMention } from './words.ts'

/** A message as a notice about it names it to one reader. */
export interface NamedMessage {
  author: string
  /** For a direct message: everyone else in the conversation, or the author if there is no one else. */
  recipients: readonly string[]
  isDirect: boolean
  /** The address of its conversation, at the message. */
  url: string
  /** A link to it that names its place. */
  link: string
}

/** Names the message to the caller, who can read it. */
export async function namedMessage(caller: Caller, message: Message): Promise<NamedMessage> {
  const { id, sender_id, conversation_id, topic_id } = message
  const isDirect = topic_id === null
  const people = isDirect ? await participantsOf(caller.db, conversation_id) : [sender_id]
  const users = await findUsers(caller, [...new Set([sender_id, ...people])])
  const unknown = await unknownAmong(caller, users.keys())
  const name = (user_id: number) => mention(users.get(user_id), unknown.has(user_id))
  const others = people.filter((user_id) => user_id !== sender_id)
  const place = isDirect ? directPlace(caller, people, id) : await streamPlace(caller, conversation_id, topic_id, id)
  const recipients = isDirect ? (others.length > 0 ? others : people).map(name) : []
  return { author: name(sender_id), recipients, isDirect, ...place }
}

const mention = (user: User | undefined, isUnknown: boolean): string =>
  user && !isUnknown ? silentMention(user) : 'Unknown user'

function directPlace({ user }: Caller, people: readonly number[], message_id: number) {
  const others = people.filter((id) => id !== user.id)
  const ids = encodeHashComponent((others.length > 0 ? others : people).join(','))
  const url = `/#narrow/dm/${ids}/near/${message_id}`
  return { url, link: `[direct message](${url})` }
}

/** Characters that end the syntax of a link to a message, or begin another one inside it. */
const AWKWARD = /[*`>@$[\]()\\]/

async function streamPlace({ db }: Caller, stream_id: number, topic_id: number, message_id: number) {
  const stream = await db.selectFrom('stream').select(['id', 'name']).where('id', '=', stream_id).executeTakeFirst()
  const topic = await topicNameOf(db, topic_id)
  const { name } = stream!
  const url = narrowUrl({ id: stream_id, name }, topic, { near: message_id })
  const isPlain = !AWKWARD.test(name) && !AWKWARD.test(topic)
  return { url, link: isPlain ? `#**${name}>${topic}@${message_id}**` : `[this message](${url})` }
}

/** A text cut so that it takes at most this many bytes. */
export function cut(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text
  const mark = '\n[message truncated]'
  const room = Math.max(0, bytes - Buffer.byteLength(mark))
  return (
    Buffer.from(text)
      .subarray(0, room)
      .toString()
      .replace(/\ufffd+$/, '') + mark
  )
}
