import { computed } from '@preact/signals'
import type { ClientState, Narrow } from '../../../src/client/index.ts'
import { perSession, type Session } from '../state/session.ts'
import { type Conversation, conversationIn, conversationKey, othersOf } from './conversations.ts'

/** A conversation with unread messages. */
export interface UnreadThread {
  /** Of the conversation. */
  key: string
  conversation: Conversation
  /** Ascending. */
  ids: readonly number[]
  /** How many of them mention the reader. */
  mentions: number
  muted: boolean
}

export interface Unread {
  /** By the key of the conversation. */
  threads: ReadonlyMap<string, UnreadThread>
  /** By stream: of topics that are not muted. */
  streams: ReadonlyMap<number, number>
  /** All that are not muted, as the title and the inbox count them. */
  count: number
  direct: number
  mentions: number
  /** In topics that are followed. */
  followed: number
}

const MUTED = 1
const UNMUTED = 2
const FOLLOWED = 3

/** Unread counts, computed once for all views. */
export const unreadOf = perSession((session) =>
  computed(() => countUnread(session.read('unread', 'streams', 'topics'))),
)

function countUnread(state: ClientState): Unread {
  const { unread_msgs, user_id } = state
  const mentions = new Set(unread_msgs.mentions)
  const threads = new Map<string, UnreadThread>()
  const isMuted = mutesOf(state)
  const add = (conversation: Conversation, ids: readonly number[], muted: boolean) => {
    const mentioned = mentions.size === 0 ? 0 : ids.filter((id) => mentions.has(id)).length
    const key = conversationKey(conversation)
    threads.set(key, { key, conversation, ids, mentions: mentioned, muted })
  }
  for (const { stream_id, topic, unread_message_ids } of unread_msgs.streams) {
    add({ type: 'stream', stream_id, topic }, unread_message_ids, isMuted(stream_id, topic))
  }
  for (const { other_user_id, unread_message_ids } of unread_msgs.pms) {
    add({ type: 'direct', user_ids: [other_user_id] }, unread_message_ids, false)
  }
  for (const { user_ids_string, unread_message_ids } of unread_msgs.huddles) {
    const user_ids = othersOf(user_ids_string.split(',').map(Number), user_id)
    add({ type: 'direct', user_ids }, unread_message_ids, false)
  }
  const streams = new Map<number, number>()
  const isFollowed = followsOf(state)
  let direct = 0
  let followed = 0
  for (const { conversation, ids, muted } of threads.values()) {
    if (conversation.type === 'direct') {
      direct += ids.length
      continue
    }
    if (isFollowed(conversation.stream_id, conversation.topic)) followed += ids.length
    if (!muted) streams.set(conversation.stream_id, (streams.get(conversation.stream_id) ?? 0) + ids.length)
  }
  const count = direct + [...streams.values()].reduce((sum, number) => sum + number, 0)
  return { threads, streams, direct, count, followed, mentions: mentions.size }
}

export function followsOf({ user_topics }: ClientState): (stream_id: number, topic: string) => boolean {
  const key = (stream_id: number, topic: string) => `${stream_id}:${topic.toLowerCase()}`
  const followed = user_topics.filter(({ visibility_policy }) => visibility_policy === FOLLOWED)
  const keys = new Set(followed.map(({ stream_id, topic_name }) => key(stream_id, topic_name)))
  return (stream_id, topic) => keys.size > 0 && keys.has(key(stream_id, topic))
}

/** Returns whether a topic is muted: itself, or through its stream unless it is followed or unmuted. */
export function mutesOf({ subscriptions, user_topics }: ClientState): (stream_id: number, topic: string) => boolean {
  const mutedStreams = new Set(subscriptions.filter((one) => one.is_muted).map((one) => one.stream_id))
  const policies = new Map(
    user_topics.map((one) => [`${one.stream_id}:${one.topic_name.toLowerCase()}`, one.visibility_policy]),
  )
  return (stream_id, topic) => {
    const policy = policies.size === 0 ? undefined : policies.get(`${stream_id}:${topic.toLowerCase()}`)
    if (policy === MUTED) return true
    return mutedStreams.has(stream_id) && policy !== UNMUTED && policy !== FOLLOWED
  }
}

export const unreadIn = (session: Session, conversation: Conversation): readonly number[] =>
  unreadOf(session).value.threads.get(conversationKey(conversation))?.ids ?? []

/** Returns the first unread message of a narrow if the state knows it. Otherwise the server is asked. */
export function firstUnreadIn(session: Session, narrow: Narrow): { isKnown: boolean; id?: number } {
  const conversation = conversationIn(narrow, session.state.user_id)
  if (conversation) return { isKnown: true, ...first(unreadIn(session, conversation)) }
  // For other narrows, only that there is none. The server decides which messages are skipped, as in muted topics.
  return { isKnown: narrow.length === 0 && session.state.unread_msgs.count === 0 }
}

const first = ([id]: readonly number[]): { id?: number } => (id === undefined ? {} : { id })
