import type { Clock } from '../../core/kernel/base/clock.ts'
import { ChatError } from '../../core/kernel/errors.ts'
import type { Headers } from '../responses.ts'
import type { Counters } from './counters.ts'
import { countedPer, type Rate, type Rates } from './rates.ts'

/** The limit that a request was counted against, and the rest of it. */
export interface Quota {
  readonly name: keyof Rates
  readonly rate: Rate
  readonly left: number
  /** Milliseconds since 1970. */
  readonly at: number
}

/** RATE_LIMIT_HIT, with the limit in the members of the response. */
export class RateLimitHit extends ChatError {
  readonly quota: Quota
  constructor(quota: Quota) {
    const { name, rate } = quota
    const wait = Math.ceil(((1 - quota.left) * rate.seconds * 1000) / rate.requests) / 1000
    const limit = { name, per: countedPer[name], ...rate }
    super('RATE_LIMIT_HIT', 'API usage exceeded rate limit', { 'retry-after': wait, limit })
    this.quota = quota
  }
}

/** Takes a token and returns what is left, or throws RateLimitHit. */
export async function take(
  counters: Counters,
  clock: Clock,
  name: keyof Rates,
  key: string,
  rate: Rate,
): Promise<Quota> {
  const counted = counters.take(key, rate)
  const { taken, left } = counted instanceof Promise ? await counted : counted
  const quota: Quota = { name, rate, left, at: clock.now() }
  if (!taken) throw new RateLimitHit(quota)
  return quota
}

export function quotaHeaders({ name, rate, left, at }: Quota): Headers {
  const untilFull = ((rate.requests - left) * rate.seconds) / rate.requests
  return {
    'x-ratelimit-limit': String(rate.requests),
    // In the format of the IETF draft: the name of the limit, its requests, and its seconds.
    'ratelimit-policy': `"${name}";q=${rate.requests};w=${rate.seconds}`,
    'x-ratelimit-remaining': String(Math.max(0, Math.floor(left))),
    'x-ratelimit-reset': String(Math.ceil(at / 1000 + untilFull)),
  }
}
