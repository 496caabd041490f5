import type { User } from '../../kernel/user.ts'
import { isFor, type Periods } from './audience.ts'
import { isPublicMessage, type LogEntry } from './log.ts'

/** A reader waiting for events. Plain data, because thousands of them wait at a time. */
export interface Waiter {
  readonly user: Pick<User, 'id' | 'role'>
  /**
   * Shared by all waiters of one user. A change of their subscriptions is an event that names the user, and so wakes
   * them.
   */
  readonly periods: Periods
  /** Whether messages of all public streams are wanted. */
  readonly receivesAllPublic: boolean
  /** Whether an event that is for this user may be one that the reader asked for, or changes what it may read. */
  wants(entry: LogEntry): boolean
  /** Set when it will be woken: the position before the first event for it. */
  due?: number | undefined
  wake(): void
}

/** The waiters of one user. It stays for a while without waiters, because they return after each response. */
interface UserWaiters {
  readonly waiters: Set<Waiter>
  periods: Periods
}

/** How many users without waiters are kept, besides as many as have some. */
const SPARE = 100

/** The waiting readers, indexed so that an event finds its readers without asking all of them. */
export interface Waiters {
  readonly count: number
  add(waiter: Waiter): void
  remove(waiter: Waiter): boolean
  all(): Iterable<Waiter>
  /** Returns the waiters that an event is for and that want it, except those that will be woken anyway. */
  concernedBy(entry: LogEntry): Iterable<Waiter>
}

/** @param failed - called with an error of a waiter's filter. That waiter is woken, so that it reads the event itself. */
export function createWaiters(failed: (error: unknown) => void): Waiters {
  const byUser = new Map<number, UserWaiters>()
  const byStream = new Map<number, Set<UserWaiters>>()
  const overhearing = new Set<Waiter>()
  let count = 0
  let empty = 0

  /** Their current streams. Ended subscriptions have no new events. */
  function* streamsIn(periods: Periods): Generator<number> {
    for (const [stream_id, stays] of periods) {
      if (stays.some((stay) => stay.to_event === Number.POSITIVE_INFINITY)) yield stream_id
    }
  }
  function index(own: UserWaiters): void {
    for (const stream_id of streamsIn(own.periods)) {
      const there = byStream.get(stream_id)
      if (there) there.add(own)
      else byStream.set(stream_id, new Set([own]))
    }
  }
  function unindex(own: UserWaiters): void {
    for (const stream_id of streamsIn(own.periods)) {
      const there = byStream.get(stream_id)
      there?.delete(own)
      if (there?.size === 0) byStream.delete(stream_id)
    }
  }
  function dropEmpty(): void {
    for (const [id, own] of byUser) {
      if (own.waiters.size > 0) continue
      unindex(own)
      byUser.delete(id)
    }
    empty = 0
  }
  function* candidates({ role, users, stream }: LogEntry['audience']): Generator<UserWaiters> {
    if (role !== undefined) {
      yield* byUser.values()
      return
    }
    for (const id of users ?? []) {
      const own = byUser.get(id)
      if (own) yield own
    }
    for (const id of [stream ?? []].flat()) yield* byStream.get(id) ?? []
  }

  /** @param overhears - whether the event is for this reader although it isn't in the audience */
  function isConcerned(waiter: Waiter, entry: LogEntry, overhears: boolean): boolean {
    if (waiter.due !== undefined) return false
    try {
      return waiter.wants(entry) && (overhears || isFor(entry.audience, entry.id, waiter.user, waiter.periods))
    } catch (error) {
      failed(error)
      return true
    }
  }

  return {
    get count() {
      return count
    },
    add(waiter) {
      const { user, periods } = waiter
      let own = byUser.get(user.id)
      if (!own) {
        own = { waiters: new Set(), periods }
        byUser.set(user.id, own)
        index(own)
      } else {
        if (own.waiters.size === 0) empty--
        if (own.periods !== periods) {
          unindex(own)
          own.periods = periods
          index(own)
        }
      }
      own.waiters.add(waiter)
      if (waiter.receivesAllPublic) overhearing.add(waiter)
      count++
    },
    remove(waiter) {
      const own = byUser.get(waiter.user.id)
      if (!own?.waiters.delete(waiter)) return false
      overhearing.delete(waiter)
      count--
      if (own.waiters.size === 0 && ++empty > byUser.size - empty + SPARE) dropEmpty()
      return true
    },
    *all() {
      for (const own of byUser.values()) yield* own.waiters
    },
    *concernedBy(entry) {
      for (const { waiters } of candidates(entry.audience)) {
        for (const waiter of waiters) if (isConcerned(waiter, entry, false)) yield waiter
      }
      if (overhearing.size === 0 || !isPublicMessage(entry)) return
      for (const waiter of overhearing) if (isConcerned(waiter, entry, true)) yield waiter
    },
  }
}
