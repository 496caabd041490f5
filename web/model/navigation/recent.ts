import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import { type Conversation, conversationKey, conversationOf } from '../reading/conversations.ts'
import { perSession, type Session } from '../state/session.ts'

export interface RecentConversation {
  conversation: Conversation
  /** The newest message. */
  id: number
  timestamp: number
  /** Senders, latest first. */
  senders: readonly number[]
  /** Whether the reader has written there. */
  hasOwn: boolean
}

/** How many messages it is computed from. */
const LOOKED_AT = 400
const SENDERS = 5

interface Recent {
  rows: ReadonlySignal<readonly RecentConversation[]>
  status: Signal<'loading' | 'ready' | 'failed'>
  /**
   * Whether the messages must be loaded: at first, and after they were forgotten, as when the live state registers
   * again.
   */
  needsLoad: ReadonlySignal<boolean>
  load(): Promise<void>
}

/** Conversations by their newest message, from the newest messages of all. */
export const recentOf = perSession((session): Recent => {
  const feed = session.messages.feed([])
  const version = signal(0)
  const status = signal<'loading' | 'ready' | 'failed'>('loading')
  session.messages.onChange(({ feeds, messages }) => {
    if (feeds.has(feed) || messages.size > 0) version.value += 1
  })
  const newest = computed(() => {
    void version.value
    return feed.spans.at(-1)
  })
  let shown: readonly RecentConversation[] = []
  const rows = computed(() => {
    void version.value
    // It stays unchanged until the messages are known again.
    if (newest.value) shown = byConversation(session, newest.value.ids.slice(-LOOKED_AT))
    return shown
  })
  return {
    rows,
    status,
    needsLoad: computed(() => newest.value?.to !== Number.POSITIVE_INFINITY),
    async load() {
      // Marks the feed as recently used, so that it isn't forgotten before others.
      session.messages.feed([])
      if (newest.value?.to === Number.POSITIVE_INFINITY) {
        status.value = 'ready'
        return
      }
      try {
        await feed.load({ anchor: 'newest', before: LOOKED_AT, after: 0 })
        status.value = 'ready'
      } catch {
        status.value = 'failed'
      }
    },
  }
})

function byConversation({ messages, state }: Session, ids: readonly number[]): RecentConversation[] {
  const rows = new Map<string, RecentConversation & { senders: number[] }>()
  for (const id of ids.toReversed()) {
    const message = messages.get(id)
    if (!message) continue
    const conversation = conversationOf(message, state.user_id)
    const key = conversationKey(conversation)
    const row = rows.get(key) ?? { conversation, id, timestamp: message.timestamp, senders: [], hasOwn: false }
    if (row.senders.length < SENDERS && !row.senders.includes(message.sender_id)) row.senders.push(message.sender_id)
    if (message.sender_id === state.user_id) row.hasOwn = true
    rows.set(key, row)
  }
  return [...rows.values()]
}
