import type { ChatEvent } from '../../core/events/types/table.ts'
import type { MessageView } from '../../core/shapes/message.ts'
import type { Client } from '../client.ts'
import type { Live } from '../live/live.ts'
import { applyToMessages, type Messages } from './apply-event.ts'
import { asShown, covers, type Feed, type Loaded, sentNarrow, type Window } from './feed.ts'
import { isAboutStream, isInNarrow, type Narrow, narrowKey } from './narrow.ts'
import { addSpan, cutBefore, insertId, isIn, removeId, type Span, spansNear, startingAt } from './spans.ts'
import { undecided } from './undecided.ts'

/**
 * If more messages than this come into sight at the same time, they aren't fetched individually. Views load them
 * again.
 */
const MAX_FETCHED = 500

/** Above this many messages, the store forgets the ones far from the places that are being read: */
const MOST_KNOWN = 6000
/**
 * all feeds but the most recently used ones, and in the rest all but this share of messages on each side of the reading
 * place.
 */
const KEPT_FEEDS = 5
const NEAR = 1 / 12

export interface StoreChange {
  /** Messages that changed or are gone. */
  messages: ReadonlySet<number>
  /** Feeds whose spans changed. */
  feeds: ReadonlySet<Feed>
}

/** Each message that was fetched or came with an event, once, and which messages belong to each narrow. */
export interface MessageStore {
  get(id: number): MessageView | undefined
  /** Returns the feed of a narrow, always the same object for equal narrows. */
  feed(narrow: Narrow): Feed
  /** Calls the listener after each change. Returns a function that removes the listener. */
  onChange(listener: (change: StoreChange) => void): () => void
  /** Returns the newest messages to store for offline use, at most this many. */
  keep(most: number): KeptMessages
  /** Returns the messages of one feed to store, at most this many on each side of the reading place. */
  keepFeed(narrow: Narrow, most: number): KeptMessages
  /** Adds stored messages. */
  restore(kept: KeptMessages): void
}

/** Messages as plain values that a browser's database can store. */
export interface KeptMessages {
  messages: readonly MessageView[]
  feeds: readonly { narrow: Narrow; spans: readonly Span[] }[]
}

interface StoredFeed extends Feed {
  spans: readonly Span[]
  place: number | undefined
  isKept: boolean
}

export interface StoreOptions {
  /** How many messages to know before the ones far from the reading places are forgotten. */
  mostKnown?: number
  /**
   * Returns whether to ask the server about new messages of a feed. Only the server knows whether a message matches
   * some narrows, such as searches. If false, the feed ends before the message and continues when more of it is
   * loaded. All feeds are followed by default.
   */
  isFollowed?(feed: Feed): boolean
}

/**
 * Creates a store that a live state's events keep up to date. After the live state registers again, all feeds are
 * empty, and views load their windows again.
 * @example
 * const messages = messageStore(client, session)
 * const { span } = await messages.feed([{ operator: 'channel', operand: 7 }]).load({ anchor: 'newest', before: 100, after: 0 })
 * for (const id of span.ids) console.log(messages.get(id)!.content)
 */
