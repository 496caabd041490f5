import type { Logger } from '../../kernel/base/logger.ts'
import { defineService } from '../../kernel/service.ts'
import type { LogEntry } from './log.ts'
import { createWaiters, type Waiter } from './waiters.ts'

/** How many of the newest events stay in memory, so that a thousand readers don't query them a thousand times … */
export const RECENT = 4096
/** … and their maximum total size, in characters of JSON as logged. */
const RECENT_SIZE = 16 * 1024 * 1024

/** Readers woken within one turn of the event loop. Each one reads and responds. */
const WAKE_SLICE = 50

export interface Bus {
  /** Position of the newest committed event. */
  head(): number
  publish(entry: LogEntry): void
  /** Returns the events after a position, oldest first; undefined if memory doesn't reach back that far. */
  recent(position: number, limit: number): readonly LogEntry[] | undefined
  /**
   * Loads what was logged before the process started, once: after a restart, all readers resume at about the same
   * position.
   *
   * @param read returns the newest events up to a position, oldest first
   */
  recall(read: (upTo: number) => Promise<readonly LogEntry[]>): Promise<void>
  /**
   * Adds a reader, and returns a function that removes it. It is woken soon after an event for it, but the sender of a
   * message is answered first. Removing it returns the position up to which no event was for it.
   */
  wait(waiter: Waiter): () => number
  /** Wakes a waiter in its turn, for a reason of its own. */
  wakeSoon(waiter: Waiter): void
  waiting(): number
  /**
   * Announces that a committed write invalidated these cache keys. Every process that shares the database drops the
   * values.
   */
  invalidate(keys: readonly string[]): void
  onInvalidate(listener: (keys: readonly string[]) => void): void
  /** Calls it with each event of any process, after the commit. It must return quickly. */
  onEvent(listener: (entry: LogEntry) => void): void
  /** Announces that there are readers or will be soon. The newest events are then kept, including transient ones. */
  watch(): void
  /** Announces that there are no readers. The next read or wait ends that. */
  unwatch(): void
  readonly closed: boolean
  /** Wakes all readers, for the last time. */
  close(): void
}

const none: readonly LogEntry[] = []

/**
 * Creates the bus with the waiting readers. Nothing durable depends on them: a lost wake-up delays events until the
 * next heartbeat but loses none.
 */
export function createBus(head: number, logger: Logger): Bus {
  const failed = (err: unknown) => logger.error({ err }, 'waking a reader of events failed')
  const waiters = createWaiters(failed)
  /** Events that the waiting readers haven't been asked about, because senders are answered first. */
  let unasked: { readonly before: number; readonly entry: LogEntry }[] = []
  let woken: Waiter[] = []
  let hasTurn = false
  let entries: LogEntry[] = []
  /** `entries` has all events after this position. */
  let base = head
  /**
   * Entries before this index are dropped. They are removed in batches because removing one would move all others.
   */
  let first = 0
  let size = 0
  let recalling: Promise<void> | undefined
  let watched = false
  let closed = false
  let eventListener: ((entry: LogEntry) => void) | undefined
  let staleListener = (_: readonly string[]) => {}

  function keep(entry: LogEntry): void {
    entries.push(entry)
    size += entry.size
    while (entries.length - first > RECENT || (size > RECENT_SIZE && entries.length - first > 1)) {
      size -= entries[first]!.size
      base = entries[first]!.id
      first++
    }
    if (first > RECENT) {
      entries = entries.slice(first)
      first = 0
    }
  }

  function forget(): void {
    base = head
    if (entries.length === 0) return
    entries = []
    first = 0
    size = 0
  }

  /** The position up to which the waiting readers have been asked. */
  const askedUpTo = () => unasked[0]?.before ?? head

  /** Finds the readers of new events. Call it before a reader is added, because it would be asked as well. */
  function askReaders(): void {
    const events = unasked
    unasked = []
    for (const { before, entry } of events) {
      try {
        for (const waiter of waiters.concernedBy(entry)) wakeAfter(before, waiter)
      } catch (error) {
        // An event of another process is parsed here. One that can't be parsed must not end the turn or a new reader.
        failed(error)
      }
    }
  }

  function wakeAfter(position: number, waiter: Waiter): void {
    if (waiter.due !== undefined) return
    waiter.due = position
    woken.push(waiter)
    takeTurnSoon()
  }

  function takeTurnSoon(): void {
    if (hasTurn) return
    hasTurn = true
    setImmediate(takeTurn)
  }

  function takeTurn(): void {
    askReaders()
    const slice = woken.slice(0, WAKE_SLICE)
    woken = woken.slice(WAKE_SLICE)
    hasTurn = false
    for (const waiter of slice) wake(waiter)
    if (unasked.length > 0 || woken.length > 0) takeTurnSoon()
  }

  /** Nobody awaits a turn, so an error must not leave it: it would end the process. */
  function wake(waiter: Waiter): void {
    try {
      waiter.wake()
    } catch (error) {
      failed(error)
    }
  }

  async function recall(read: (upTo: number) => Promise<readonly LogEntry[]>): Promise<void> {
    const upTo = base
    const older = await read(upTo)
    // Newer events were dropped during the read, so these would leave a gap.
    if (base !== upTo || older.length === 0) return
    entries = [...older, ...entries.slice(first)]
    first = 0
    size += older.reduce((sum, entry) => sum + entry.size, 0)
    base = older[0]!.id - 1
  }

  return {
    head: () => head,
    publish(entry) {
      const before = head
      head = entry.id
      // Without readers, keeping the newest events would only cost memory.
      if (watched) keep(entry)
      else forget()
      if (waiters.count > 0) {
        unasked.push({ before, entry })
        takeTurnSoon()
      }
      try {
        eventListener?.(entry)
      } catch (err) {
        // The listener may parse an event of another process, and a write of this one waits for that.
        logger.error({ err }, 'following an event failed')
      }
    },
    recent(position, limit) {
      watched = true
      if (position >= head) return none
      if (position < base) return undefined
      let low = first
      let high = entries.length
      while (low < high) {
        const middle = (low + high) >> 1
        if (entries[middle]!.id > position) high = middle
        else low = middle + 1
      }
      return entries.slice(low, low + limit)
    },
    recall: (read) => (recalling ??= recall(read)),
    wait(waiter) {
      watched = true
      askReaders()
      waiters.add(waiter)
      return () => {
        waiters.remove(waiter)
        return waiter.due ?? askedUpTo()
      }
    },
    wakeSoon: (waiter) => wakeAfter(askedUpTo(), waiter),
    waiting: () => waiters.count,
    invalidate: (keys) => staleListener(keys),
    onInvalidate(listener) {
      staleListener = listener
    },
    onEvent(listener) {
      eventListener = listener
    },
    watch() {
      watched = true
    },
    unwatch() {
      watched = false
    },
    get closed() {
      return closed
    },
    close() {
      closed = true
      for (const waiter of [...waiters.all()]) wake(waiter)
    },
  }
}

export const busOf = defineService<Bus>('bus')
