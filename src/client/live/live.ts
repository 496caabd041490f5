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

/** A poll is answered within 50 s, with a heartbeat if nothing else; one that takes longer has lost its connection. */
const DEAD_MS = 90_000

const EMPTY_MS = 1_000

/** Without an account there is no queue: the state is as it was asked for, until `retry`, or for so long. */
const UNFOLLOWED_MS = 24 * 3600 * 1000

export interface LiveOptions {
  /** Whether streams come with the ids of their subscribers. */
  includeSubscribers?: boolean
  /** Whether the state begins without the people and their presences, until `fetchPeople`: they are most of it. */
  peopleLater?: boolean
  timers?: Timers
  /** From 0 to below 1, for the spread of retries. */
  random?: () => number
}

/** What happened to a live state. */
export type Change =
  /** `state` has taken this event in. */
  | { type: 'event'; event: ChatEvent }
  /**
   * A new state: the first, one that was kept from before, or one after the event queue was lost. `previous` is what was
   * known before: messages sent, edited or deleted in between came by no event.
   */
  | { type: 'registered'; state: ClientState; previous: ClientState | undefined }
  /** The people are in `state`, which began without them. */
  | { type: 'people' }
  | { type: 'connection'; connection: Connection }

export interface Live {
  /** What register answered with every event since taken in; nothing before the first registration. */
  readonly state: ClientState | undefined
  readonly connection: Connection
  /** Calls back after each change. Returns a function that ends it. */
  onChange(listener: (change: Change) => void): () => void
  /** The state, when there is one. Rejects when the server refuses for good, or `stop` comes first. */
  ready(): Promise<ClientState>
  /**
   * Shows a state that was kept from before, until there is a connection: what the server has now then takes its place, as
   * after a lost queue, and so may another one that was kept. Does nothing once there is a state of the server.
   */
  restore(kept: ClientState): void
  /** Fetches the people as soon as there is a connection, where they were left for later. */
  fetchPeople(): void
  /**
   * Resolves when all that the server had done by now is in `state`: with the answer to a poll that begins from now on, which
   * may take as long as nothing happens, or with a new state.
   */
  caughtUp(): Promise<void>
  /** Tries again at once instead of waiting; without an account it asks for the state again, as nothing comes by events. */
  retry(): void
  /** Ends the event loop, and the queue if the server can be reached. */
  stop(): Promise<void>
}

/**
 * Keeps a copy of the state of an account up to date: registers, polls, and applies every event once and in
 * order. After a lost connection it retries with increasing delays, after sleep or a lost network at once; when
 * the queue has ended it registers again.
 *
 * @example
 * const session = live(client)
 * session.onChange((change) => change.type === 'event' && console.log(change.event.type))
 * const { unread_msgs } = await session.ready()
 */
export function live(client: Client, options: LiveOptions = {}): Live {
  const { timers = systemTimers, random = Math.random, includeSubscribers = true, peopleLater = false } = options
  const listeners = new Set<(change: Change) => void>()
  const first = deferred<ClientState>()
  // Callers that never ask for it need not handle its rejection.
  first.promise.catch(() => {})
  const stopped = new AbortController()
  let state: ClientState | undefined
  let connection: Connection = { status: 'connecting' }
  /** Whether `state` was kept from before. */
  let isKept = false
  /** Whether the queue of `state` is still assumed to exist. */
  let registered = false
  /** Whether people are to be fetched, and whether those of `state` were. */
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
      with_archived: true,
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
   * What happens meanwhile waits in the queue. Of that the answer may have something already: applied to it once more, in
   * order, it changes nothing.
   */
  async function takePeople(current: ClientState): Promise<void> {
    const wanted = { ...registration(false), event_types: [], fetch_event_types: [...laterParts] }
    const answer = await ask((signal) => client.register(wanted, { signal }))
    if (!answer) return
    // The queue that came with them has no use.
    void deleteQueue(answer)
    Object.assign(current, laterOf(answer))
    hasPeople = true
    announce({ type: 'people' })
  }

  async function poll(current: ClientState): Promise<void> {
    const { queue_id, last_event_id } = current
    if (isSpectator(current)) {
      await pause(UNFOLLOWED_MS)
      // Or it was ended because the people are wanted.
      registered = wantsPeople && !hasPeople
      return
    }
    // Whether a lost connection is back shows at once only when the server does not wait for something to happen.
    const dont_block = connection.status !== 'online'
    const caughtUp = behind.asks()
    const answer = await ask((signal) => client.getEvents({ queue_id, last_event_id, dont_block }, { signal }))
    if (!answer) return
    // Servers that are about to stop answer at once with nothing.
    if (answer.events.length === 0 && !dont_block) await pause(EMPTY_MS)
    for (const event of answer.events) {
      // A repeated answer brings what is known already.
      if (event.id <= current.last_event_id) continue
      current.last_event_id = event.id
      applyEvent(current, event)
      announce({ type: 'event', event })
      if (stopped.signal.aborted) return
    }
    caughtUp()
  }

  /** Waits after a failure, unless it is one that no repetition mends. */
  async function recover(error: unknown): Promise<void> {
    if (isChatError(error)) {
      if (error.kind === 'credentials') return end(error)
      if (error.kind === 'request') {
        const hadQueue = registered
        registered = false
        // The server answers, so nothing is to be waited for.
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
    // Who restores a state at once can ask for its messages first: that answer is small, and that of register is large.
    await Promise.resolve()
    while (!stopped.signal.aborted) {
      try {
        if (!registered || !state) await registerQueue()
        // After a lost connection a poll shows first whether this is still the same account.
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
      // Of a poll that waits nothing is lost.
      if (registered) interrupt()
    },
    caughtUp: behind.wait,
    retry: interrupt,
    async stop() {
      end()
      interrupt()
      await running
      // The server ends idle queues by itself; this only spares it the wait.
      if (registered && state) await deleteQueue(state)
    },
  }
}

function retryAfter(error: unknown): number {
  const wait = isChatError(error) ? Number(error.data['retry-after']) : 0
  return Number.isFinite(wait) ? wait * 1000 : 0
}
