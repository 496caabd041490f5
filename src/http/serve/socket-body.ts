import type { ServerResponse } from 'node:http'
import { freeBytes } from '../../core/kernel/base/free-bytes.ts'
import type { Outgoing } from './outgoing.ts'

/**
 * A body that writes itself to the response of node:http. The next piece is read when the kernel has all of the one
 * before: a client that does not read holds one.
 *
 * @NOTE srvx calls `pipe` of a body that has one, and `destroy` where nothing is to be sent; the type of a Response knows
 * only streams.
 */
export const socketBody = (outgoing: Outgoing): ReadableStream<Uint8Array> =>
  ({
    pipe: (response: ServerResponse) => void send(response, outgoing),
    destroy: () => outgoing.cancel(),
  }) as unknown as ReadableStream<Uint8Array>

async function send(response: ServerResponse, outgoing: Outgoing): Promise<void> {
  response.once('close', outgoing.cancel)
  try {
    for (let piece = await outgoing.next(); piece; piece = await outgoing.next()) await write(response, piece, outgoing)
    outgoing.end()
    response.end()
  } catch {
    // It is in the log. That the answer is not whole is seen by a connection that ends before.
    response.destroy()
  }
}

/** Resolves when the kernel has the piece, or nobody wants it any more. */
const write = (response: ServerResponse, piece: Uint8Array, { isOwn }: Outgoing) =>
  new Promise<void>((resolve) => {
    const done = (error?: Error | null) => {
      response.off('close', onClose)
      // After a failure the socket may still hold it.
      if (!error && isOwn(piece)) freeBytes(piece)
      resolve()
    }
    const onClose = () => resolve()
    response.once('close', onClose)
    response.write(piece, done)
  })
