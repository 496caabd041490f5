import { connect, type Socket } from 'node:net'

/** A connection that sends a request, waits for the answer as long as necessary, and repeats that on command. */
export interface Waiter {
  ask(request: string): void
  close(): void
}

/** Cheap like load.ts: 2,000 waiters and nothing else share a core. */
export async function waiter(port: number, answered: (body: string, at: number) => void): Promise<Waiter> {
  const socket = await open(port)
  let buffer = ''
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    buffer += chunk
    const head = buffer.indexOf('\r\n\r\n')
    if (head < 0) return
    const length = Number(/content-length: (\d+)/i.exec(buffer)![1])
    if (buffer.length < head + 4 + length) return
    const body = buffer.slice(head + 4)
    if (!buffer.startsWith('HTTP/1.1 200')) throw new Error(`answered ${buffer}`)
    buffer = ''
    answered(body, performance.now())
  })
  return {
    ask: (request) => void socket.write(request),
    close: () => void socket.destroy(),
  }
}

const open = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket.setNoDelay(true)))
    socket.once('error', reject)
  })

export const get = (path: string, authorization: string): string =>
  [`GET ${path} HTTP/1.1`, 'Host: 127.0.0.1', `Authorization: ${authorization}`, 'User-Agent: bench/1', '', ''].join(
    '\r\n',
  )
