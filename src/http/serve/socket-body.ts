import type { ServerResponse } from 'node:http'
import { freeBytes } from '../../core/kernel/base/free-bytes.ts'
import type { Outgoing } from './outgoing.ts'

/**
 * Creates a body that writes itself to the response of node:http. It reads the next piece when the kernel has all of
 * the previous one, so a client that doesn't read holds one piece.
 *
 * @NOTE srvx calls `pipe` of a body that has it, and `destroy` if nothing is to be sent, but the type of a Response
 * allows only streams
 */
export const socketBody = (outgoing: Outgoing): ReadableStream<Uint8Array> =>
  ({
    pipe: (response: ServerResponse) => void send(response, outgoing),
    destroy: () => outgoing.cancel(),
  }) as unknown as ReadableStream<Uint8Array>

async function send(response: ServerResponse, outgoing: Outgoing): Promise<void> {
  let ended = () => {}
  response.once('close', () => {
    outgoing.cancel()
    ended()
  })
  /** Resolves when the kernel has the piece, or the connection has ended. */
  const write = (piece: Uint8Array) =>
    new Promise<void>((resolve) => {
      ended = resolve
      response.write(piece, (error) => {
        // After a failure, the socket may still use the piece.
        if (!error && outgoing.isOwn(piece)) freeBytes(piece)
        resolve()
      })
    })
  try {
    for (let piece = await outgoing.next(); piece; piece = await outgoing.next()) await write(piece)
    outgoing.end()
    response.end()
  } catch {
    // The error is in the log. The client sees that the response is incomplete because the connection ends.
    response.destroy()
  }
}