export function messageStore(
  client: Client,
  session: Live,
  { mostKnown = MOST_KNOWN, isFollowed = () => true }: StoreOptions = {},
): MessageStore {
  const messages: Messages = new Map()
  const feeds = new Map<string, StoredFeed>()
  const listeners = new Set<(change: StoreChange) => void>()
  /** Events during a request. The response may be older or newer than they are. */
  const underWay = new Set<ChatEvent[]>()
  /** How often everything was forgotten. */
  let registrations = 0

  const announce = (ids: Iterable<number>, changed: Iterable<Feed>) => {
    const change: StoreChange = { messages: new Set(ids), feeds: new Set(changed) }
    if (change.messages.size + change.feeds.size === 0) return
    for (const listener of listeners) listener(change)
  }

  /** Adds messages to the feeds they belong to and removes them from the others. Returns the changed feeds. */
  function place(ids: readonly number[]): Feed[] {
    const changed = new Set<Feed>()
    for (const feed of feeds.values()) {
      const before = feed.spans
      for (const id of ids) {
        const message = messages.get(id)
        const belongs = message && isInNarrow(message, feed.narrow, session.state!)
        if (belongs) feed.spans = insertId(feed.spans, id)
        else if (!message || belongs === false) feed.spans = removeId(feed.spans, id)
      }
      if (feed.spans !== before) changed.add(feed)
    }
    return [...changed]
  }

  /** Asks the server whether a message belongs to the feeds that only the server can decide about. */
  function askFor(id: number, among: Iterable<StoredFeed>): void {
    const message = messages.get(id)
    if (!message) return
    for (const feed of among) {
      if (covers(feed.spans, id) && isInNarrow(message, feed.narrow, session.state!) === undefined) open.add(feed, id)
    }
  }

  const open = undecided<StoredFeed>(async (feed, ids) => {
    // Messages that are still known, not yet in the feed, and not after its end.
    const asked = ids.filter(
      (id) => messages.has(id) && feed.spans.some((span) => isIn(span, id) && !span.ids.includes(id)),
    )
    if (asked.length === 0) return
    if (!isFollowed(feed)) {
      // The known messages stay and only the end changes, so listeners need not hear of it.
      for (const id of asked) feed.spans = cutBefore(feed.spans, id)
      return
    }
    const { messages: matches } = await client.matchesNarrow({ msg_ids: asked, narrow: sentNarrow(feed.narrow) })
    const found = asked.filter((id) => matches[id] && messages.has(id))
    for (const id of found) {
      messages.set(id, { ...messages.get(id)!, ...matches[id] })
      feed.spans = insertId(feed.spans, id)
    }
    if (found.length > 0) announce(found, [feed])
  })

  /** Fetches messages that an event made visible. */
  function fetchMissing(event: ChatEvent): void {
    const ids = event.type === 'update_message' ? (event.propagate_mode ? event.message_ids : []) : starred(event)
    const missing = ids.filter((id) => !messages.has(id) && [...feeds.values()].some(({ spans }) => covers(spans, id)))
    if (missing.length === 0) return
    if (missing.length > MAX_FETCHED) {
      forget()
      return
    }
    const began = registrations
    const during = begin()
    client
      .getMessages({ message_ids: missing, ...asShown })
      .then((answer) => began === registrations && take(answer.messages, during))
      .catch(() => {})
      .finally(() => underWay.delete(during))
  }

  function begin(): ChatEvent[] {
    const during: ChatEvent[] = []
    underWay.add(during)
    return during
  }

  /** Adds fetched messages, then applies the events that happened during the request. */
  function take(fetched: readonly MessageView[], during: readonly ChatEvent[], into?: () => Feed): void {
    for (const message of fetched) messages.set(message.id, message)
    const joined = into ? [into()] : []
    const touched = during.flatMap((event) => applyToMessages(messages, event, session.state!))
    const gone = during.flatMap((event) => (event.type === 'delete_message' ? (event.message_ids ?? []) : []))
    for (const id of gone) messages.delete(id)
    const ids = [...fetched.map(({ id }) => id), ...touched, ...gone]
    announce(ids, [...joined, ...place(into ? [...touched, ...gone] : ids)])
  }

  function forget(): void {
    registrations += 1
    const known = [...messages.keys()]
    messages.clear()
    for (const feed of feeds.values()) Object.assign(feed, { spans: [], isKept: false })
    for (const during of underWay) during.length = 0
    announce(known, feeds.values())
  }

  /** Forgets messages far from the reading places when many are known, because a page may be open for days. */
  function trim(): void {
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

  session.onChange((change) => {
    if (change.type === 'registered' && change.previous) forget()
    if (change.type === 'connection' && change.connection.status === 'online') open.askAgain()
    if (change.type !== 'event') return
    const { event } = change
    for (const during of underWay) during.push(event)
    const ids = applyToMessages(messages, event, session.state!)
    announce(ids, place(event.type === 'delete_message' ? (event.message_ids ?? ids) : ids))
    if (event.type === 'message') askFor(event.message.id, feeds.values())
    fetchMissing(event)
    for (const feed of feeds.values()) if (feed.spans.length > 0 && isAboutStream(event, feed.narrow)) feed.forget()
    trim()
  })

  async function load(feed: StoredFeed, { anchor, before: num_before, after: num_after }: Window): Promise<Loaded> {
    // If there is a state, the request starts without waiting.
    if (!session.state) await session.ready()
    const began = registrations
    const during = begin()
    try {
      const wanted = { anchor, num_before, num_after, narrow: sentNarrow(feed.narrow), ...asShown }
      const answer = await client.getMessages(wanted)
      // Events before the new registration or the subscription are missing, and the response may be older.
      if (began !== registrations || during.some((event) => isAboutStream(event, feed.narrow)))
        return await load(feed, { anchor, before: num_before, after: num_after })
      const at = answer.anchor!
      const ids = answer.messages.map(({ id }) => id)
      const from = answer.found_oldest ? 0 : Math.min(ids[0] ?? at, at)
      const to = answer.found_newest ? Number.POSITIVE_INFINITY : Math.max(ids.at(-1) ?? at, at)
      take(answer.messages, during, () => {
        feed.spans = addSpan(feed.isKept ? [] : feed.spans, { from, to, ids })
        feed.isKept = false
        return feed
      })
      for (const event of during) if (event.type === 'message') askFor(event.message.id, [feed])
      return { span: feed.spans.find((span) => isIn(span, from))!, anchor: at }
    } finally {
      underWay.delete(during)
    }
  }

  function newFeed(narrow: Narrow): StoredFeed {
    /** Windows being fetched. Requests for the same window share the response. */
    const under = new Map<string, Promise<Loaded>>()
    const feed: StoredFeed = {
      narrow,
      spans: [],
      place: undefined,
      isKept: false,
      readAt(id) {
        feed.place = id
      },
      load(window) {
        const key = JSON.stringify(window)
        const loading = under.get(key) ?? load(feed, window).finally(() => under.delete(key))
        under.set(key, loading)
        return loading
      },
      forget() {
        feed.spans = []
        announce([], [feed])
      },
    }
    return feed
  }

  return {
    get: (id) => messages.get(id),
    feed(narrow) {
      const key = narrowKey(narrow)
      const feed = feeds.get(key) ?? newFeed(narrow)
      // Moves the feed to the end: feeds are in the order of their last use.
      feeds.delete(key)
      feeds.set(key, feed)
      return feed
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    keep(most) {
      const kept = [...messages.values()].sort((a, b) => b.id - a.id).slice(0, most)
      const from = kept.length < messages.size ? (kept.at(-1)?.id ?? 0) : 0
      return {
        messages: kept,
        feeds: [...feeds.values()].flatMap(({ narrow, spans }) => {
          const known = spans.filter((span) => span.to >= from).map((span) => startingAt(span, from))
          return known.length > 0 ? [{ narrow, spans: known }] : []
        }),
      }
    },
    keepFeed(narrow, most) {
      const feed = feeds.get(narrowKey(narrow))
      const spans = feed ? spansNear(feed.spans, feed.place, most) : []
      const known = spans.flatMap(({ ids }) => ids).flatMap((id) => messages.get(id) ?? [])
      return { messages: known, feeds: spans.length > 0 ? [{ narrow, spans }] : [] }
    },
    restore(kept) {
      for (const message of kept.messages) messages.set(message.id, message)
      for (const { narrow, spans } of kept.feeds) {
        const feed = feeds.get(narrowKey(narrow)) ?? newFeed(narrow)
        feeds.set(narrowKey(narrow), Object.assign(feed, { spans, isKept: true }))
      }
      announce(
        kept.messages.map(({ id }) => id),
        feeds.values(),
      )
    },
  }
}

const starred = (event: ChatEvent): readonly number[] =>
  event.type === 'update_message_flags' && event.flag === 'starred' && event.op === 'add' ? event.messages : []
