import type { IncomingMessage } from 'node:http'
import { busOf } from '../core/events/log/bus.ts'
import { nextTurn, timers } from '../core/kernel/base/timers.ts'
import type { Chat } from '../core/kernel/chat.ts'
import { contextOf } from '../core/kernel/context.ts'
import type { App } from '../http/app.ts'
import { type RecordedRequest, type ServedRequest, watchRequest } from './recorded-request.ts'

/** A failure of a request. Without `status`, `drop` or `delay`, the response has status 500. */
export interface Fault {
  /** Status of the response that replaces the real one. */
  status?: number
  /** How many requests are affected; 1 by default. */
  times?: number
  /** `before` (the default): the request isn't executed. `commit`: it is executed, and only its response is lost. */
  after?: 'before' | 'commit'
  /** Milliseconds of real time to wait before the response. */
  delay?: number
  /** Closes the connection instead of answering. */
  drop?: boolean
}

/** The requests that clients send to a test server, and ways to disturb them. */
export interface Traffic {
  /** Every request since the start, oldest first. */
  readonly requests: readonly RecordedRequest[]
  /**
   * Makes the next requests to a path fail. The path is below /api/v1, may begin with a method, and `*` matches any
   * part of it.
   * @example
   * server.fail('POST /messages', { drop: true, after: 'commit' })
   * server.fail('/users/*', { status: 503, times: 3 })
   */
  fail(path: string, fault?: Fault): void
  /**
   * Resolves when every request that has arrived is answered, except polls that wait for events, and all writes are
   * committed.
   */
  idle(): Promise<void>
}

interface Rule {
  pattern: RegExp
  fault: Fault
  left: number
}

/** Puts an app in front of another, which records and disturbs its requests. */
export function watchTraffic(app: App, chat: Chat): Traffic & { app: App } {
  const requests: RecordedRequest[] = []
  const active = new Set<RecordedRequest>()
  const rules: Rule[] = []

  function takeFault({ method, path }: RecordedRequest): Fault | undefined {
    const rule = rules.find(
      ({ pattern, left }) => left > 0 && (pattern.test(path) || pattern.test(`${method} ${path}`)),
    )
    if (rule) rule.left--
    return rule?.fault
  }

  async function disturbed(request: ServedRequest, fault: Fault): Promise<Response> {
    const { status, drop = false, delay = 0, after = 'before' } = fault
    // After the server has closed, nobody waits for the response, and the process may end.
    if (delay > 0) await new Promise((resolve) => timers.setTimeout(resolve, delay).unref())
    if (status === undefined && !drop && delay > 0) return app.fetch(request)
    if (after === 'commit') await (await app.fetch(request)).body?.cancel()
    if (!drop) return failure(status ?? 500)
    const incoming = request.runtime?.node?.req as IncomingMessage | undefined
    if (!incoming) throw new TypeError('fetch failed', { cause: new Error('the test server dropped the request') })
    incoming.socket.destroy()
    return new Response(null)
  }

  return {
    requests,
    app: {
      basePath: app.basePath,
      release: () => app.release(),
      async fetch(request: ServedRequest) {
        const { record, answered } = watchRequest(request)
        requests.push(record)
        active.add(record)
        try {
          const fault = takeFault(record)
          const response = fault ? await disturbed(request, fault) : await app.fetch(request)
          await answered(fault?.drop ? undefined : response.status)
          return response
        } finally {
          active.delete(record)
        }
      },
    },
    fail(path, fault = {}) {
      rules.push({ pattern: patternOf(path), fault, left: fault.times ?? 1 })
    },
    async idle() {
      // Several times, because clients may send the next request after a response.
      for (let quiet = 0; quiet < 3; quiet++) {
        const polls = [...active].filter(({ path }) => /^(\/json)?\/events(\/stream)?$/.test(path)).length
        if (active.size > Math.min(polls, busOf(chat).waiting())) quiet = -1
        else await contextOf(chat).write(async () => {}, { relaxed: true })
        await nextTurn()
      }
    },
  }
}

const patternOf = (path: string): RegExp =>
  new RegExp(
    `^${path
      .split('*')
      .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}$`,
  )

function failure(status: number): Response {
  const wait = status === 429 || status === 503 ? { 'retry-after': 1 } : {}
  const body = { result: 'error', msg: 'A failure that the test asked for', code: 'TEST_FAILURE', ...wait }
  const headers = wait['retry-after'] ? { 'retry-after': '1' } : {}
  return Response.json(body, { status, headers })
}
