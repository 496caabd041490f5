import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import test from 'node:test'
import { AddressRefused, createPost } from '../../src/network/post.ts'

async function serving(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://localhost:${port}/hook`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
const { signal } = new AbortController()
const request = (url: string) => ({ url, headers: { 'content-type': 'text/plain' }, body: 'älas', signal })

test('posts body and headers and returns the response', async () => {
  const seen: string[] = []
  await using server = await serving((req, res) => {
    let body = ''
    req.setEncoding('utf8').on('data', (chunk) => {
      body += chunk
    })
    req.on('end', () => {
      seen.push(`${req.method} ${req.url} ${req.headers['content-type']} ${req.headers['content-length']} ${body}`)
      res.writeHead(201).end('yes')
    })
  })
  const answer = await createPost({ allowPrivate: true })(request(server.url))
  assert.deepEqual(answer, { status: 201, body: 'yes' })
  assert.deepEqual(seen, ['POST /hook text/plain 5 älas'])
})

test('without permission, posts to no local address in any notation', async () => {
  let count = 0
  await using server = await serving((_, res) => {
    count++
    res.end()
  })
  const post = createPost()
  const { port } = server
  const hosts = [
    'localhost',
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '0.0.0.0',
  ]
  for (const host of hosts) {
    await assert.rejects(post(request(`http://${host}:${port}/`)), AddressRefused, host)
  }
  await assert.rejects(post(request('http://ann:secret@example.com/')), AddressRefused)
  assert.equal(count, 0)
})

test("doesn't follow redirects", async () => {
  let count = 0
  await using server = await serving((_, res) => {
    count++
    res.writeHead(302, { location: '/elsewhere' }).end()
  })
  assert.equal((await createPost({ allowPrivate: true })(request(server.url))).status, 302)
  assert.equal(count, 1)
})

test('cuts off long and missing responses', async () => {
  await using server = await serving((req, res) => {
    if (req.url === '/long') res.end('x'.repeat(100_000))
    else res.write('x')
  })
  const short = createPost({ allowPrivate: true, maxBytes: 1000 })
  await assert.rejects(short(request(`http://localhost:${server.port}/long`)), /the response is longer than 1000 bytes/)
  const quick = createPost({ allowPrivate: true, timeoutMs: 100 })
  await assert.rejects(quick(request(`http://localhost:${server.port}/slow`)))
})
