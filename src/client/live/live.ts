import type { ChatEvent } from '../../core/events/types/table.ts'
import { type ChatError, isChatError } from '../../core/kernel/errors.ts'
import type { Client } from '../client.ts'
import { applyEvent } from '../state/apply-event.ts'
import { type ClientState, isSpectator } from '../state/client-state.ts'
import { backoff } from './backoff.ts'
import { catchingUp } from './catching-up.ts'
import type { Connection } from './connection.ts'
import { deferred } from './deferred.ts'
import { interruptible } from './interruptible.ts'
import { firstParts, laterOf, laterParts, registration } from './registration.ts'
import { systemTimers, type Timers } from './timers.ts'
import { onWake } from './wake.ts'

/** The server answers a poll within 50 s, at least with a heartbeat. After this time, the connection is dead. */
const DEAD_MS = 90_000

const EMPTY_MS = 1_000

/** Without an account there is no queue, so the state stays unchanged until `retry`, or for this long. */
const UNFOLLOWED_MS = 24 * 3600 * 1000

export interface LiveOptions {
  /** Whether streams include the ids of their subscribers. */
  includeSubscribers?: boolean
  /** Whether the state starts without users and presences, which are most of it, until `fetchPeople`. */
  peopleLater?: boolean
  timers?: Timers
  /** From 0 to below 1, for the spread of retries. */
  random?: () => number
}

/** A change of a live state. */
export type Change =
  /** `state` now includes this event. */
  | { type: 'event'; event: ChatEvent }
  /**
   * A new state: the first, a stored one, or one after the event queue was lost. `previous` is the state before. No
   * events announced messages that were sent, edited or deleted in between.
   */
  | { type: 'registered'; state: ClientState; previous: ClientState | undefined }
  /** `state`, which started without users, now has them. */
  | { type: 'people' }
  | { type: 'connection'; connection: Connection }

export interface Live {
  /** The response of register with all events since; undefined before the first registration. */
  readonly state: ClientState | undefined
  readonly connection: Connection
  /** Calls the listener after each change. Returns a function that removes the listener. */
  onChange(listener: (change: Change) => void): () => void
  /** Resolves to the state when there is one. Rejects if the server rejects the client for good, or after `stop`. */
  ready(): Promise<ClientState>
  /**
   * Shows a stored state until there is a connection. The server's state then replaces it, as after a lost queue.
   * Another stored state can replace it too. Does nothing once there is a state from the server.
   */
  restore(kept: ClientState): void
  /** Fetches the users that `peopleLater` left out, as soon as there is a connection. */
  fetchPeople(): void
  /**
   * Resolves when `state` includes everything that the server has done before this call: with the response to a poll
   * that starts now, or with a new state. The poll may take as long as nothing happens.
   */
  caughtUp(): Promise<void>
  /**
   * Retries immediately instead of waiting. Without an account it fetches the state again, since there are no events.
   */
  retry(): void
  /** Stops the event loop, and deletes the queue if the server can be reached. */
  stop(): Promise<void>
}

/**
 * Keeps a copy of an account's state up to date: registers, polls, and applies every event once and in order. After a
 * lost connection it retries with increasing delays, and immediately after sleep or when the network returns. It
 * registers again when the queue has expired.
 * @example
 * const session = live(client)
 * session.onChange((change) => change.type === 'event' && console.log(change.event.type))
 * const { unread_msgs } = await session.ready()
 */
