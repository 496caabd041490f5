import { defineService } from '../../kernel/service.ts'
import type { LogEntry } from './log.ts'
import { createWaiters, type Waiter } from './waiters.ts'

/** How many of the newest events stay in memory, so that a thousand readers do not query them a thousand times … */
export const RECENT = 4096
/** … and their total size at most, in characters of JSON as logged. */
const RECENT_SIZE = 16 * 1024 * 1024

/** So many are woken within one turn of the event loop: each reads and answers. */
const WAKE_SLICE = 50

export interface Bus {
  /** Position of the newest committed event. */
  head(): number
  publish(entry: LogEntry): void
  /** The events after a position, oldest first; undefined if memory does not reach back that far. */
  recent(position: number, limit: number): readonly LogEntry[] | undefined
  /**
   * Adds a reader, and returns what removes it. It is woken soon after an event that concerns it, in its turn: the
   * sender of a message is answered first.
   */
  wait(waiter: Waiter): () => void
  /** Wakes a waiter in its turn, for a reason of its own. */
  wakeSoon(waiter: Waiter): void
  waiting(): number
  /** A committed write invalidated these cache keys: every process that shares the database drops the values. */
  invalidate(keys: readonly string[]): void
  onInvalidate(listener: (keys: readonly string[]) => void): void
  /** There are readers, or soon will be: from now on the newest events are kept, those that are not stored too. */
  watch(): void
  /** There are no readers at present; the next read or wait ends that state. */
  unwatch(): void
  readonly closed: boolean
  /** Wakes everybody, for the last time. */
  close(): void
}

const none: readonly LogEntry[] = []

/**
 * The waiting readers. Nothing durable depends on them: a lost wake-up delays events until the next heartbeat, but
 * loses none.
 */
export function createBus(head: number, newest: readonly LogEntry[] = []): Bus {
  const waiters = createWaiters()
  let woken: Waiter[] = []
  let entries: LogEntry[] = [...newest]
  /** All events after this position are in `entries`. */
  let base = newest[0] ? newest[0].id - 1 : head
  /**
   * Entries before this index are dropped, and removed from the array in batches: one by one would move all the
   * others each time.
   */
  let first = 0
  let size = newest.reduce((sum, entry) => sum + entry.size, 0)
  let watched = false
  let closed = false
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

  function wakeAfter(position: number, waiter: Waiter): void {
    if (waiter.due !== undefined) return
    waiter.due = position
    if (woken.push(waiter) === 1) setImmediate(wakeSome)
  }

  function wakeSome(): void {
    const slice = woken.slice(0, WAKE_SLICE)
    woken = woken.slice(WAKE_SLICE)
    for (const waiter of slice) waiter.wake()
    if (woken.length > 0) setImmediate(wakeSome)
  }

  return {
    head: () => head,
    publish(entry) {
      const before = head
      head = entry.id
      // Without readers, keeping the newest events would only cost memory.
      if (watched) keep(entry)
      else forget()
      for (const waiter of waiters.concernedBy(entry)) wakeAfter(before, waiter)
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
    wait(waiter) {
      watched = true
      waiters.add(waiter)
      return () => void waiters.remove(waiter)
    },
    wakeSoon: (waiter) => wakeAfter(head, waiter),
    waiting: () => waiters.count,
    invalidate: (keys) => staleListener(keys),
    onInvalidate(listener) {
      staleListener = listener
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
      for (const waiter of [...waiters.all()]) waiter.wake()
    },
  }
}

export const busOf = defineService<Bus>('bus')
