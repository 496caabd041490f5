import { nextTurn } from '../../core/base/timers.ts'
import { type Exchange, endExchange } from '../exchange.ts'
import { loggedPath } from '../request-log.ts'

/** Other requests get a turn after this time: to a quick client everything could be written in one. */
const TURN_MS = 5

/** A body of pieces, each requested when the client has received the one before. */
export function streamBody(exchange: Exchange, pieces: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.asyncIterator]()
  exchange.streaming = true
  let began = performance.now()
  return new ReadableStream<Uint8Array>({
    async pull(stream) {
      try {
        if (performance.now() - began > TURN_MS) {
          await nextTurn()
          began = performance.now()
        }
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
        chat.options.logger.error({ path: loggedPath(exchange.event), err: error }, 'an answer broke off')
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
