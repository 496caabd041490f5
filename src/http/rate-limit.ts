import type { Clock } from '../core/clock.ts'
import { ChatError } from '../core/errors.ts'
import type { Headers } from './answers.ts'

/** So many at once, and as many again over each period. */
export interface Rule {
  name: string
  tokens: number
  period_ms: number
}

export const rules = {
  user: { name: 'user', tokens: 200, period_ms: 60_000 },
  /** Whoever has not signed in, or tried to and failed. */
  address: { name: 'address', tokens: 100, period_ms: 60_000 },
  /** Wrong passwords for one account. */
  password: { name: 'password', tokens: 5, period_ms: 30 * 60_000 },
} as const satisfies Record<string, Rule>

interface Bucket {
  tokens: number
  at: number
}

export interface RateLimiter {
  /** Takes one, or throws RATE_LIMIT_HIT. */
  take(rule: Rule, key: string): void
  giveBack(rule: Rule, key: string): void
  /** Begins afresh. */
  forgive(rule: Rule, key: string): void
  /** What is left, as headers. */
  headers(rule: Rule, key: string): Headers
}

/** Beyond this many buckets those that are full again, and then the oldest, are dropped. */
const MAX_BUCKETS = 50_000

export function createRateLimiter(clock: Clock): RateLimiter {
  const buckets = new Map<string, Bucket & { rule: Rule }>()

  function bucketOf(rule: Rule, key: string): Bucket {
    const id = `${rule.name} ${key}`
    const now = clock.now()
    const bucket = buckets.get(id)
    if (bucket) {
      bucket.tokens = level(bucket, rule, now)
      bucket.at = now
      return bucket
    }
    if (buckets.size >= MAX_BUCKETS) prune(now)
    const full = { rule, tokens: rule.tokens, at: now }
    buckets.set(id, full)
    return full
  }

  function prune(now: number): void {
    for (const [id, bucket] of buckets) if (level(bucket, bucket.rule, now) >= bucket.rule.tokens) buckets.delete(id)
    for (const id of buckets.keys()) {
      if (buckets.size < MAX_BUCKETS * 0.9) break
      buckets.delete(id)
    }
  }

  const nonEmpty = (rule: Rule, key: string): Bucket => {
    const bucket = bucketOf(rule, key)
    if (bucket.tokens < 1) throw hit(secondsUntilOne(bucket, rule))
    return bucket
  }
  return {
    take(rule, key) {
      nonEmpty(rule, key).tokens -= 1
    },
    giveBack(rule, key) {
      bucketOf(rule, key).tokens += 1
    },
    forgive: (rule, key) => void buckets.delete(`${rule.name} ${key}`),
    headers(rule, key) {
      const bucket = bucketOf(rule, key)
      const untilFull = ((rule.tokens - bucket.tokens) * rule.period_ms) / rule.tokens
      return {
        'x-ratelimit-limit': String(rule.tokens),
        'x-ratelimit-remaining': String(Math.max(0, Math.floor(bucket.tokens))),
        'x-ratelimit-reset': String(Math.ceil((clock.now() + untilFull) / 1000)),
      }
    },
  }
}

const level = ({ tokens, at }: Bucket, rule: Rule, now: number) =>
  Math.min(rule.tokens, tokens + (Math.max(0, now - at) * rule.tokens) / rule.period_ms)

const secondsUntilOne = ({ tokens }: Bucket, rule: Rule) => ((1 - tokens) * rule.period_ms) / rule.tokens / 1000

const hit = (seconds: number) =>
  new ChatError('RATE_LIMIT_HIT', 'API usage exceeded rate limit', { 'retry-after': Math.ceil(seconds * 1000) / 1000 })

/** Whom an address stands for: IPv6 hands out a /64 to one household, so all of it is one. */
export function addressKey(ip: string | undefined): string {
  if (!ip) return 'in process'
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)
  if (mapped) return mapped[1]!
  if (!ip.includes(':')) return ip
  const [head = '', tail] = ip.split('%')[0]!.toLowerCase().split('::')
  const start = head === '' ? [] : head.split(':')
  const end = tail ? tail.split(':') : []
  const missing = tail === undefined ? 0 : 8 - start.length - end.length
  const groups = [...start, ...Array<string>(Math.max(0, missing)).fill('0'), ...end]
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}
