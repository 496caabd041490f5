import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import { connect } from 'node:net'
import test from 'node:test'
import { listenOn } from '../../bin/listen.ts'
import { configureNodeServer } from '../../src/http/node.ts'

const listening: Readonly<Record<string, () => Promise<{ server: Server; port: number }>>> = {
  'of the command': () => listenOn(() => {}, '127.0.0.1', 0),
  'of the library': async () => {
    const server = createServer()
    configureNodeServer(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return { server, port: (server.address() as { port: number }).port }
  },
}

for (const [whose, listen] of Object.entries(listening)) {
  test(`cuts off an endless request head within a second of the timeout in the server ${whose}`, async () => {
    const { server, port } = await listen()
    try {
      assert.equal(server.headersTimeout, 15_000)
      server.headersTimeout = 200
      const { answer, ms } = await sendSlowly(port)
      assert.match(answer, /^HTTP\/1\.1 408 /)
      assert.match(answer, /"code":"REQUEST_TIMEOUT"/)
      // Node itself looks every 30 seconds.
      assert.ok(ms >= 200 && ms < 25_000, `${ms} ms`)
    } finally {
      server.close()
      server.closeAllConnections()
    }
  })
}

/** Sends a header now and then, and never the last. */
function sendSlowly(port: number): Promise<{ answer: string; ms: number }> {
  return new Promise((resolve) => {
    const began = performance.now()
    const socket = connect(port, '127.0.0.1')
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n')
    const timer = setInterval(() => socket.write('a: b\r\n'), 50)
    let answer = ''
    socket.on('data', (data) => {
      answer += data
    })
    socket.on('end', () => {
      clearInterval(timer)
      socket.end()
      resolve({ answer, ms: performance.now() - began })
    })
    socket.on('error', () => {})
  })
}
