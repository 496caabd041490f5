import type { ServerResponse } from 'node:http'
import type { Writable } from 'node:stream'
import { type Exchange, endExchange } from '../exchange.ts'

/**
 * Creates a body of texts that it writes to the socket of node:http. It requests the next text when the socket's buffer
 * has room, so a client that doesn't read holds one text and that buffer.
 *
 * @NOTE as in socket-body.ts, srvx calls `pipe` or `destroy`
 */
export function socketTexts(exchange: Exchange, next: () => Promise<string | undefined>): ReadableStream<Uint8Array> {
  exchange.streaming = true
  const body = {
    pipe: (response: ServerResponse) => void send(response, exchange, next),
    destroy: () => cancel(exchange),
  }
  return body as unknown as ReadableStream<Uint8Array>
}

function cancel(exchange: Exchange): void {
  if (!exchange.streaming) return
  exchange.waiting?.abort()
  endExchange(exchange)
}

async function send(
  response: ServerResponse,
  exchange: Exchange,
  next: () => Promise<string | undefined>,
): Promise<void> {
  let resume = () => {}
  response.socket?.on('drain', () => resume())
  response.once('close', () => {
    cancel(exchange)
    resume()
  })
  /** The first text goes out with the head. The response would hold each of the others back until the next tick. */
  let target: Writable = response
  try {
    for (let text = await next(); text !== undefined && exchange.streaming; text = await next()) {
      exchange.sent += Buffer.byteLength(text)
      const hasRoom = target.write(text)
      target = response.socket ?? response
      if (hasRoom) continue
      await new Promise<void>((resolve) => {
        resume = resolve
      })
    }
    endExchange(exchange)
    response.end()
  } catch {
    response.destroy()
  }
}
