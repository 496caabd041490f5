import type { ChatEvent } from '../../core/events/types/table.ts'
import type { MessageView } from '../../core/shapes/message.ts'
import type { Client } from '../client.ts'
import type { Live } from '../live/live.ts'
import { applyToMessages } from './apply-event.ts'
import { decisionsOf } from './decide.ts'
import { asShown, covers, type Feed, type Loaded, type Window, windowRequest } from './feed.ts'
import { type KeptMessages, keepFeed, keepNewest, restore } from './keep.ts'
import { forgetAll, knowsNothing, place, type StoreChange, type StoredFeed, trim } from './known.ts'
import { isAboutStream, type Narrow, narrowKey } from './narrow.ts'
import { requestsOf, take } from './requests.ts'
import { addSpan, isIn } from './spans.ts'

/**
 * If more messages than this come into sight at the same time, they aren't fetched individually. Views load them
 * again.
 */
const MAX_FETCHED = 500

/** Above this many messages, the store forgets the ones far from the places that are being read. */
const MOST_KNOWN = 6000

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
  const known = knowsNothing(session)
  const { messages, feeds, announce } = known
  const requests = requestsOf()
  const decisions = decisionsOf(known, client, isFollowed)

  function forget(): void {
    requests.forget()
    forgetAll(known)
  }

  /** Fetches messages that an event made visible. */
  function fetchMissing(event: ChatEvent): void {
    const ids = event.type === 'update_message' ? (event.propagate_mode ? event.message_ids : []) : starred(event)
    const missing = ids.filter((id) => !messages.has(id) && [...feeds.values()].some(({ spans }) => covers(spans, id)))
    if (missing.length === 0) return
    if (missing.length > MAX_FETCHED) {
      forget()
      return
    }
    const { during, isOutdated, end } = requests.begin()
    client
      .getMessages({ message_ids: missing, ...asShown })
      .then((answer) => isOutdated() || take(known, answer.messages, during))
      .catch(() => {})
      .finally(end)
  }

  session.onChange((change) => {
    if (change.type === 'registered' && change.previous) forget()
    if (change.type === 'connection' && change.connection.status === 'online') decisions.askAgain()
    if (change.type !== 'event') return
    const { event } = change
    requests.note(event)
    const ids = applyToMessages(messages, event, session.state!)
    announce(ids, place(known, event.type === 'delete_message' ? (event.message_ids ?? ids) : ids))
    if (event.type === 'message') decisions.ask(event.message.id, feeds.values())
    fetchMissing(event)
    for (const feed of feeds.values()) if (feed.spans.length > 0 && isAboutStream(event, feed.narrow)) feed.forget()
    trim(known, mostKnown)
  })

  async function load(feed: StoredFeed, window: Window): Promise<Loaded> {
    // If there is a state, the request starts without waiting.
    if (!session.state) await session.ready()
    const { during, isOutdated, end } = requests.begin()
    try {
      const answer = await client.getMessages(windowRequest(feed.narrow, window))
      // Events before the new registration or the subscription are missing, and the response may be older.
      if (isOutdated() || during.some((event) => isAboutStream(event, feed.narrow))) return await load(feed, window)
      const at = answer.anchor!
      const ids = answer.messages.map(({ id }) => id)
      const from = answer.found_oldest ? 0 : Math.min(ids[0] ?? at, at)
      const to = answer.found_newest ? Number.POSITIVE_INFINITY : Math.max(ids.at(-1) ?? at, at)
      take(known, answer.messages, during, () => {
        feed.spans = addSpan(feed.isKept ? [] : feed.spans, { from, to, ids })
        feed.isKept = false
        return feed
      })
      for (const event of during) if (event.type === 'message') decisions.ask(event.message.id, [feed])
      return { span: feed.spans.find((span) => isIn(span, from))!, anchor: at }
    } finally {
      end()
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
    onChange: known.onChange,
    keep: (most) => keepNewest(known, most),
    keepFeed: (narrow, most) => keepFeed(known, narrow, most),
    restore: (kept) => restore(known, kept, newFeed),
  }
}

const starred = (event: ChatEvent): readonly number[] =>
  event.type === 'update_message_flags' && event.flag === 'starred' && event.op === 'add' ? event.messages : []
