import { type Exchange, endExchange } from '../exchange.ts'
import { loggedPath } from '../request-log.ts'

/** A body made of pieces, each asked for when the client has taken the one before. */
export function streamBody(exchange: Exchange, pieces: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.asyncIterator]()
  exchange.streaming = true
  return new ReadableStream<Uint8Array>({
    async pull(stream) {
      try {
        const { value, done } = await iterator.next()
        // The client may have disconnected meanwhile.
        if (!exchange.streaming) return
        if (!done) {
          exchange.sent += value.length
          stream.enqueue(value)
          return
        }
        stream.close()
      } catch (error) {
        if (!exchange.streaming) return
        const { chat } = exchange.shell
        chat.options.logger.error({ path: loggedPath(exchange.event), err: error }, 'an answer broke off')
        stream.error(error)
      }
      endExchange(exchange)
    },
    cancel() {
      exchange.waiting?.abort()
      endExchange(exchange)
      // A piece it is waiting for comes first, and then it ends.
      iterator.return?.().catch(() => {})
    },
  })
}
