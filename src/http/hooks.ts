import type { H3Event } from 'h3'
import { contextOf, shellOf } from './exchange.ts'

/** h3's hooks around each request, which call the observers of its shell. */
export const observing = {
  onRequest(event: H3Event): void {
    contextOf(event).startedAt = performance.now()
  },
  onResponse(response: Response, event: H3Event): void {
    const { startedAt = performance.now() } = contextOf(event)
    const { log, count } = shellOf(event).observers
    log?.(response, event, startedAt)
    const seconds = (performance.now() - startedAt) / 1000
    count?.(event.req.method, event.context.matchedRoute?.route, response.status, seconds)
  },
}
