import { Counter, Histogram, type Registry } from 'prom-client'
import { methods } from '../route-types.ts'

/** Seconds. The last are for polls, which wait up to a minute. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60]

const METHODS: ReadonlySet<string> = new Set([...methods, 'HEAD', 'OPTIONS'])

/** Notes an answered request. `route` is the pattern of its path, so that there are few of them. */
export type NoteRequest = (method: string, route: string | undefined, status: number, seconds: number) => void

/** Counts requests, and how long they took, by method and route: neither is a text that a client chooses. */
export function createRequestMetrics(registry: Registry): NoteRequest {
  const registers = [registry]
  const requests = new Counter({
    name: 'chat_http_requests_total',
    help: 'Requests answered',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const durations = new Histogram({
    name: 'chat_http_request_duration_seconds',
    help: 'Time from the headers of a request to its answer; of long polls with the time they wait',
    labelNames: ['method', 'route'],
    buckets: BUCKETS,
    registers,
  })
  return (givenMethod, path, status, seconds) => {
    const method = METHODS.has(givenMethod) ? givenMethod : 'other'
    const route = path === undefined || path === '/**' ? 'none' : path
    requests.inc({ method, route, status })
    durations.observe({ method, route }, seconds)
  }
}
