import type { MessageView } from '../../core/shapes/message.ts'
import type { Known, StoredFeed } from './known.ts'
import { type Narrow, narrowKey } from './narrow.ts'
import { type Span, spansNear, startingAt } from './spans.ts'

/** Messages as plain values that a browser's database can store. */
export interface KeptMessages {
  messages: readonly MessageView[]
  feeds: readonly { narrow: Narrow; spans: readonly Span[] }[]
}

/** Returns the newest messages to store, at most this many. */
export function keepNewest({ messages, feeds }: Known, most: number): KeptMessages {
  const kept = [...messages.values()].sort((a, b) => b.id - a.id).slice(0, most)
  const from = kept.length < messages.size ? (kept.at(-1)?.id ?? 0) : 0
  return {
    messages: kept,
    feeds: [...feeds.values()].flatMap(({ narrow, spans }) => {
      const known = spans.filter((span) => span.to >= from).map((span) => startingAt(span, from))
      return known.length > 0 ? [{ narrow, spans: known }] : []
    }),
  }
}

/** Returns the messages of one feed to store, at most this many on each side of the reading place. */
export function keepFeed({ messages, feeds }: Known, narrow: Narrow, most: number): KeptMessages {
  const feed = feeds.get(narrowKey(narrow))
  const spans = feed ? spansNear(feed.spans, feed.place, most) : []
  const known = spans.flatMap(({ ids }) => ids).flatMap((id) => messages.get(id) ?? [])
  return { messages: known, feeds: spans.length > 0 ? [{ narrow, spans }] : [] }
}

/** Adds stored messages. */
export function restore(
  { messages, feeds, announce }: Known,
  kept: KeptMessages,
  newFeed: (narrow: Narrow) => StoredFeed,
): void {
  for (const message of kept.messages) messages.set(message.id, message)
  for (const { narrow, spans } of kept.feeds) {
    const feed = feeds.get(narrowKey(narrow)) ?? newFeed(narrow)
    feeds.set(narrowKey(narrow), Object.assign(feed, { spans, isKept: true }))
  }
  announce(
    kept.messages.map(({ id }) => id),
    feeds.values(),
  )
}
