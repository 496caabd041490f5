import type { H3Event } from 'h3'
import type { Chat } from '../core/kernel/chat.ts'
import type { Deadlines } from './body/deadlines.ts'
import type { Guards } from './guards/guards.ts'
import { type Quota, quotaHeaders } from './guards/quota.ts'
import type { Client } from './proxy.ts'
import type { Headers } from './responses.ts'
import type { Requester } from './sign-in/credentials.ts'
import type { Authenticate } from './sign-in/host-user.ts'
import type { SessionCookie, SessionCookies } from './sign-in/session.ts'

/** What all requests of one app share. */
export interface Shell {
  readonly chat: Chat
  readonly guards: Guards
  /** Ends bodies that do not arrive in time. */
  readonly deadlines: Deadlines
  readonly clientOf: (event: H3Event) => Client
  /** The host application's own way of identifying users. */
  readonly authenticate: Authenticate | undefined
  readonly cookies: SessionCookies
  /** Generates the id of a request, unique in the logs of all processes. */
  readonly newId: () => string
  /** Whether answers carry their request's id, to be found in the log. */
  readonly logged: boolean
  /** Requests that may be waiting for events, by their abort controllers. */
  readonly waiting: Set<AbortController>
  /** The server is closing: no connection is kept alive. */
  closing: boolean
}

/** The state of one request in the shell. */
export interface Exchange {
  readonly shell: Shell
  readonly event: H3Event
  readonly client: Client
  /** Who signed in. */
  who: Requester | undefined
  /** What the request was counted against. */
  quota: Quota | undefined
  id: string | undefined
  /** Headers that the action declares for all its answers. */
  answerHeaders: Readonly<Record<string, string>> | undefined
  /** Aborts a waiting read when the client has disconnected or the server is closing. */
  waiting: AbortController | undefined
  /** Drops the rest of a body that the action did not read. */
  closeBody: (() => Promise<void>) | undefined
  /** Bytes of the answer's body sent so far; set while it is being sent. */
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

/** The cookie that keeps the session of a browser that asks like this. */
export const cookieOf = ({ shell, client }: Exchange): SessionCookie =>
  shell.cookies[client.origin.startsWith('https:') ? 'secure' : 'plain']

/** Where the access log finds the state of a request. */
export const contextOf = (event: H3Event) => event.context as { exchange?: Exchange; startedAt?: number }

/** To be called when the answer is complete. */
export function endExchange(exchange: Exchange): void {
  exchange.streaming = false
  if (exchange.atEnd.length > 0) for (const effect of exchange.atEnd.splice(0)) effect()
}

export function requestId(exchange: Exchange): string {
  exchange.id ??= exchange.shell.newId()
  return exchange.id
}

/** Headers of every answer: what is left of the quota, the id in the log, whether the connection stays. */
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
 * An abort signal for a read, which may wait: it aborts when the client disconnects or the server closes. A
 * change that has begun is finished in any case, so it gets none.
 */
export function waitSignal(exchange: Exchange): AbortSignal | undefined {
  const { event, shell } = exchange
  if (!/^(GET|HEAD)$/.test(event.req.method)) return undefined
  const waiting = new AbortController()
  exchange.waiting = waiting
  // A poll that arrives while the server closes is answered at once.
  if (shell.closing) waiting.abort()
  shell.waiting.add(waiting)
  // Nobody waits at a server that is about to end, however late they came.
  if (shell.closing) waiting.abort()
  const forget = onGone(event, () => waiting.abort())
  exchange.atEnd.push(() => {
    shell.waiting.delete(waiting)
    forget()
  })
  return waiting.signal
}

/**
 * Calls back when the client disconnects; returns a function that cancels that. The request's own signal would cost 2
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
