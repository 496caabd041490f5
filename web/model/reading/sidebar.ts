import { computed, signal } from '@preact/signals'
import type { ClientState } from '../../../src/client/index.ts'
import { storedName } from '../here.ts'
import { browserStorage } from '../persistence/browser-storage.ts'
import { compareNames } from '../state/compare-names.ts'
import { perSession, type Session } from '../state/session.ts'
import { conversationKey } from './conversations.ts'
import { topicsOf } from './topics.ts'
import { mutesOf, type UnreadThread, unreadOf } from './unread.ts'

type Subscription = ClientState['subscriptions'][number]

export interface StreamRow {
  stream: Subscription
  unread: number
}

/** Whether inactive streams come last, by the account's setting and the number of streams. */
const demotes: Readonly<Record<number, (streams: number) => boolean>> = {
  1: (streams) => streams >= 30,
  2: () => true,
  3: () => false,
}

/** The reader's streams: pinned ones, others, inactive ones if the setting says so, and muted ones; each by name. */
export const streamRows = perSession((session) =>
  computed(() => {
    const { subscriptions, user_settings } = session.read('streams', 'settings')
    const active = subscriptions.filter(({ is_archived }) => !is_archived)
    const demote = demotes[user_settings.demote_inactive_streams]?.(active.length) ?? false
    const rank = ({ pin_to_top, is_muted, is_recently_active }: Subscription) =>
      is_muted ? 3 : pin_to_top ? 0 : demote && !is_recently_active ? 2 : 1
    const { streams, threads } = unreadOf(session).value
    const all = new Map<number, number>()
    for (const { conversation, ids } of threads.values()) {
      if (conversation.type === 'stream')
        all.set(conversation.stream_id, (all.get(conversation.stream_id) ?? 0) + ids.length)
    }
    const counted = { 1: all, 2: streams, 3: none }[user_settings.web_stream_unreads_count_display_policy] ?? streams
    return active
      .sort((a, b) => rank(a) - rank(b) || compareNames(a.name, b.name))
      .map((stream): StreamRow => ({ stream, unread: counted.get(stream.stream_id) ?? 0 }))
  }),
)

const none: ReadonlyMap<number, number> = new Map()

export interface StreamSection {
  /** The folder; undefined for pinned streams, which come first, and for streams without a folder, which come last. */
  folder: ClientState['channel_folders'][number] | undefined
  rows: readonly StreamRow[]
}

/** The rows of streams by folder, or one section if none of them is in a folder. */
export const streamSections = perSession((session) =>
  computed((): readonly StreamSection[] => {
    const { channel_folders, user_settings } = session.read('streams', 'settings')
    const rows = streamRows(session).value
    const folders = channel_folders.map((folder) => ({
      folder,
      rows: rows.filter(({ stream }) => stream.folder_id === folder.id && !stream.pin_to_top),
    }))
    const filled = folders.filter((section) => section.rows.length > 0)
    if (filled.length === 0 || !user_settings.web_left_sidebar_show_channel_folders)
      return [{ folder: undefined, rows }]
    const pinned = rows.filter(({ stream }) => stream.pin_to_top)
    const others = rows.filter(({ stream }) => !stream.pin_to_top && stream.folder_id === null)
    return [{ folder: undefined, rows: pinned }, ...filled, { folder: undefined, rows: others }]
  }),
)

export interface TopicRow {
  topic: string
  unread: number
  mentions: number
  muted: boolean
}

const SHOWN_TOPICS = 5

/** The topics of a stream: the newest, and every one with unread messages. `rest` is how many more there are. */
export function topicRows(session: Session, stream_id: number, all: boolean): { rows: TopicRow[]; rest: number } {
  const topics = topicsOf(session, stream_id).value ?? []
  const { threads } = unreadOf(session).value
  const isMuted = mutesOf(session.read('topics', 'streams'))
  const threadOf = (topic: string): UnreadThread | undefined =>
    threads.get(conversationKey({ type: 'stream', stream_id, topic }))
  const known = new Set(topics.map(({ name }) => name.toLowerCase()))
  const unlisted = [...threads.values()].flatMap(({ conversation }) =>
    conversation.type === 'stream' &&
    conversation.stream_id === stream_id &&
    !known.has(conversation.topic.toLowerCase())
      ? [conversation.topic]
      : [],
  )
  const names = [...unlisted, ...topics.map(({ name }) => name)]
  const shown = all ? names : names.filter((name, i) => i < SHOWN_TOPICS || threadOf(name))
  const rows = shown.map((topic) => {
    const thread = threadOf(topic)
    return { topic, unread: thread?.ids.length ?? 0, mentions: thread?.mentions ?? 0, muted: isMuted(stream_id, topic) }
  })
  return { rows, rest: names.length - shown.length }
}

export interface DirectRow {
  user_ids: readonly number[]
  unread: number
}

/** Direct conversations, the latest first. */
export const directRows = perSession((session) =>
  computed(() => {
    const { recent_private_conversations, user_id } = session.read('conversations')
    const { threads } = unreadOf(session).value
    return [...recent_private_conversations]
      .sort((a, b) => b.max_message_id - a.max_message_id)
      .map(({ user_ids }): DirectRow => {
        const others = user_ids.length > 0 ? [...user_ids].sort((a, b) => a - b) : [user_id]
        return {
          user_ids: others,
          unread: threads.get(conversationKey({ type: 'direct', user_ids: others }))?.ids.length ?? 0,
        }
      })
  }),
)

/** Ids that the browser remembers. */
const rememberedIds = (name: string) =>
  perSession(() => {
    const key = storedName(name)
    const ids = signal<ReadonlySet<number>>(new Set(stored(key)))
    return {
      has: (id: number): boolean => ids.value.has(id),
      toggle(id: number): void {
        const next = new Set(ids.value)
        if (!next.delete(id)) next.add(id)
        ids.value = next
        browserStorage().setItem(key, JSON.stringify([...next]))
      },
    }
  })

function stored(key: string): number[] {
  try {
    const ids: unknown = JSON.parse(browserStorage().getItem(key) ?? '[]')
    return Array.isArray(ids) ? ids.filter(Number.isInteger) : []
  } catch {
    return []
  }
}

/** The streams that show their topics. */
export const openStreams = rememberedIds('open-streams')

/** The folders that hide their streams. */
export const closedFolders = rememberedIds('closed-folders')
