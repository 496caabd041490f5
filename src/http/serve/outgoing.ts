import { nextTurn, timers } from '../../core/kernel/base/timers.ts'
import { type Exchange, endExchange } from '../exchange.ts'
import { loggedPath } from '../request-log.ts'

/** Other requests get a turn after this time: to quick clients everything could be written in one. */
const TURN_MS = 5

/** When the first piece of this turn of the event loop was asked for. All bodies share the time: many may be sent at once. */
let began: number | undefined

function isTurnOver(): boolean {
  if (began !== undefined) return performance.now() - began > TURN_MS
  began = performance.now()
  timers.setImmediate(() => {
    began = undefined
  })
  return false
}

/** A body while it is sent. */
export interface Outgoing {
  /** The next piece; undefined when all were sent, and when the client has disconnected. */
  next(): Promise<Uint8Array | undefined>
  /** To be called when the last piece was sent. */
  end(): void
  /** To be called when the client has disconnected. */
  cancel(): void
  /** Whether nobody else uses this piece, so that its memory can be freed when it is sent. */
  isOwn(piece: Uint8Array): boolean
}

export function outgoingOf(exchange: Exchange, pieces: AsyncIterable<Uint8Array>, isOwn: Outgoing['isOwn']): Outgoing {
  const iterator = pieces[Symbol.asyncIterator]()
  exchange.streaming = true
  return {
    isOwn,
    async next() {
      try {
        if (isTurnOver()) await nextTurn()
        const { value, done } = await iterator.next()
        // The client may have disconnected in the meantime.
        if (done || !exchange.streaming) return undefined
        exchange.sent += value.length
        return value
      } catch (error) {
        if (!exchange.streaming) return undefined
        const { chat } = exchange.shell
        chat.options.logger.error({ path: loggedPath(exchange.event), err: error }, 'an answer broke off')
        endExchange(exchange)
        throw error
      }
    },
    end: () => endExchange(exchange),
    cancel() {
      if (!exchange.streaming) return
      exchange.waiting?.abort()
      endExchange(exchange)
      // A pending piece is read first, and then the iterator ends.
      iterator.return?.().catch(() => {})
    },
  }
}
