import type { H3Event } from 'h3'
import type { Clock } from '../core/kernel/base/clock.ts'
import { contextOf } from './exchange.ts'
import type { Metrics } from './metrics/metrics.ts'
import { requestLogging } from './request-log.ts'
import type { RequestLogEntry } from './request-log-entry.ts'

export interface Observers {
  onRequest: ((entry: RequestLogEntry) => void) | undefined
  metrics: Metrics | undefined
}

/** Returns h3's hooks around each request for the observers; none without observers. */
export function hooksFor({ onRequest, metrics }: Observers, clock: Clock, newId: () => string) {
  if (!onRequest && !metrics) return {}
  const log = onRequest && requestLogging(clock, newId, onRequest)
  return {
    onRequest(event: H3Event): void {
      contextOf(event).startedAt = performance.now()
    },
    onResponse(response: Response, event: H3Event): void {
      const { startedAt = performance.now() } = contextOf(event)
      log?.(response, event, startedAt)
      if (!metrics) return
      const seconds = (performance.now() - startedAt) / 1000
      metrics.answered(event.req.method, event.context.matchedRoute?.route, response.status, seconds)
    },
  }
}
