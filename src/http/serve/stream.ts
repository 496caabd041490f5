import { type Exchange, endExchange } from '../exchange.ts'

/** A body of pieces, each requested when the client has received the one before. */
export function streamBody(exchange: Exchange, pieces: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.asyncIterator]()
  exchange.streaming = true
  return new ReadableStream<Uint8Array>({
    async pull(stream) {
      try {
        const { value, done } = await iterator.next()
        // The client may have disconnected in the meantime.
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
        chat.options.log('an answer broke off', { path: exchange.event.url.pathname, error: String(error) })
        stream.error(error)
      }
      endExchange(exchange)
    },
    cancel() {
      exchange.waiting?.abort()
      endExchange(exchange)
      // A pending piece is sent first, and then the stream ends.
      iterator.return?.().catch(() => {})
    },
  })
}
