import { defineService } from '../service.ts'
import type { User } from '../user.ts'
import { isFor, namedReaders, type Periods } from './audience.ts'
import { isPublicMessage, type LogEntry } from './log.ts'

/** How many of the newest events stay in memory, so that a thousand readers do not query them a thousand times … */
export const RECENT = 4096
/** … and their total size at most, in characters of JSON as logged. */
const RECENT_SIZE = 16 * 1024 * 1024

/** A reader waiting for events. Plain data: thousands of them wait at a time. */
export interface Waiter {
  readonly user: Pick<User, 'id' | 'role'>
  /**
   * Shared by all waiters of one user. A change of their subscriptions is an event that names the user, and so wakes
   * them.
   */
  readonly periods: Periods
  /** Whether messages of all public streams are wanted. */
  readonly receivesAllPublic: boolean
  wake(): void
}

export interface Bus {
  /** Position of the newest committed event. */
  head(): number
  publish(entry: LogEntry): void
  /** The events after a position, oldest first; undefined if memory does not reach back that far. */
  recent(position: number, limit: number): readonly LogEntry[] | undefined
  wait(waiter: Waiter): () => void
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
  const byUser = new Map<number, Set<Waiter>>()
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
  let count = 0
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

  return {
    head: () => head,
    publish(entry) {
      head = entry.id
      // Without readers, keeping the newest events would only cost memory.
      if (watched) keep(entry)
      else forget()
      const named = namedReaders(entry.audience)
      if (named) {
        for (const id of named) for (const waiter of byUser.get(id) ?? []) waiter.wake()
        return
      }
      const isPublic = isPublicMessage(entry)
      for (const waiters of byUser.values()) {
        for (const waiter of waiters) {
          const overheard = waiter.receivesAllPublic && isPublic
          if (overheard || isFor(entry.audience, entry.id, waiter.user, waiter.periods)) waiter.wake()
        }
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
    wait(waiter) {
      watched = true
      const id = waiter.user.id
      const waiters = byUser.get(id) ?? new Set()
      byUser.set(id, waiters)
      waiters.add(waiter)
      count++
      return () => {
        if (!waiters.delete(waiter)) return
        count--
        if (waiters.size === 0 && byUser.get(id) === waiters) byUser.delete(id)
      }
    },
    waiting: () => count,
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
      for (const waiters of byUser.values()) for (const waiter of waiters) waiter.wake()
    },
  }
}

export const busOf = defineService<Bus>('bus')
