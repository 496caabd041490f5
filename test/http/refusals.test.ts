import assert from 'node:assert/strict'
import { connect } from 'node:net'
import test from 'node:test'
import { emptyServer } from '../../src/testing/server.ts'
import { echoing } from './targets.ts'

const routes = { '/echo': { GET: echoing({}), POST: echoing({}) } }

/** Sends bytes and returns everything received until the server ends the connection. */
function send(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let got = ''
    const socket = connect(port, '127.0.0.1')
    const timer = setTimeout(() => reject(new Error(`the connection stays open: ${got}`)), 30_000)
    socket.on('data', (data) => {
      got += data
    })
    socket
      .on('error', () => {})
      .on('close', () => {
        clearTimeout(timer)
        resolve(got)
      })
    socket.on('end', () => socket.end())
    socket.write(text)
  })
}

const GET = 'GET /api/v1/echo HTTP/1.1\r\n'
const table: [what: string, sent: string, status: number, code: string][] = [
  ['no request at all', 'nonsense\r\n\r\n', 400, 'BAD_REQUEST'],
  ['no host', `${GET}Connection: close\r\n\r\n`, 400, 'BAD_REQUEST'],
  ['a header without a name', `${GET}Host: x\r\n: y\r\n\r\n`, 400, 'BAD_REQUEST'],
  ['a header on two lines', `${GET}Host: x\r\nA: b\r\n c\r\nB :\r\n\r\n`, 400, 'BAD_REQUEST'],
  ['headers without end', `${GET}Host: x\r\nA: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'HEADERS_TOO_LARGE'],
  ['another expectation', `${GET}Host: x\r\nExpect: a-miracle\r\n\r\n`, 417, 'EXPECTATION_FAILED'],
  [
    'two lengths',
    'POST /api/v1/echo HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\na=b',
    400,
    'BAD_REQUEST',
  ],
  [
    'a length and chunks',
    'POST /api/v1/echo HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    400,
    'BAD_REQUEST',
  ],
]

for (const [what, sent, status, code] of table) {
  test(`answers what Node itself rejects in JSON: ${what}`, async () => {
    await using server = await emptyServer({ routes })
    const got = await send(server.port, sent)
    const [head = '', body = ''] = got.split('\r\n\r\n')
    assert.match(head, new RegExp(`^HTTP/1\\.1 ${status} `))
    assert.match(head, /content-type: application\/json; charset=utf-8/i)
    assert.match(head, /connection: close/i)
    assert.match(head, new RegExp(`content-length: ${Buffer.byteLength(body)}`, 'i'))
    const { result, code: said, msg } = JSON.parse(body) as Record<string, string>
    assert.deepEqual([result, said, typeof msg], ['error', code, 'string'])
    assert.deepEqual(server.log, [])
  })
}

test('accepts HTTP/1.0 without a host and Expect: 100-continue', async () => {
  await using server = await emptyServer({ routes })
  assert.match(await send(server.port, 'GET /api/v1/echo HTTP/1.0\r\n\r\n'), /^HTTP\/1\.1 200 /)
  const head =
    'POST /api/v1/echo HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 0\r\nExpect: 100-continue\r\n\r\n'
  assert.match(await send(server.port, head), /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /)
})

test("invalid data after a valid request doesn't spoil its answer", async () => {
  await using server = await emptyServer({ routes })
  const got = await send(server.port, `${GET}Host: x\r\n\r\nnonsense\r\n\r\n`)
  const statuses = [...got.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)
  assert.ok(['200,400', '400', '200'].includes(statuses.join()), got)
  for (const part of got.split(/(?=HTTP\/1\.1 )/)) assert.doesNotThrow(() => JSON.parse(part.split('\r\n\r\n')[1]!))
})

test('status lines have the reason phrase of their status', async () => {
  await using server = await emptyServer({ routes })
  const phraseOf = async (path: string) => (await fetch(server.url + path)).statusText
  assert.equal(await phraseOf('/api/v1/echo'), 'OK')
  assert.equal(await phraseOf('/api/v1/nothing'), 'Not Found')
})
