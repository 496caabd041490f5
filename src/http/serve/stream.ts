import { ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Exchange } from '../exchange.ts'
import { type Outgoing, outgoingOf } from './outgoing.ts'
import { socketBody } from './socket-body.ts'

/**
 * A body of pieces, each requested when the client has received the one before. Those that are the body's own are freed
 * as soon as the socket has taken them, so that an answer of any size takes the memory of one piece.
 */
export function streamBody(
  exchange: Exchange,
  pieces: AsyncIterable<Uint8Array>,
  isOwn: Outgoing['isOwn'] = () => false,
): ReadableStream<Uint8Array> {
  const outgoing = outgoingOf(exchange, pieces, isOwn)
  return writesToSocket(exchange) ? socketBody(outgoing) : webBody(outgoing)
}

/** @NOTE a middleware that compresses replaces `write`, and may keep a piece after it has called back. */
function writesToSocket({ event }: Exchange): boolean {
  const response = event.runtime?.node?.res
  return response instanceof ServerResponse && response.socket instanceof Socket && !Object.hasOwn(response, 'write')
}

/** For other servers, and for requests without a socket: the reader keeps the pieces as long as it likes. */
function webBody(outgoing: Outgoing): ReadableStream<Uint8Array> {
  let cancelled = false
  return new ReadableStream<Uint8Array>({
    async pull(stream) {
      const piece = await outgoing.next()
      if (piece) stream.enqueue(piece)
      else if (!cancelled) {
        outgoing.end()
        stream.close()
      }
    },
    cancel() {
      cancelled = true
      outgoing.cancel()
    },
  })
}
