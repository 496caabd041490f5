import { FastResponse } from 'srvx'
import type { EventFeed, FeedEvent } from '../../core/kernel/answers.ts'
import { isChatError } from '../../core/kernel/errors.ts'
import { commonHeaders, type Exchange } from '../exchange.ts'
import { socketTexts } from './socket-texts.ts'
import { onSocket, streamBody } from './stream.ts'

const headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
  'x-content-type-options': 'nosniff',
}

/** Sends a feed as server-sent events, until the client disconnects. */
export function sendEvents(exchange: Exchange, feed: EventFeed): Response {
  const response = onSocket(exchange)
  const next = blocksOf(exchange, feed)
  // It ends with its connection, so it needs no chunks, and each event is one write to the socket instead of four.
  if (!response?.headersSent) response?.removeHeader('transfer-encoding')
  return new FastResponse(response ? socketTexts(exchange, next) : streamBody(exchange, encoded(next)), {
    headers: { ...headers, ...commonHeaders(exchange), ...(response && { connection: 'close' }) },
  })
}

/** Returns a function that waits for the next blocks of a feed. It returns undefined after the last. */
function blocksOf({ shell }: Exchange, feed: EventFeed): () => Promise<string | undefined> {
  const { queue_id } = feed
  let state: 'new' | 'open' | 'failed' = 'new'
  return async () => {
    if (state === 'failed') return undefined
    if (state === 'new') {
      state = 'open'
      return block(queue_id, feed.position)
    }
    try {
      for (let events = await feed.next(); events; events = await feed.next()) {
        let text = ''
        for (const event of events) text += block(queue_id, event.id, event.type === 'heartbeat' ? undefined : event)
        if (text !== '') return text
      }
      return undefined
    } catch (error) {
      state = 'failed'
      if (!isChatError(error)) shell.chat.options.logger.error({ err: error }, 'an event stream failed')
      const shown = isChatError(error) ? { code: error.code, msg: error.message } : { code: 'INTERNAL_ERROR' }
      return `event: end\ndata: ${JSON.stringify(shown)}\n\n`
    }
  }
}

async function* encoded(next: () => Promise<string | undefined>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  for (let text = await next(); text !== undefined; text = await next()) yield encoder.encode(text)
}

/**
 * Formats an event for the wire. JSON has no line breaks, and ids and types have only letters and digits, so no user's
 * text can begin a field. Without an event, it only advances the reader's position and keeps the connection open.
 */
function block(queue_id: string, id: number, event?: FeedEvent): string {
  const position = `id: ${queue_id}:${id}\n`
  return event ? `${position}event: ${event.type}\ndata: ${event.json}\n\n` : `${position}: heartbeat\n\n`
}
