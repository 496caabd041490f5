import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A proxy that sends each request to the next of the nodes that are there. */
export interface RoundRobin extends AsyncDisposable {
  readonly url: string
  /** The nodes, by their places; undefined for one that is gone. */
  readonly nodes: (string | undefined)[]
}

export async function roundRobin(nodes: (string | undefined)[]): Promise<RoundRobin> {
  let turn = 0
  const next = () => {
    const there = nodes.filter((node) => node !== undefined)
    return there[turn++ % there.length]
  }
  function pass(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const node = next()
    if (!node) return void outgoing.destroy()
    const { method, url, headers } = incoming
    // No connection is used twice: the next request goes to another node.
    const onward = request(node + url!, { method, headers: { ...headers, connection: 'close' }, agent: false })
    // As with any proxy: what was under way when a node ended has no answer.
    onward.on('error', () => outgoing.destroy())
    onward.on('response', (answer) => {
      answer.on('error', () => outgoing.destroy())
      outgoing.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(outgoing)
    })
    outgoing.on('close', () => onward.destroy())
    incoming.pipe(onward)
  }
  const server = createServer(pass)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    nodes,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
