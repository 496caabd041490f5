import { ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Exchange } from '../exchange.ts'
import { type Outgoing, outgoingOf } from './outgoing.ts'
import { socketBody } from './socket-body.ts'

/**
 * Creates a body of pieces. Each is requested when the client has received the previous one. The body's own pieces are
 * freed when the socket has taken them, so a response of any size takes the memory of one piece.
 */
export function streamBody(
  exchange: Exchange,
  pieces: AsyncIterable<Uint8Array>,
  isOwn: Outgoing['isOwn'] = () => false,
): ReadableStream<Uint8Array> {
  const outgoing = outgoingOf(exchange, pieces, isOwn)
  return onSocket(exchange) ? socketBody(outgoing) : webBody(outgoing)
}

/**
 * Returns the response of node:http if pieces can be written to it directly.
 *
 * @NOTE a compressing middleware replaces `write`, and may keep a piece after the callback
 */
export function onSocket({ event }: Exchange): ServerResponse | undefined {
  const response = event.runtime?.node?.res
  const isPlain = response instanceof ServerResponse && response.socket instanceof Socket
  return isPlain && !Object.hasOwn(response, 'write') ? response : undefined
}

/** For other servers, and for requests without a socket: the reader may keep the pieces. */
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

/** Pieces that are made one by one. */
export async function* inTurn(pieces: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* pieces
}
