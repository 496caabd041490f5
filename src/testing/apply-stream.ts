import { sorted, without } from './apply-message.ts'
import type { ClientEvent, ClientState, Reducer } from './client-state.ts'
import { removeUnread } from './unread-state.ts'

/** Where streams are listed, by the user's tie to them. */
const lists = ['subscriptions', 'unsubscribed', 'never_subscribed'] as const

// biome-ignore lint/suspicious/noExplicitAny: a stream or a subscription, as the API shows it.
type Stream = any

export const streamReducers: Record<string, Reducer> = {
  stream(state, event) {
    if (event.op === 'create') create(state, event.streams)
    if (event.op === 'delete') remove(state, event.stream_ids)
    if (event.op === 'update') update(state, event)
  },

  subscription(state, event) {
    if (event.op === 'add') for (const added of event.subscriptions) put(state, 'subscriptions', added)
    if (event.op === 'remove') for (const { stream_id } of event.subscriptions) leave(state, stream_id)
    if (event.op === 'update') {
      const found = state.subscriptions.find(has(event.stream_id))
      found[event.property] = event.value
    }
    if (event.op === 'peer_add' || event.op === 'peer_remove') peers(state, event)
  },

  default_streams(state, { default_streams }) {
    state.realm_default_streams = default_streams
  },

  user_topic(state, { stream_id, topic_name, visibility_policy, last_updated }) {
    const rest = state.user_topics.filter(
      (one: Stream) => one.stream_id !== stream_id || one.topic_name.toLowerCase() !== topic_name.toLowerCase(),
    )
    const now = { stream_id, topic_name, last_updated, visibility_policy }
    state.user_topics = visibility_policy === 0 ? rest : [...rest, now]
  },

  muted_topics(state, { muted_topics }) {
    state.muted_topics = muted_topics
  },
}

const has = (stream_id: number) => (stream: Stream) => stream.stream_id === stream_id

function create(state: ClientState, streams: readonly Stream[]): void {
  for (const stream of streams) {
    state.streams = [...state.streams.filter((one: Stream) => !has(stream.stream_id)(one)), stream]
    put(state, 'never_subscribed', { ...stream, ...(state.with_subscribers && { subscribers: [] }) })
  }
}

function remove(state: ClientState, stream_ids: readonly number[]): void {
  const gone = (stream: Stream) => stream_ids.includes(stream.stream_id)
  const names = state.streams.filter(gone).map((stream: Stream) => stream.name)
  state.streams = state.streams.filter((stream: Stream) => !gone(stream))
  for (const list of lists) state[list] = state[list].filter((stream: Stream) => !gone(stream))
  const unread = state.unread_msgs.streams.filter(gone)
  removeUnread(
    state,
    unread.flatMap((thread: Stream) => thread.unread_message_ids),
  )
  state.user_topics = state.user_topics.filter((topic: Stream) => !gone(topic))
  state.muted_topics = state.muted_topics.filter(([name]: [string]) => !names.includes(name))
}

function update(state: ClientState, { stream_id, property, value, name, ...event }: ClientEvent): void {
  const changes: Stream = { [property]: value }
  for (const extra of ['rendered_description', 'history_public_to_subscribers', 'is_web_public']) {
    if (extra in event) changes[extra] = event[extra]
  }
  if (property === 'first_message_id') changes.is_recently_active = value !== null
  for (const list of ['streams', ...lists]) {
    const found = state[list].find(has(stream_id))
    if (found) Object.assign(found, changes)
  }
  if (property !== 'name') return
  for (const muted of state.muted_topics) if (muted[0] === name) muted[0] = value
}

/** Moves a stream into one of the lists, out of the others. */
function put(state: ClientState, list: (typeof lists)[number], stream: Stream): void {
  for (const other of lists) {
    state[other] = state[other].filter((one: Stream) => !has(stream.stream_id)(one))
  }
  state[list].push({ ...stream })
}

function leave(state: ClientState, stream_id: number): void {
  const found = state.subscriptions.find(has(stream_id))
  put(state, 'unsubscribed', found)
  if (found.subscribers) {
    state.unsubscribed.find(has(stream_id)).subscribers = without(found.subscribers, [state.user_id])
  }
}

function peers(state: ClientState, { op, stream_ids, user_ids }: ClientEvent): void {
  for (const list of lists) {
    for (const stream of state[list]) {
      if (!stream.subscribers || !stream_ids.includes(stream.stream_id)) continue
      stream.subscribers =
        op === 'peer_add' ? sorted([...stream.subscribers, ...user_ids]) : without(stream.subscribers, user_ids)
    }
  }
}
