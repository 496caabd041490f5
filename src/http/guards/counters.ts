import type { Clock } from '../../core/base/clock.ts'
import type { Rate } from './rates.ts'

/**
 * Buckets of tokens by key: each holds as many as its rate allows at once, and fills up again over the rate's time.
 * One node keeps them in memory. Several nodes that should count together bring counters of their own, for instance in
 * a database they share; those may answer later.
 */
export interface Counters {
  /** Takes a token if there is one. */
  take(key: string, rate: Rate): Level | Promise<Level>
  /** Puts one back. */
  giveBack(key: string, rate: Rate): void | Promise<void>
  /** Fills the bucket up. */
  reset(key: string): void | Promise<void>
}

export interface Level {
  /** Whether a token was taken. */
  taken: boolean
  /** Tokens left, with the part of one that has come back. */
  left: number
}

interface Bucket {
  rate: Rate
  left: number
  /** When `left` was true, in milliseconds. */
  at: number
}

/** Beyond this many buckets those that are full again, and then the oldest, are dropped. */
const MAX_BUCKETS = 50_000

export function memoryCounters(clock: Clock): Counters {
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
    reset: (key) => void buckets.delete(key),
  }
}

const levelAt = ({ left, at, rate }: Bucket, now: number): number =>
  Math.min(rate.requests, left + (Math.max(0, now - at) * rate.requests) / (rate.seconds * 1000))
