import type { IncomingMessage, ServerResponse } from 'node:http'
import { authenticateSoon, isKey } from '../core/accounts/keys.ts'
import { getEvents } from '../core/events/queues/poll.ts'
import { callerOf } from '../core/kernel/context.ts'
import { clientName } from './client-name.ts'
import type { Shell } from './exchange.ts'
import { quotaHeaders } from './guards/quota.ts'
import type { Metrics } from './metrics/metrics.ts'
import { type PollListener, repeatsHeader } from './poll-listener.ts'
import { isPrepared, jsonHeaders, successText } from './responses.ts'
import { basicCredentials } from './sign-in/credentials.ts'

interface PollOptions {
  shell: Shell
  /** The path of polls. */
  path: string
  metrics: Metrics | undefined
}

/** Headers that change how a request is answered. `accept-encoding` may have no other effect on a short answer. */
const SPECIAL = ['origin', 'content-length', 'transfer-encoding', 'expect', 'upgrade'] as const
const SPECIAL_ENCODING = /identity|\*/i

/** A longer answer may be compressed. */
const LONG = getEvents.compressFrom!

/**
 * Recognizes polls as clients repeat them after each event, since most requests of a busy server are these. The shell
 * spends more time on one than the poll itself takes. Everything unusual is left to the shell, and so are failures: it
 * runs the poll again, which returns the same events or the same error.
 */
export function pollListener({ shell, path, metrics }: PollOptions): PollListener {
  const start = `${path}?`
  const flat = Object.entries(jsonHeaders).flat()
  const { chat, guards } = shell

  async function answer(
    request: IncomingMessage,
    response: ServerResponse,
    params: { queue_id: string; last_event_id: number },
  ): Promise<boolean> {
    const { headers } = request
    const startedAt = performance.now()
    const given = basicCredentials(headers.authorization ?? null)
    if (!given || !isKey(given.password)) return false
    const waiting = new AbortController()
    const abort = () => waiting.abort()
    try {
      const client = shell.clientOf({ runtime: { node: { req: request } } })
      const who = await authenticateSoon(chat, given.name, given.password, client.address)
      if (!who) return false
      const quota = await guards.user(who.user, client, getEvents.accountLimit)
      shell.waiting.add(waiting)
      response.once('close', abort)
      // A poll that arrives while the server closes is answered immediately.
      if (shell.closing) abort()
      const caller = callerOf(chat, who.user, {
        client: clientName(undefined, headers['user-agent'] ?? null),
        origin: client.origin,
        signal: waiting.signal,
        guardPassword: guards.password(client),
        key_id: who.key_id,
        grant: who.grant,
      })
      const result = await getEvents(caller, params)
      if (response.destroyed || response.headersSent) return true
      const text = successText(result, [])
      const length = Buffer.byteLength(text)
      if (!isPrepared(result) || (length >= LONG && headers['accept-encoding'] !== undefined)) return false
      const more = quota ? Object.entries(quotaHeaders(quota)).flat() : []
      if (shell.closing) more.push('connection', 'close')
      response.writeHead(200, [...flat, ...more, 'content-length', String(length)])
      response.end(text)
      metrics?.answered('GET', path, 200, (performance.now() - startedAt) / 1000)
      return true
    } catch {
      // The shell answers errors, unless the client is gone, or another listener has answered.
      return response.destroyed || response.headersSent
    } finally {
      shell.waiting.delete(waiting)
      response.off('close', abort)
    }
  }

  return (request, response) => {
    const { url = '', method, headers } = request
    if (method !== 'GET' || !url.startsWith(start) || request.httpVersion !== '1.1') return false
    if (headers.host === undefined || SPECIAL.some((name) => headers[name] !== undefined)) return false
    if (SPECIAL_ENCODING.test(String(headers['accept-encoding'] ?? '')) || repeatsHeader(request)) return false
    const params = paramsIn(url.slice(start.length))
    return params ? answer(request, response, params) : false
  }
}

/** The parameters of a plain poll, in any order; undefined if there are others, or if text is encoded. */
function paramsIn(query: string): { queue_id: string; last_event_id: number } | undefined {
  let queue_id: string | undefined
  let last_event_id: number | undefined
  for (const part of query.split('&')) {
    if (queue_id === undefined && /^queue_id=[\w:.-]+$/.test(part)) queue_id = part.slice(9)
    else if (last_event_id === undefined && /^last_event_id=(-1|0|[1-9]\d{0,14})$/.test(part))
      last_event_id = Number(part.slice(14))
    else if (part !== 'dont_block=false') return undefined
  }
  return queue_id === undefined || last_event_id === undefined ? undefined : { queue_id, last_event_id }
}
