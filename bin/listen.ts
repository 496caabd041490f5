import { once } from 'node:events'
import type { RequestListener, Server } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { listen } from 'listhen'
import { configureNodeServer } from '../src/http/node.ts'

export interface Listening {
  server: Server
  port: number
}

/** Listens with listhen, with all its other features switched off. Throws the system's error where it cannot. */
export async function listenOn(handler: RequestListener, host: string, port: number): Promise<Listening> {
  await probe(host, port)
  const { server } = await listen(guarded(handler), {
    hostname: host,
    // @NOTE port 0 means 3000 to listhen; and without isProd a taken port is silently replaced by another.
    port: port === 0 ? { random: true } : { port, random: false },
    isProd: true,
    // @NOTE it would replace an address that is open to all by "localhost".
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
 * @NOTE listhen's http-shutdown reads req.socket when an answer ends, and Node clears that when a body was
 * dropped; without this a single refused upload would end the process. Both halves are needed: the second lets
 * http-shutdown see the
 * request before we can drop its body.
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
