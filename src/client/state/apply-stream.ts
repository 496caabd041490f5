import type { ChatEvent } from '../../core/events/types/table.ts'
import type { StreamView } from '../../core/shapes/stream.ts'
import { sorted, without } from './apply-message.ts'
import type { ClientState, Reducers } from './client-state.ts'
import { removeUnread } from './unread-state.ts'

/** The lists of streams, by the user's subscription to them. */
const lists = ['subscriptions', 'unsubscribed', 'never_subscribed'] as const
type List = (typeof lists)[number]
type Listed = ClientState[List][number]

export const streamReducers = {
  stream(state, event) {
    if (event.op === 'create') create(state, event.streams)
    if (event.op === 'delete') end(state, event.stream_ids)
    if (event.op === 'update') update(state, event)
  },

  subscription(state, event) {
    if (event.op === 'add') for (const added of event.subscriptions) join(state, added)
    if (event.op === 'remove') for (const { stream_id } of event.subscriptions) leave(state, stream_id)
    if (event.op === 'update') {
      // An archived stream may be missing here.
      const found = state.subscriptions.find(has(event.stream_id))
      if (found) Object.assign(found, { [event.property]: event.value })
    }
    if (event.op === 'peer_add' || event.op === 'peer_remove') peers(state, event)
  },

  channel_folder(state, event) {
    if (event.op === 'add') state.channel_folders = [...state.channel_folders, event.channel_folder]
    if (event.op === 'update') {
      const found = state.channel_folders.find(({ id }) => id === event.channel_folder_id)
      if (found) Object.assign(found, event.data)
    }
    if (event.op === 'reorder') {
      for (const folder of state.channel_folders) folder.order = event.order.indexOf(folder.id)
      state.channel_folders = [...state.channel_folders].sort((a, b) => a.order - b.order)
    }
  },

  default_streams(state, { default_streams }) {
    state.realm_default_streams = default_streams
  },

  default_stream_groups(state, { default_stream_groups }) {
    state.realm_default_stream_groups = default_stream_groups
  },

  user_topic(state, { stream_id, topic_name, visibility_policy, last_updated }) {
    const rest = state.user_topics.filter(
      (one) => one.stream_id !== stream_id || one.topic_name.toLowerCase() !== topic_name.toLowerCase(),
    )
    const now = { stream_id, topic_name, last_updated, visibility_policy }
    state.user_topics = visibility_policy === 0 ? rest : [...rest, now]
  },

  muted_topics(state, { muted_topics }) {
    state.muted_topics = muted_topics
  },
} satisfies Partial<Reducers>

const has = (stream_id: number) => (stream: { stream_id: number }) => stream.stream_id === stream_id

function create(state: ClientState, streams: readonly StreamView[]): void {
  for (const stream of streams) {
    state.streams = [...state.streams.filter((one) => !has(stream.stream_id)(one)), stream]
    put(state, 'never_subscribed', { ...stream, ...(state.with_subscribers && { subscribers: [] }) })
  }
}

/** Streams that are out of sight. */
function end(state: ClientState, stream_ids: readonly number[]): void {
  const gone = new Set(stream_ids)
  forget(state, gone)
  const stays = (stream: { stream_id: number }) => !gone.has(stream.stream_id)
  state.streams = state.streams.filter(stays)
  for (const list of lists) keep(state, list, stays)
}

/** Of a stream that is archived or out of sight, nothing is unread, and topics have no policies. */
function forget(state: ClientState, stream_ids: ReadonlySet<number>): void {
  const gone = (one: { stream_id: number }) => stream_ids.has(one.stream_id)
  const names = state.streams.filter(gone).map((stream) => stream.name)
  const unread = state.unread_msgs.streams.filter(gone)
  removeUnread(
    state,
    unread.flatMap((thread) => thread.unread_message_ids),
  )
  state.user_topics = state.user_topics.filter((topic) => !gone(topic))
  state.muted_topics = state.muted_topics.filter(([name]) => !names.includes(name))
}

type Update = Extract<ChatEvent<'stream'>, { op: 'update' }>

function update(state: ClientState, { stream_id, property, value, name, id, type, op, ...companions }: Update): void {
  const changes = { [property]: value, ...companions }
  for (const list of ['streams', ...lists] as const) {
    const found = (state[list] as Listed[]).find(has(stream_id))
    if (found) Object.assign(found, changes)
  }
  if (property === 'is_archived') {
    if (value) forget(state, new Set([stream_id]))
    else welcomeBack(state, stream_id)
  }
  if (property !== 'name') return
  for (const muted of state.muted_topics) if (muted[0] === name) muted[0] = String(value)
}

/** Those who had left a stream before it was archived are treated as never subscribed. */
function welcomeBack(state: ClientState, stream_id: number): void {
  const stream = state.streams.find(has(stream_id))
  const left = state.unsubscribed.find(has(stream_id))
  if (!stream || !left) return
  put(state, 'never_subscribed', { ...stream, ...(left.subscribers && { subscribers: left.subscribers }) })
}

/** Keeps only the streams in a list that pass the test. */
function keep(state: ClientState, list: List, test: (stream: Listed) => boolean): void {
  Object.assign(state, { [list]: (state[list] as Listed[]).filter(test) })
}

/** Moves a stream into one of the lists and removes it from the others. */
function put<L extends List>(state: ClientState, list: L, stream: ClientState[L][number]): void {
  for (const other of lists) keep(state, other, (one) => one.stream_id !== stream.stream_id)
  ;(state[list] as Listed[]).push({ ...stream })
}

function join(state: ClientState, added: ClientState['subscriptions'][number]): void {
  put(state, 'subscriptions', added)
  for (const stream of state.streams.filter(has(added.stream_id))) stream.subscriber_count = added.subscriber_count
}

function leave(state: ClientState, stream_id: number): void {
  for (const list of ['streams', 'subscriptions'] as const) count(state[list].filter(has(stream_id)), -1)
  const { subscribers, ...found } = state.subscriptions.find(has(stream_id))!
  const left = subscribers && { subscribers: without(subscribers, [state.user_id]) }
  put(state, 'unsubscribed', { ...found, ...left })
}

type Peers = Extract<ChatEvent<'subscription'>, { op: 'peer_add' | 'peer_remove' }>

function peers(state: ClientState, { op, stream_ids, user_ids }: Peers): void {
  const named = ({ stream_id }: { stream_id: number }) => stream_ids.includes(stream_id)
  for (const list of ['streams', ...lists] as const) {
    count((state[list] as Listed[]).filter(named), op === 'peer_add' ? user_ids.length : -user_ids.length)
  }
  for (const list of lists) {
    for (const stream of state[list].filter(named)) {
      if (!stream.subscribers) continue
      stream.subscribers =
        op === 'peer_add' ? sorted([...stream.subscribers, ...user_ids]) : without(stream.subscribers, user_ids)
    }
  }
}

function count(streams: readonly StreamView[], by: number): void {
  for (const stream of streams) stream.subscriber_count += by
}
