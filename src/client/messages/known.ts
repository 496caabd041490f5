import type { MessageView } from '../../core/shapes/message.ts'
import type { Live } from '../live/live.ts'
import type { Messages } from './apply-event.ts'
import type { Feed } from './feed.ts'
import { isInNarrow } from './narrow.ts'
import { insertId, removeId, type Span, spansNear } from './spans.ts'

/** When many messages are known, the store forgets all feeds but the most recently used ones. */
const KEPT_FEEDS = 5
/** In these feeds, it keeps this share of messages on each side of the reading place. */
const NEAR = 1 / 12

/** What changed in a store. */
export interface StoreChange {
  /** Messages that changed or are gone. */
  messages: ReadonlySet<number>
  /** Feeds whose spans changed. */
  feeds: ReadonlySet<Feed>
}

/** A feed as the store changes it. */
export interface StoredFeed extends Feed {
  spans: readonly Span[]
  place: number | undefined
  isKept: boolean
}

/** What a store knows, and the listeners to its changes. */
export interface Known {
  readonly messages: Messages
  /** By the keys of their narrows, the least recently used ones first. */
  readonly feeds: Map<string, StoredFeed>
  readonly live: Live
  announce(ids: Iterable<number>, changed: Iterable<Feed>): void
  onChange(listener: (change: StoreChange) => void): () => void
}

/** Creates the contents of a store that knows nothing. */
export function knowsNothing(live: Live): Known {
  const listeners = new Set<(change: StoreChange) => void>()
  return {
    messages: new Map<number, MessageView>(),
    feeds: new Map(),
    live,
    announce(ids, changed) {
      const change: StoreChange = { messages: new Set(ids), feeds: new Set(changed) }
      if (change.messages.size + change.feeds.size === 0) return
      for (const listener of listeners) listener(change)
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Adds messages to the feeds they belong to and removes them from the others. Returns the changed feeds. */
export function place({ messages, feeds, live }: Known, ids: readonly number[]): Feed[] {
  const changed = new Set<Feed>()
  for (const feed of feeds.values()) {
    const before = feed.spans
    for (const id of ids) {
      const message = messages.get(id)
      const belongs = message && isInNarrow(message, feed.narrow, live.state!)
      if (belongs) feed.spans = insertId(feed.spans, id)
      else if (!message || belongs === false) feed.spans = removeId(feed.spans, id)
    }
    if (feed.spans !== before) changed.add(feed)
  }
  return [...changed]
}

/** Forgets everything. */
export function forgetAll({ messages, feeds, announce }: Known): void {
  const ids = [...messages.keys()]
  messages.clear()
  for (const feed of feeds.values()) Object.assign(feed, { spans: [], isKept: false })
  announce(ids, feeds.values())
}

/** Forgets messages far from the reading places when many are known, because a page may be open for days. */
export function trim({ messages, feeds, announce }: Known, mostKnown: number): void {
  if (messages.size <= mostKnown) return
  const changed: Feed[] = []
  for (const [i, feed] of [...feeds.values()].reverse().entries()) {
    const spans = i < KEPT_FEEDS ? spansNear(feed.spans, feed.place, mostKnown * NEAR) : []
    if (spans !== feed.spans) changed.push(feed)
    feed.spans = spans
  }
  const kept = new Set([...feeds.values()].flatMap(({ spans }) => spans.flatMap(({ ids }) => ids)))
  for (const id of messages.keys()) if (!kept.has(id)) messages.delete(id)
  announce([], changed)
}
