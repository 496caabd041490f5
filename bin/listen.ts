import { once } from 'node:events'
import type { RequestListener, Server } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { listen } from 'listhen'
import { configureNodeServer } from '../src/http/node.ts'

export interface Listening {
  server: Server
  port: number
}

/** Listens with listhen, with its other features off. Throws the system's error if it can't. */
export async function listenOn(handler: RequestListener, host: string, port: number): Promise<Listening> {
  await probe(host, port)
  const { server } = await listen(guarded(handler), {
    hostname: host,
    // @NOTE port 0 means 3000 to listhen; and without isProd a taken port is silently replaced by another.
    port: port === 0 ? { random: true } : { port, random: false },
    isProd: true,
    // @NOTE listhen would print "localhost" for an address that is open to all.
    public: host === '0.0.0.0' || host === '::',
    autoClose: false,
    showURL: false,
    qr: false,
    open: false,
    clipboard: false,
    ws: false,
  })
  configureNodeServer(server as Server)
  return { server: server as Server, port: (server.address() as AddressInfo).port }
}

/** @NOTE listhen reports every failure as "unable to find an available port", so the port is tried directly first. */
async function probe(host: string, port: number): Promise<void> {
  const server = createServer().listen({ host, port, exclusive: true })
  await once(server, 'listening')
  server.close()
  await once(server, 'close')
}

/**
 * @NOTE listhen's http-shutdown reads req.socket when a response ends, but Node clears it when a body is dropped.
 * Without both halves of this guard, a single rejected upload would end the process. The second half lets
 * http-shutdown see the request before its body is dropped.
 */
const guarded =
  (handler: RequestListener): RequestListener =>
  (req, res) => {
    const { socket } = req
    res.once('finish', () => {
      // biome-ignore lint/suspicious/noExplicitAny: by Node's types it is never cleared.
      if (!req.socket) (req as any).socket = socket
    })
    queueMicrotask(() => handler(req, res))
  }
