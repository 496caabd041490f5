import type { H3Event } from 'h3'
import type { Chat } from '../core/chat.ts'
import type { Deadlines } from './body/deadlines.ts'
import type { Guards } from './guards/guards.ts'
import { type Quota, quotaHeaders } from './guards/quota.ts'
import type { Client } from './proxy.ts'
import type { Headers } from './responses.ts'
import type { Requester } from './sign-in/credentials.ts'
import type { Authenticate } from './sign-in/host-user.ts'

/** What every request of one app shares. */
export interface Shell {
  readonly chat: Chat
  readonly guards: Guards
  /** For bodies that do not arrive. */
  readonly deadlines: Deadlines
  readonly clientOf: (event: H3Event) => Client
  /** The host application's own way to tell who asks. */
  readonly authenticate: Authenticate | undefined
  /** Makes the id of a request, unique in the logs of all processes. */
  readonly newId: () => string
  /** Whether answers carry their request's id, to be found in the log. */
  readonly logged: boolean
  /** Requests that may be waiting for events. */
  readonly waiting: Set<AbortController>
  /** The server is going away: no connection is kept. */
  closing: boolean
}

/** One request on its way through the shell. */
export interface Exchange {
  readonly shell: Shell
  readonly event: H3Event
  readonly client: Client
  /** Who signed in. */
  who: Requester | undefined
  /** What the request was counted against. */
  quota: Quota | undefined
  id: string | undefined
  /** Ends a read that waits; the client has disconnected or the server is closing. */
  waiting: AbortController | undefined
  /** Drops what the action did not read of an upload. */
  closeBody: (() => Promise<void>) | undefined
  /** Set for as long as the body of the answer is on its way; bytes sent so far. */
  streaming: boolean
  sent: number
  /** Run when the answer is complete. */
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
    waiting: undefined,
    closeBody: undefined,
    streaming: false,
    sent: 0,
    atEnd: [],
  }
  if (shell.logged) contextOf(event).exchange = exchange
  return exchange
}

/** What the access log finds with a request. */
export const contextOf = (event: H3Event) => event.context as { exchange?: Exchange; startedAt?: number }

/** The answer is complete. */
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
  const { shell, quota } = exchange
  const headers = quota && quotaHeaders(quota)
  if (!shell.closing && !shell.logged) return headers
  return {
    ...headers,
    ...(shell.logged && { 'x-request-id': requestId(exchange) }),
    ...(shell.closing && { connection: 'close' }),
  }
}

/**
 * A signal for a read, which may wait for something: it ends when the client goes, or the server. A change that has begun
 * is finished whoever still listens, so it gets none.
 */
export function waitSignal(exchange: Exchange): AbortSignal | undefined {
  const { event, shell } = exchange
  if (!/^(GET|HEAD)$/.test(event.req.method)) return undefined
  const waiting = new AbortController()
  exchange.waiting = waiting
  shell.waiting.add(waiting)
  const forget = onGone(event, () => waiting.abort())
  exchange.atEnd.push(() => {
    shell.waiting.delete(waiting)
    forget()
  })
  return waiting.signal
}

/** Calls back when the client goes; returns what takes that back. The request's own signal costs a poll 2 KiB more. */
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
