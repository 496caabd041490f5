import { batch, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import {
  type Change,
  type Client,
  type ClientState,
  type Connection,
  createClient,
  type Feed,
  type KeptMessages,
  type Live,
  live,
  type MessageStore,
  messageStore,
  type Outbox,
  type OutboxEntry,
  outbox,
} from '../../../src/client/index.ts'
import { serverUrl } from '../here.ts'
import { outboxStorage } from '../persistence/outbox-storage.ts'
import { takingAhead } from './ahead.ts'
import { untilDrawn } from './first-draw.ts'
import { firstPeople } from './first-people.ts'
import { whyNotRegister } from './first-visit.ts'
import { keepaliveFetch } from './keepalive-fetch.ts'
import { type Part, parts, partsOf, peopleParts } from './state-parts.ts'
import { throttledPollFetch } from './throttled-poll.ts'

/** A signed-in account, the source of everything that views show. */
export interface Session {
  readonly client: Client
  readonly live: Live
  readonly messages: MessageStore
  readonly outbox: Outbox
  /** The state as it is now, for what runs once. */
  readonly state: ClientState
  /** Returns the state for views and computed values, which update when one of these parts changes. */
  read(...parts: Part[]): ClientState
  readonly connection: ReadonlySignal<Connection>
  readonly outgoing: ReadonlySignal<readonly OutboxEntry[]>
  /** Whether there is a state to read. */
  readonly isReady: ReadonlySignal<boolean>
  /** Whether the view can be drawn, too. It comes after the page around it, because together they would take long. */
  readonly isViewReady: ReadonlySignal<boolean>
  /** If the state is a stored one, its time in milliseconds since 1970. */
  readonly cachedAt: ReadonlySignal<number | undefined>
  /** Whether all people are known, and not only those that were kept, or none. */
  readonly isPeopleKnown: ReadonlySignal<boolean>
  /** Records that a view shows the feed. Returns a function that ends it. */
  showFeed(feed: Feed): () => void
  /** Whether an open view shows the feed. */
  isShown(feed: Feed): boolean
  /** Shows a stored state and messages until the server can be reached. */
  restore(kept: KeptSession): void
  /** Takes in who was there since the last time. Also where nobody was: time has passed. */
  takePresences(answer: Awaited<ReturnType<Client['updatePresence']>>): void
  /** Stops all requests and ignores pending responses, which could otherwise end the next session. */
  end(): void
}

export interface KeptSession {
  state: ClientState
  messages: KeptMessages
  /** Milliseconds since 1970. */
  at: number
}

/** Presences are shown again at most this often. */
const PRESENCE_MS = 1000

/**
 * Starts with the account of the browser's session. `connection` is `ended` if it has none.
 *
 * @param prepare compute what the first view shows, each in a turn of its own, because together they would take long
 */
export function openSession(prepare: readonly ((session: Session) => unknown)[], url = serverUrl): Session {
  // Aborts pending work when the browser gets another account's session.
  const over = new AbortController()
  const asked = takingAhead(keepaliveFetch(throttledPollFetch()))
  const client = createClient({
    url,
    credentials: 'session',
    fetch: async (input, init) => {
      over.signal.throwIfAborted()
      // If a screen was stored, the newest messages come first, because this response is large and takes long to show.
      if (/\/register$/.test(String(input))) {
        if (cachedAt.peek() !== undefined) await untilDrawn()
        const rejection = await whyNotRegister(url, asked)
        if (rejection) return rejection
      }
      return asked(input, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, over.signal]) : over.signal })
    },
  })
  const session = live(client, { includeSubscribers: false, peopleLater: true })
  session.onChange((change) => {
    if (change.type === 'registered' && change.previous && change.previous.user_id !== change.state.user_id)
      over.abort()
  })
  // For a moment there may be two views of a feed, because the next opens before the last closes.
  const views = new Map<object, Feed>()
  const isShown = (feed: Feed) => [...views.values()].includes(feed)
  const messages = messageStore(client, session, { isFollowed: isShown })
  const outgoing = outbox(client, session, { storage: outboxStorage })
  const versions = Object.fromEntries(parts.map((part) => [part, signal(0)])) as Record<Part, Signal<number>>
  const connection = signal<Connection>(session.connection)
  const isReady = signal(false)
  const isViewReady = signal(false)
  const cachedAt = signal<number | undefined>(undefined)
  const isPeopleKnown = signal(false)
  const entries = signal(outgoing.entries)

  const bump = (changed: readonly Part[]) => {
    for (const part of changed) versions[part].value += 1
  }
  // A response may bring many events. Views update once, after all of them.
  const changedParts = new Set<Part>()
  const bumpOnce = (changed: readonly Part[]) => {
    if (changedParts.size === 0) queueMicrotask(bumpChanged)
    for (const part of changed) changedParts.add(part)
  }
  function bumpChanged(): void {
    const changed = [...changedParts]
    changedParts.clear()
    batch(() => bump(changed))
  }
  // With many users, presences change all the time.
  let isWaiting = false
  let isRestoring = false
  const presenceChanged = () => {
    if (isWaiting) return
    isWaiting = true
    setTimeout(() => {
      isWaiting = false
      batch(() => bump(partsOf.presence!))
    }, PRESENCE_MS)
  }
  const take = (change: Change) => {
    if (change.type === 'connection') connection.value = change.connection
    else if (change.type === 'registered') {
      bump(parts)
      const show = () =>
        batch(() => {
          isReady.value = true
          isViewReady.value = true
          bump(peopleParts)
          cachedAt.value = undefined
        })
      if (isViewReady.peek() || isRestoring) return show()
      void Promise.all([
        firstPeople(client, change.state),
        inTurns([...prepare, () => (isReady.value = true)], opened),
      ]).then(show)
    } else if (change.type === 'people') {
      isPeopleKnown.value = true
      bump(peopleParts)
    } else if (change.event.type === 'presence') presenceChanged()
    else bumpOnce(partsOf[change.event.type] ?? [])
  }
  session.onChange((change) => batch(() => take(change)))
  outgoing.onChange(() => {
    entries.value = outgoing.entries
  })
  const opened: Session = {
    client,
    live: session,
    messages,
    outbox: outgoing,
    get state() {
      return session.state!
    },
    read(...wanted) {
      for (const part of wanted) void versions[part].value
      return session.state!
    },
    connection,
    outgoing: entries,
    isReady,
    isViewReady,
    cachedAt,
    isPeopleKnown,
    showFeed(feed) {
      const view = {}
      views.set(view, feed)
      return () => views.delete(view)
    },
    isShown,
    restore(kept) {
      if (isReady.peek() && cachedAt.peek() === undefined) return
      messages.restore(kept.messages)
      isRestoring = true
      session.restore(kept.state)
      isRestoring = false
      cachedAt.value = kept.at
    },
    takePresences({ presences, presence_last_update_id: last }) {
      const state = session.state!
      Object.assign(state.presences, presences)
      if (last !== undefined) state.presence_last_update_id = Math.max(last, state.presence_last_update_id)
      presenceChanged()
    },
    end: () => over.abort(),
  }
  return opened
}

const turn = () => new Promise((resolve) => setTimeout(resolve))

async function inTurns(steps: readonly ((session: Session) => unknown)[], session: Session): Promise<void> {
  for (const step of steps) {
    await turn()
    step(session)
  }
  await turn()
}

/** A value that is made once for each session, such as a computed one that several views show. */
export function perSession<T>(make: (session: Session) => T): (session: Session) => T {
  const made = new WeakMap<Session, T>()
  return (session) => {
    const known = made.get(session)
    if (known !== undefined) return known
    const fresh = make(session)
    made.set(session, fresh)
    return fresh
  }
}
