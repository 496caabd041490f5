import { displayTopicName } from '../kernel/base/topic-name.ts'
import type { Caller } from '../kernel/context.ts'
import { dialectOf } from '../kernel/store.ts'
import type { UnreadMessages } from '../shapes/unread.ts'
import { bits } from './flag-bits.ts'
import { newestUnread, type UnreadMessage } from './unread-list.ts'

/** Older unread messages beyond this number are left out, and old_unreads_missing says so. */
const MAX_UNREAD = 50_000

export interface UnreadOptions {
  /** Whether the client knows topics without a name. */
  empty_topic_name: boolean
}

/** The caller's unread messages, by conversation and topic, as register shows them. */
export async function unreadMessages(caller: Caller, { empty_topic_name }: UnreadOptions): Promise<UnreadMessages> {
  const found = await newestUnread(caller, MAX_UNREAD + 1)
  const shown = found.slice(0, MAX_UNREAD).reverse()
  const topics = await topicNames(caller, shown)
  const people = await participantKeys(caller, shown)
  const mentioned = await mentionsFrom(caller, shown[0]?.id)
  const pms: UnreadMessages['pms'] = []
  const huddles: UnreadMessages['huddles'] = []
  const streams: UnreadMessages['streams'] = []
  for (const { head, unread_message_ids } of threadsOf(shown)) {
    if (head.topic_id !== null) {
      const topic = displayTopicName(topics.get(head.topic_id)!, empty_topic_name)
      streams.push({ stream_id: head.conversation_id, topic, unread_message_ids })
      continue
    }
    const user_ids_string = people.get(head.conversation_id)!
    const others = user_ids_string
      .split(',')
      .map(Number)
      .filter((id) => id !== caller.user.id)
    if (others.length > 1) huddles.push({ user_ids_string, unread_message_ids })
    else {
      const other_user_id = others[0] ?? caller.user.id
      pms.push({ other_user_id, sender_id: other_user_id, unread_message_ids })
    }
  }
  return {
    count: shown.length,
    pms,
    streams,
    huddles,
    mentions: shown.filter((row) => mentioned.has(row.id) || row.stream_wildcard === 1).map((row) => row.id),
    old_unreads_missing: found.length > MAX_UNREAD,
  }
}

interface Thread {
  head: UnreadMessage
  unread_message_ids: number[]
}

/** Groups messages by topic, or by direct conversation. */
function threadsOf(messages: readonly UnreadMessage[]): Iterable<Thread> {
  const threads = new Map<number, Thread>()
  for (const message of messages) {
    // Topics and conversations have ids of their own: the sign distinguishes them.
    const key = message.topic_id ?? -message.conversation_id
    const thread = threads.get(key)
    if (thread) thread.unread_message_ids.push(message.id)
    else threads.set(key, { head: message, unread_message_ids: [message.id] })
  }
  return threads.values()
}

async function topicNames({ db, chat }: Caller, messages: readonly UnreadMessage[]): Promise<Map<number, string>> {
  const ids = new Set(messages.map((message) => message.topic_id).filter((id) => id !== null))
  const rows = await db
    .selectFrom('topic')
    .select(['id', 'name'])
    .where('id', 'in', dialectOf(chat).idsIn([...ids]))
    .execute()
  return new Map(rows.map((row) => [row.id, row.name]))
}

async function participantKeys({ db, chat }: Caller, messages: readonly UnreadMessage[]): Promise<Map<number, string>> {
  const ids = new Set(messages.filter((message) => message.topic_id === null).map((message) => message.conversation_id))
  const rows = await db
    .selectFrom('conversation')
    .select(['id', 'participant_key'])
    .where('id', 'in', dialectOf(chat).idsIn([...ids]))
    .execute()
  return new Map(rows.map((row) => [row.id, row.participant_key ?? '']))
}

/** Messages from this one on in which the caller is mentioned. */
async function mentionsFrom({ db, user }: Caller, oldest = 0): Promise<Set<number>> {
  const rows = await db
    .selectFrom('message_flag')
    .select(['message_id', 'flags'])
    .where('user_id', '=', user.id)
    .where('message_id', '>=', oldest)
    .execute()
  const requested = bits.mentioned | bits.topic_wildcard_mentioned
  return new Set(rows.filter((row) => row.flags & requested).map((row) => row.message_id))
}
