import { connect, type Socket } from 'node:net'

/** Many connections, each sending its next request when the last is answered. */
export interface Load {
  port: number
  connections: number
  /** The bytes of the n-th request, head and body. */
  request: (n: number) => string
  seconds: number
}

export interface LoadResult {
  count: number
  perSecond: number
  p50: number
  p99: number
}

/**
 * A client that costs little itself: plain sockets, and only as much HTTP as is needed to find the end of an answer.
 */
export async function run({ port, connections, request, seconds }: Load): Promise<LoadResult> {
  let sent = 0
  const times: number[] = []
  const end = performance.now() + seconds * 1000
  const worker = async () => {
    const exchange = exchanger(await open(port))
    while (performance.now() < end) {
      const start = performance.now()
      const status = await exchange(request(sent++))
      if (status !== 200) throw new Error(`answered ${status}`)
      times.push(performance.now() - start)
    }
  }
  await Promise.all(Array.from({ length: connections }, worker))
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0
  return { count: times.length, perSecond: times.length / seconds, p50: at(0.5), p99: at(0.99) }
}

const open = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket.setNoDelay(true)))
    socket.once('error', reject)
  })

function exchanger(socket: Socket): (request: string) => Promise<number> {
  let buffer = ''
  let settle: (status: number) => void = () => {}
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    buffer += chunk
    const head = buffer.indexOf('\r\n\r\n')
    if (head < 0) return
    const length = Number(/content-length: (\d+)/i.exec(buffer)?.[1])
    const chunked = Number.isNaN(length) && buffer.endsWith('0\r\n\r\n')
    if (!chunked && !(buffer.length >= head + 4 + length)) return
    const status = Number(buffer.slice(9, 12))
    buffer = ''
    settle(status)
  })
  return (request) =>
    new Promise((resolve) => {
      settle = resolve
      socket.write(request)
    })
}

export function formPost(path: string, form: Record<string, string>, authorization?: string): string {
  const body = new URLSearchParams(form).toString()
  return [
    `POST ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    ...(authorization ? [`Authorization: ${authorization}`] : []),
    'User-Agent: bench/1',
    'Content-Type: application/x-www-form-urlencoded',
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n')
}
