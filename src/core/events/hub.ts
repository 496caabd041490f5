import type { Audience } from './audience.ts'
import type { LogEntry } from './log.ts'

/** How many of the newest events stay in memory, so that a thousand readers do not read them a thousand times. */
const RECENT = 4096

export interface Waiter {
  user_id: number
  /** Woken when an event was logged that may be for this user. */
  wakes(audience: Audience): boolean
  wake(): void
}

export interface Hub {
  /** Position of the newest committed event. */
  head(): number
  publish(entry: LogEntry): void
  /** The events after a position, oldest first; undefined if memory does not reach back that far. */
  recent(position: number, limit: number): readonly LogEntry[] | undefined
  wait(waiter: Waiter): () => void
  waiting(): number
  readonly closed: boolean
  /** Wakes everybody for the last time. */
  close(): void
}

/** Who is waiting. It carries no state that matters: a lost wake costs a heartbeat's delay, never an event. */
export function createHub(head: number): Hub {
  const byUser = new Map<number, Set<Waiter>>()
  let entries: LogEntry[] = []
  let closed = false
  let count = 0

  return {
    head: () => head,
    publish(entry) {
      head = entry.id
      entries.push(entry)
      if (entries.length > 2 * RECENT) entries = entries.slice(-RECENT)
      const { audience } = entry
      const named = audience.role === undefined && audience.stream === undefined ? audience.users : undefined
      const concerned = named ? named.flatMap((id) => [...(byUser.get(id) ?? [])]) : [...byUser.values()].flatMap((s) => [...s])
      for (const waiter of concerned) if (named || waiter.wakes(audience)) waiter.wake()
    },
    recent(position, limit) {
      if (position >= head) return []
      const first = entries[0]
      // Positions may skip, so only what lies at or before the oldest entry is known to be complete.
      if (!first || first.id > position + 1) return undefined
      let low = 0
      let high = entries.length
      while (low < high) {
        const middle = (low + high) >> 1
        if (entries[middle]!.id > position) high = middle
        else low = middle + 1
      }
      return entries.slice(low, low + limit)
    },
    wait(waiter) {
      const set = byUser.get(waiter.user_id) ?? new Set()
      byUser.set(waiter.user_id, set)
      set.add(waiter)
      count++
      return () => {
        if (!set.delete(waiter)) return
        count--
        if (set.size === 0 && byUser.get(waiter.user_id) === set) byUser.delete(waiter.user_id)
      }
    },
    waiting: () => count,
    get closed() {
      return closed
    },
    close() {
      closed = true
      for (const set of [...byUser.values()]) for (const waiter of [...set]) waiter.wake()
    },
  }
}
