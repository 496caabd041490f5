import type { H3Event } from 'h3'
import type { Chat } from '../core/kernel/chat.ts'
import type { Deadlines } from './body/deadlines.ts'
import type { Guards } from './guards/guards.ts'
import { type Quota, quotaHeaders } from './guards/quota.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { Client, Incoming } from './proxy.ts'
import type { Headers } from './responses.ts'
import type { Requester } from './sign-in/credentials.ts'
import type { Authenticate } from './sign-in/host-user.ts'
import type { SessionCookie, SessionCookies } from './sign-in/session.ts'

/** What all requests of one app share. */
export interface Shell {
  readonly chat: Chat
  readonly guards: Guards
  /** Aborts bodies that don't arrive in time. */
  readonly deadlines: Deadlines
  /** Returns one of the headers in which a trusted proxy names people. */
  readonly proxyHeader: (event: H3Event, header: string) => string | undefined
  readonly clientOf: (event: Incoming) => Client
  /** The host application's own way of identifying users. */
  readonly authenticate: Authenticate | undefined
  readonly cookies: SessionCookies
  /** Generates the id of a request, unique in the logs of all processes. */
  readonly newId: () => string
  /** Whether responses include their request's id, which is also in the log. */
  readonly logged: boolean
  readonly observers: Observers
  /** Requests that may be waiting for events, by their abort controllers. */
  readonly waiting: Set<AbortController>
  /** The server is closing: no connection is kept alive. */
  closing: boolean
}

/** What is called after each response, if anything. */
export interface Observers {
  /** Writes an entry of the access log. `startedAt` is measured with `performance.now()`. */
  readonly log: ((response: Response, event: H3Event, startedAt: number) => void) | undefined
  readonly count: Metrics['answered'] | undefined
}

/** The state of one request in the shell. */
export interface Exchange {
  readonly shell: Shell
  readonly event: H3Event
  readonly client: Client
  /** The user and key that signed in. */
  who: Requester | undefined
  /** The limit that the request was counted against. */
  quota: Quota | undefined
  id: string | undefined
  /** Headers that the action declares for all its responses. */
  answerHeaders: Readonly<Record<string, string>> | undefined
  /** Aborts a waiting read when the client has disconnected or the server is closing. */
  waiting: AbortController | undefined
  /** Drops the rest of a body that the action did not read. */
  closeBody: (() => Promise<void>) | undefined
  /** Whether the response is being sent. */
  streaming: boolean
  sent: number
  /** Called when the answer is complete. */
  readonly atEnd: (() => void)[]
}

export function beginExchange(shell: Shell, event: H3Event): Exchange {
  const exchange: Exchange = {
    shell,
    event,
    client: shell.clientOf(event),
    who: undefined,
    quota: undefined,
    id: undefined,
    answerHeaders: undefined,
    waiting: undefined,
    closeBody: undefined,
    streaming: false,
    sent: 0,
    atEnd: [],
  }
  if (shell.logged) contextOf(event).exchange = exchange
  return exchange
}

/** Returns the name and attributes of the session cookie for this connection. */
export const cookieOf = ({ shell, client }: Exchange): SessionCookie =>
  shell.cookies[client.origin.startsWith('https:') ? 'secure' : 'plain']

/** What belongs to one request while h3 handles it. */
export interface RequestContext {
  readonly shell: Shell
  /** Where the access log finds the state of a request. */
  exchange?: Exchange
  startedAt?: number
}
export const contextOf = (event: Pick<H3Event, 'context'>) => event.context as unknown as RequestContext
export const shellOf = (event: H3Event): Shell => contextOf(event).shell

/** Call it when the response is complete. */
export function endExchange(exchange: Exchange): void {
  exchange.streaming = false
  if (exchange.atEnd.length > 0) for (const effect of exchange.atEnd.splice(0)) effect()
}

export function requestId(exchange: Exchange): string {
  exchange.id ??= exchange.shell.newId()
  return exchange.id
}

/**
 * Returns the headers of every response: the rest of the quota, the id in the log, and whether the connection stays
 * open.
 */
export function commonHeaders(exchange: Exchange): Headers | undefined {
  const { shell, quota, answerHeaders } = exchange
  const ofQuota = quota && quotaHeaders(quota)
  const headers = answerHeaders ? { ...ofQuota, ...answerHeaders } : ofQuota
  if (!shell.closing && !shell.logged) return headers
  return {
    ...headers,
    ...(shell.logged && { 'x-request-id': requestId(exchange) }),
    ...(shell.closing && { connection: 'close' }),
  }
}

/**
 * Returns an abort signal for a read that may wait. It aborts when the client disconnects or the server closes.
 * Changes get none because they must finish.
 */
export function waitSignal(exchange: Exchange): AbortSignal | undefined {
  const { event, shell } = exchange
  if (!/^(GET|HEAD)$/.test(event.req.method)) return undefined
  const waiting = new AbortController()
  exchange.waiting = waiting
  // A poll that arrives while the server closes is answered immediately.
  if (shell.closing) waiting.abort()
  shell.waiting.add(waiting)
  // A poll that started just before the server closes must not wait either.
  if (shell.closing) waiting.abort()
  const forget = onGone(event, () => waiting.abort())
  exchange.atEnd.push(() => {
    shell.waiting.delete(waiting)
    forget()
  })
  return waiting.signal
}

/**
 * Calls back when the client disconnects. Returns a function that cancels it. The request's own signal would cost 2
 * KiB more per poll.
 */
function onGone(event: H3Event, callback: () => void): () => void {
  const response = event.runtime?.node?.res
  if (response) {
    response.once('close', callback)
    return () => void response.off('close', callback)
  }
  const { signal } = event.req
  signal.addEventListener('abort', callback, { once: true })
  return () => signal.removeEventListener('abort', callback)
}