export function live(client: Client, options: LiveOptions = {}): Live {
  const { timers = systemTimers, random = Math.random, includeSubscribers = true, peopleLater = false } = options
  const listeners = new Set<(change: Change) => void>()
  const first = deferred<ClientState>()
  // Callers that never call `ready` need not handle its rejection.
  first.promise.catch(() => {})
  const stopped = new AbortController()
  let state: ClientState | undefined
  let connection: Connection = { status: 'connecting' }
  /** Whether `state` is a stored one. */
  let isKept = false
  /** Whether the queue of `state` is expected to exist. */
  let registered = false
  /** Whether users are to be fetched, and whether `state` has them. */
  let wantsPeople = !peopleLater
  let hasPeople = false
  let failures = 0
  const { ask, pause, interrupt } = interruptible(timers, DEAD_MS)
  const behind = catchingUp()

  const announce = (change: Change) => {
    for (const listener of listeners) listener(change)
  }
  const setConnection = (next: Connection) => {
    if (connection.status === next.status && next.status !== 'offline') return
    connection = next
    announce({ type: 'connection', connection })
  }

  async function registerQueue(): Promise<void> {
    const wanted = { ...registration(includeSubscribers), ...(peopleLater && { fetch_event_types: [...firstParts] }) }
    const caughtUp = behind.asks()
    const answer = await ask((signal) => client.register(wanted, { signal }))
    if (!answer) return
    const { result: _, msg: __, ...members } = answer
    // A registration for all parts has all members.
    const kept = {
      with_subscribers: includeSubscribers,
      with_all_users: true,
      deleted_messages: [],
    }
    const previous = state
    state = { ...(peopleLater && laterOf(previous)), ...(members as Required<typeof members>), ...kept }
    isKept = false
    registered = true
    hasPeople = !peopleLater
    first.resolve(state)
    announce({ type: 'registered', state, previous })
    caughtUp()
  }

  /**
   * Later events wait in the queue. The response may include some of them already. Applying them again in order
   * changes nothing.
   */
  async function takePeople(current: ClientState): Promise<void> {
    const wanted = { ...registration(false), event_types: [], fetch_event_types: [...laterParts] }
    const answer = await ask((signal) => client.register(wanted, { signal }))
    if (!answer) return
    // The queue of this second registration isn't needed.
    void deleteQueue(answer)
    Object.assign(current, laterOf(answer))
    hasPeople = true
    announce({ type: 'people' })
  }

  async function poll(current: ClientState): Promise<void> {
    const { queue_id, last_event_id } = current
    if (isSpectator(current)) {
      await pause(UNFOLLOWED_MS)
      // False also if the registration was interrupted because the users are wanted.
      registered = wantsPeople && !hasPeople
      return
    }
    // A poll that doesn't wait shows immediately that the connection is back.
    const dont_block = connection.status !== 'online'
    const caughtUp = behind.asks()
    const answer = await ask((signal) => client.getEvents({ queue_id, last_event_id, dont_block }, { signal }))
    if (!answer) return
    // A server that is about to stop answers immediately, with no events.
    if (answer.events.length === 0 && !dont_block) await pause(EMPTY_MS)
    for (const event of answer.events) {
      // A repeated response contains events that are applied already.
      if (event.id <= current.last_event_id) continue
      current.last_event_id = event.id
      applyEvent(current, event)
      announce({ type: 'event', event })
      if (stopped.signal.aborted) return
    }
    caughtUp()
  }

  /** Waits after a failure that a retry can fix. */
  async function recover(error: unknown): Promise<void> {
    if (isChatError(error)) {
      if (error.kind === 'credentials' || error.code === 'TERMS_NOT_ACCEPTED') return end(error)
      if (error.kind === 'request') {
        const hadQueue = registered
        registered = false
        // The server is reachable, so there is no need to wait.
        if (error.code === 'BAD_EVENT_QUEUE_ID' && hadQueue) {
          failures = 1
          return
        }
      }
    }
    failures += 1
    const wait = Math.max(backoff(failures, random), retryAfter(error))
    setConnection({ status: 'offline', retryAt: timers.now() + wait })
    await pause(wait)
  }

  const deleteQueue = async (of: { queue_id: string }): Promise<void> => {
    if (!isSpectator(of)) await client.deleteQueue({ queue_id: of.queue_id }).catch(() => {})
  }

  function end(error?: ChatError): void {
    if (connection.status === 'ended') return
    stopped.abort()
    endWake()
    first.reject(error ?? new Error('stopped'))
    setConnection(error ? { status: 'ended', error } : { status: 'ended' })
  }

  async function run(): Promise<void> {
    // Lets a caller that restored a state fetch its messages first: that response is small, and the response of
    // register is large.
    await Promise.resolve()
    while (!stopped.signal.aborted) {
      try {
        if (!registered || !state) await registerQueue()
        // After a lost connection, a poll checks first that this is still the same account.
        else if (wantsPeople && !hasPeople && connection.status === 'online') await takePeople(state)
        else await poll(state)
        if (stopped.signal.aborted) return
        if (!registered) continue
        failures = 0
        setConnection({ status: 'online' })
      } catch (error) {
        if (!stopped.signal.aborted) await recover(error)
      }
    }
  }

  const endWake = onWake(timers, interrupt)
  const running = run()

  return {
    get state() {
      return state
    },
    get connection() {
      return connection
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    ready: () => first.promise,
    restore(kept) {
      if ((state && !isKept) || stopped.signal.aborted) return
      state = kept
      isKept = true
      first.resolve(state)
      announce({ type: 'registered', state, previous: undefined })
    },
    fetchPeople() {
      if (wantsPeople) return
      wantsPeople = true
      // Interrupting a waiting poll loses nothing.
      if (registered) interrupt()
    },
    caughtUp: behind.wait,
    retry: interrupt,
    async stop() {
      end()
      interrupt()
      await running
      // The server deletes idle queues anyway. This is only sooner.
      if (registered && state) await deleteQueue(state)
    },
  }
}

function retryAfter(error: unknown): number {
  const wait = isChatError(error) ? Number(error.data['retry-after']) : 0
  return Number.isFinite(wait) ? wait * 1000 : 0
}
