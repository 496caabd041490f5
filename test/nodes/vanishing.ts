import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A network between a process and the database, in which packets can vanish: nobody is informed. */
export interface Network extends AsyncDisposable {
  /** The address of the database by way of it. */
  readonly url: string
  /** What there is of connections carries nothing any more; those made later do, unless `all`. */
  vanish(options?: { all: boolean }): void
  /** A connection ends when this is sent over it. */
  cutAt(text: string | undefined): void
  /** New connections carry again. */
  heal(): void
}

export async function networkTo(database: string): Promise<Network> {
  const target = new URL(database)
  const sockets = new Set<Socket>()
  let age = 0
  let gone = false
  let fatal: string | undefined
  function carry(from: Socket, to: Socket, born: number): void {
    sockets.add(from)
    from.on('error', () => {})
    from.on('data', (bytes) => {
      if (fatal !== undefined && bytes.includes(fatal)) from.destroy()
      else if (carries(born)) to.write(bytes)
    })
    from.on('end', () => void (carries(born) && to.end()))
    from.on('close', () => {
      sockets.delete(from)
      if (carries(born)) to.destroy()
    })
  }
  const carries = (born: number) => born === age && !gone
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname)
    carry(near, far, age)
    carry(far, near, age)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(database)
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    vanish({ all } = { all: false }) {
      age++
      gone = all
    },
    cutAt(text) {
      fatal = text
    },
    heal() {
      age++
      gone = false
    },
    async [Symbol.asyncDispose]() {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
}
