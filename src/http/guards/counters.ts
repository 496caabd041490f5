import type { Clock } from '../../core/kernel/base/clock.ts'
import type { Rate } from './rates.ts'

/**
 * Token buckets by key. Each has the capacity of its rate, and refills over the rate's time. They are in memory. Nodes
 * that share a database keep them in step (shared-counters.ts).
 */
export interface Counters {
  /** Takes a token if there is one. */
  take(key: string, rate: Rate): Level | Promise<Level>
  /** Returns a token to its bucket. */
  giveBack(key: string, rate: Rate): void | Promise<void>
  /** Refills the bucket. */
  reset(key: string): void | Promise<void>
}

export interface Level {
  /** Whether a token was available and is now used. */
  taken: boolean
  /** Tokens left, including fractions. */
  left: number
}

interface Bucket {
  rate: Rate
  left: number
  /** The time of `left`, in milliseconds. */
  at: number
}

/** With more buckets than this, full ones are dropped, and then the oldest. */
const MAX_BUCKETS = 50_000

export interface MemoryCounters extends Counters {
  take(key: string, rate: Rate): Level
  giveBack(key: string, rate: Rate): void
  reset(key: string): void
  /** Removes tokens that were taken on another node, as far as there are any. */
  takeOff(key: string, count: number, rate: Rate): void
}

export function memoryCounters(clock: Clock): MemoryCounters {
  const buckets = new Map<string, Bucket>()

  function bucketOf(key: string, rate: Rate): Bucket {
    const now = clock.now()
    const bucket = buckets.get(key)
    if (bucket) {
      bucket.left = levelAt(bucket, now)
      bucket.at = now
      bucket.rate = rate
      return bucket
    }
    if (buckets.size >= MAX_BUCKETS) prune(now)
    const full = { rate, left: rate.requests, at: now }
    buckets.set(key, full)
    return full
  }

  function prune(now: number): void {
    for (const [key, bucket] of buckets) if (levelAt(bucket, now) >= bucket.rate.requests) buckets.delete(key)
    for (const key of buckets.keys()) {
      if (buckets.size < MAX_BUCKETS * 0.9) break
      buckets.delete(key)
    }
  }

  return {
    take(key, rate) {
      const bucket = bucketOf(key, rate)
      const taken = bucket.left >= 1
      if (taken) bucket.left -= 1
      return { taken, left: bucket.left }
    },
    giveBack(key, rate) {
      const bucket = bucketOf(key, rate)
      bucket.left = Math.min(rate.requests, bucket.left + 1)
    },
    takeOff(key, count, rate) {
      const bucket = bucketOf(key, rate)
      bucket.left = Math.min(rate.requests, Math.max(0, bucket.left - count))
    },
    reset: (key) => void buckets.delete(key),
  }
}

const levelAt = ({ left, at, rate }: Bucket, now: number): number =>
  Math.min(rate.requests, left + (Math.max(0, now - at) * rate.requests) / (rate.seconds * 1000))
