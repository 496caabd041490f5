import { computed } from '@preact/signals'
import { recentOf } from '../navigation/recent.ts'
import { visited } from '../navigation/visited.ts'
import { type Conversation, conversationIn, conversationKey, streamName, topicName } from '../reading/conversations.ts'
import { namesOf } from '../reading/people.ts'
import { directRows } from '../reading/sidebar.ts'
import { topicsOf } from '../reading/topics.ts'
import { unreadOf } from '../reading/unread.ts'
import { place } from '../state/route.ts'
import { perSession, type Session } from '../state/session.ts'
import { foldedName } from '../writing/matching.ts'
import { movedTo } from '../writing/moved.ts'
import { type Ranked, ranked, rankOf } from './match.ts'

/** How many conversations are offered before anything is typed. */
const OFFERED = 8
const MOST = 6
/** Topics are fetched only for this many channels whose names match. */
const CHANNELS = 3

/** Conversations of channels that are gone, or that the reader may no longer read, aren't offered. */
const isThere = (session: Session, conversation: Conversation): boolean =>
  conversation.type === 'direct' || streamName(session.state, conversation.stream_id) !== undefined

/** What the page knows without asking: conversations opened last, those with unread messages, and recent ones. */
const knownOf = perSession((session) =>
  computed((): ReadonlyMap<string, Conversation> => {
    const newest = (ids: readonly number[]) => ids.at(-1) ?? 0
    const unread = [...unreadOf(session).value.threads.values()]
      .filter(({ muted }) => !muted)
      .sort((a, b) => newest(b.ids) - newest(a.ids))
      .map(({ conversation }) => conversation)
    const direct = directRows(session).value.map(({ user_ids }): Conversation => ({ type: 'direct', user_ids }))
    const recent = recentOf(session).rows.value.map(({ conversation }) => conversation)
    return byKey([...unread, ...recent, ...direct])
  }),
)

/** Each conversation once, where it comes first. */
function byKey(conversations: readonly Conversation[]): Map<string, Conversation> {
  const all = new Map<string, Conversation>()
  for (const one of conversations) {
    const key = conversationKey(one)
    if (!all.has(key)) all.set(key, one)
  }
  return all
}

/**
 * The conversations opened last, as they are called now. Topics that the page didn't see move, but which their channels
 * no longer have, aren't offered.
 */
function opened(session: Session): Conversation[] {
  const latest = visited().filter((one) => isThere(session, one))
  return latest.flatMap((one) => {
    const moved = movedTo(session, one)
    if (moved) return moved
    const topics = one.type === 'stream' ? topicsOf(session, one.stream_id).value : undefined
    const key = conversationKey(one)
    const isGone =
      topics && !topics.some(({ name }) => conversationKey({ ...one, topic: name } as Conversation) === key)
    return isGone ? [] : one
  })
}

/** The conversations to go to before anything is typed, without the current one. */
export function latestConversations(session: Session): Conversation[] {
  const where = place.value
  const here = where.view === 'feed' ? conversationIn(where.narrow, session.state.user_id) : undefined
  const all = byKey([...opened(session), ...knownOf(session).value.values()])
  if (here) all.delete(conversationKey(here))
  void session.read('streams')
  return [...all.values()].filter((one) => isThere(session, one)).slice(0, OFFERED)
}

/** What a conversation is found by: its channel and topic, or its people. */
function textOf(session: Session, conversation: Conversation): string {
  if (conversation.type === 'direct') return foldedName(namesOf(session, conversation.user_ids))
  const { state } = session
  const channel = foldedName(streamName(state, conversation.stream_id) ?? '')
  return `${foldedName(topicName(conversation.topic, state))} ${channel}`
}

/** Returns conversations that have all words in the names of their channel and topic, or of their people. */
export function findConversations(session: Session, words: readonly string[]): Ranked<Conversation>[] {
  const { subscriptions } = session.read('streams', 'users')
  const inChannels = subscriptions
    .filter(({ is_archived, name }) => !is_archived && words.some((word) => rankOf(foldedName(name), [word]) === 0))
    .slice(0, CHANNELS)
    .flatMap(({ stream_id }) =>
      (topicsOf(session, stream_id).value ?? []).map(
        ({ name }): Conversation => ({ type: 'stream', stream_id, topic: name }),
      ),
    )
  const all = byKey([...opened(session), ...knownOf(session).value.values(), ...inChannels])
  const there = [...all.values()].filter((one) => isThere(session, one))
  return ranked(there, words, (one) => textOf(session, one), MOST)
}
