import type { ClientState, Message } from '../../../src/client/index.ts'
import { peopleByPresence } from '../reading/people.ts'
import { streamRows } from '../reading/sidebar.ts'
import { unreadOf } from '../reading/unread.ts'
import type { Session } from '../state/session.ts'

/** Users to store: the ones in the latest conversations, and the top of the list. */
const CONVERSATIONS = 20
const PEOPLE = 40
/** For the first frame, this many streams from the top of the list. */
const STREAMS = 30

/** Returns the state with a few users instead of all, who are most of it. */
export function cachedState(session: Session): ClientState {
  const { state } = session
  const latest = [...state.recent_private_conversations]
    .sort((a, b) => b.max_message_id - a.max_message_id)
    .slice(0, CONVERSATIONS)
  const first = peopleByPresence(session).peek().slice(0, PEOPLE)
  const ids = new Set([state.user_id, ...latest.flatMap((one) => one.user_ids), ...first.map((one) => one.user_id)])
  const ofThese = <T>(all: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries([...ids].flatMap((id) => (all[id] === undefined ? [] : [[id, all[id]]])))
  return {
    ...state,
    realm_users: state.realm_users.filter((one) => ids.has(one.user_id)),
    realm_non_active_users: state.realm_non_active_users.filter((one) => ids.has(one.user_id)),
    presences: ofThese(state.presences as Record<string, never>),
    user_status: ofThese(state.user_status),
  }
}

/**
 * Returns the parts that a first frame with these messages shows: visible streams, and for groups only whether the
 * reader is a member.
 */
export function firstState(session: Session, messages: readonly Message[], stream_id: number | undefined): ClientState {
  const state = cachedState(session)
  const ids = new Set([
    stream_id,
    ...streamRows(session)
      .peek()
      .slice(0, STREAMS)
      .map(({ stream }) => stream.stream_id),
    ...messages.map((message) => (message.type === 'stream' ? message.stream_id : undefined)),
    ...[...unreadOf(session).peek().threads.values()].map(({ conversation: to }) =>
      to.type === 'stream' ? to.stream_id : undefined,
    ),
  ])
  const isInSight = (stream: { stream_id: number }) => ids.has(stream.stream_id)
  return {
    ...state,
    streams: state.streams.filter(isInSight),
    subscriptions: state.subscriptions.filter(isInSight),
    unsubscribed: state.unsubscribed.filter(isInSight),
    never_subscribed: state.never_subscribed.filter(isInSight),
    realm_user_groups: state.realm_user_groups.map((group) => ({
      ...group,
      members: group.members.filter((id) => id === state.user_id),
    })),
  }
}
