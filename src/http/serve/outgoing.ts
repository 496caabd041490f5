import { nextTurn, timers } from '../../core/kernel/base/timers.ts'
import { type Exchange, endExchange } from '../exchange.ts'
import { loggedPath } from '../request-log.ts'

/**
 * Milliseconds after which other requests get a turn. For fast clients, everything could otherwise be written in one
 * turn.
 */
const TURN_MS = 5

/** When the first piece in this turn of the event loop was requested. All bodies share the time. */
let began: number | undefined

function isTurnOver(): boolean {
  if (began !== undefined) return performance.now() - began > TURN_MS
  began = performance.now()
  timers.setImmediate(() => {
    began = undefined
  })
  return false
}

/** A body being sent. */
export interface Outgoing {
  /** Returns the next piece; undefined after the last one, and after the client has disconnected. */
  next(): Promise<Uint8Array | undefined>
  /** Call it after the last piece was sent. */
  end(): void
  /** Call it when the client has disconnected. */
  cancel(): void
  /** Returns whether a piece has no other user, so that its memory can be freed after sending. */
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
        // The client may have disconnected since.
        if (done || !exchange.streaming) return undefined
        exchange.sent += value.length
        return value
      } catch (error) {
        if (!exchange.streaming) return undefined
        const { chat } = exchange.shell
        chat.options.logger.error({ path: loggedPath(exchange.event), err: error }, 'a response was interrupted')
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
