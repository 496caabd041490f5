import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import test from 'node:test'
import { askNamedServers } from '../../src/network/provider.ts'

const { signal } = new AbortController()

test('asks a named server in a private network, and no other one there', async (t) => {
  const server = createServer((request, response) => {
    request.resume().once('end', () => response.end(`${request.method} ${request.headers['content-length'] ?? 'none'}`))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close().closeAllConnections())
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/`
  const ask = askNamedServers(new Set([`127.0.0.1:${port}`]), { allowHttp: true })
  const get = await ask({ method: 'GET', url, headers: {}, signal })
  assert.equal(Buffer.from(get.bytes).toString(), 'GET none')
  const post = await ask({ method: 'POST', url, headers: {}, body: 'é', signal })
  assert.equal(Buffer.from(post.bytes).toString(), 'POST 2')
  const others = askNamedServers(new Set(['id.example.com']), { allowHttp: true })
  await assert.rejects(
    others({ method: 'GET', url, headers: {}, signal }),
    /127\.0\.0\.1 is not on the public Internet\. Put the issuer/,
  )
})

test('asks over HTTPS only', async () => {
  const ask = askNamedServers(new Set(['127.0.0.1:1']))
  await assert.rejects(
    ask({ method: 'GET', url: 'http://127.0.0.1:1/', headers: {}, signal }),
    /must be reached over HTTPS/,
  )
})
