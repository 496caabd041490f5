import assert from 'node:assert/strict'
import { connect } from 'node:net'
import test from 'node:test'
import * as v from 'valibot'
import { publicAction } from '../../src/core/kernel/action.ts'
import { text, uploadedFile } from '../../src/core/kernel/fields.ts'
import { emptyServer } from '../../src/testing/server.ts'
import { eventually } from '../eventually.ts'
import { echoing, form, onBothTargets, one, whoAmI } from './targets.ts'

const MIB = 1024 * 1024
const echo = echoing({ a: v.nullish(text) })
const upload = publicAction(
  {
    name: 'upload',
    summary: 'Upload',
    params: v.object({ filename: uploadedFile, a: v.optional(text) }),
    result: v.any(),
    file: { maxBytes: ({ maxEmojiFileSizeMib }) => maxEmojiFileSizeMib * MIB },
  },
  async (_, p) => ({
    name: p.filename.name,
    size: p.filename.bytes.length,
    first: p.filename.bytes[0] ?? null,
    a: p.a ?? null,
  }),
)
const routes = { ...one(echo), '/upload': { POST: upload }, '/me': { POST: whoAmI } }

onBothTargets('bodies of other kinds', { routes }, async ({ ask }) => {
  const send = (type: string | undefined, body: string | Blob) =>
    ask('/x', { method: 'POST', body, ...(type !== undefined && { headers: { 'content-type': type } }) })
  for (const type of ['text/json', 'text/plain', 'image/png', 'multipart/mixed; boundary=x', 'nonsense', 'toString']) {
    const { status, body } = await send(type, '{"a":"b"}')
    assert.deepEqual([type, status, body.code], [type, 415, 'UNREADABLE_BODY'])
  }
  assert.equal((await send(undefined, new Blob(['a=b']))).status, 415)
  assert.equal((await send('application/json', '')).status, 200)
  assert.equal((await send(undefined, '')).status, 200)
  assert.equal((await ask('/x', { method: 'POST' })).status, 200)
  const packed = await ask('/x', { method: 'POST', body: form({ a: 'b' }), headers: { 'content-encoding': 'gzip' } })
  assert.deepEqual([packed.status, packed.body.msg], [415, 'Compressed request bodies are not supported'])
})

onBothTargets('malformed multipart', { routes }, async ({ ask }) => {
  const send = (body: string, type = 'multipart/form-data; boundary=b') =>
    ask('/x', { method: 'POST', body, headers: { 'content-type': type } })
  const part = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nvalue'
  const malformed: [string, string?][] = [
    [part],
    ['no boundary at all'],
    [`${part}\r\n--b--\r\n`, 'multipart/form-data'],
    ['--b\r\nContent-Disposition: form-data; name="a"\r\nContent-Transfer-Encoding: nonsense\r\n\r\nx\r\n--b--'],
    ['--b\r\nno header\r\n\r\nvalue\r\n--b--\r\n'],
  ]
  for (const [body, type] of malformed) {
    const reply = await send(body, type)
    assert.deepEqual([body, reply.status, reply.body.msg], [body, 400, 'Malformed multipart form'])
  }
  assert.equal((await send(`${part}\r\n--b--\r\n`)).body.given.a, 'value')
})

onBothTargets('uploads', { routes }, async ({ ask }) => {
  const send = (...files: [string, Blob, string][]) => {
    const body = new FormData()
    body.append('a', 'ä')
    for (const [field, blob, name] of files) body.append(field, blob, name)
    return ask('/upload', { method: 'POST', body })
  }
  const png = new Blob([Uint8Array.of(0, 1, 2, 255)], { type: 'image/png' })
  const found = await send(['anything', png, 'bü.png'])
  assert.deepEqual(found.body, { result: 'success', msg: '', name: 'bü.png', size: 4, first: 0, a: 'ä' })
  assert.equal((await send(['f', new Blob([]), 'empty.png'])).body.size, 0)
  const exactlyOne = { result: 'error', msg: 'You must upload exactly one file.', code: 'BAD_REQUEST' }
  assert.deepEqual((await send()).body, exactlyOne)
  assert.deepEqual((await send(['f', png, 'a'], ['g', png, 'b'])).body, exactlyOne)
  assert.deepEqual((await ask('/upload', { method: 'POST', body: form({ filename: 'x' }) })).body, exactlyOne)
  const body = new FormData()
  body.append('f', png, 'a.png')
  const { body: ignored } = await ask('/x', { method: 'POST', body })
  assert.deepEqual(ignored.ignored_parameters_unsupported, ['f'])
})

onBothTargets('a part with a name but no type is a file all the same', { routes }, async ({ ask }) => {
  const body = '--b\r\nContent-Disposition: form-data; name="f"; filename="x.png"\r\n\r\n\xff\r\n--b--\r\n'
  const headers = { 'content-type': 'multipart/form-data; boundary=b' }
  const reply = await ask('/upload', { method: 'POST', headers, body: Buffer.from(body, 'latin1') })
  assert.deepEqual([reply.body.size, reply.body.first], [1, 255])
})

onBothTargets('sizes', { routes, maxEmojiFileSizeMib: 2 }, async ({ ask }) => {
  const urlencoded = { 'content-type': 'application/x-www-form-urlencoded' }
  const sizes: [number, number][] = [
    [MIB, 200],
    [MIB + 1, 413],
    [8 * MIB, 413],
  ]
  for (const [size, status] of sizes) {
    const reply = await ask('/x', { method: 'POST', headers: urlencoded, body: `a=${'x'.repeat(size - 2)}` })
    assert.deepEqual([size, reply.status], [size, status])
    if (status === 413) assert.equal(reply.body.code, 'TOO_LARGE')
  }
  const file = (size: number) => {
    const body = new FormData()
    body.append('f', new Blob([new Uint8Array(size)]), 'x')
    return body
  }
  assert.equal((await ask('/upload', { method: 'POST', body: file(2 * MIB) })).body.size, 2 * MIB)
  const large = await ask('/upload', { method: 'POST', body: file(2 * MIB + 1) })
  assert.deepEqual([large.status, large.body.msg], [413, 'Uploaded file is larger than the allowed limit of 2 MiB'])
  assert.equal((await ask('/x', { method: 'POST', body: file(2 * MIB) })).status, 413)
})

/** Sends bytes on one connection and returns everything received up to `enough`, or the end. */
function exchange(port: number, pieces: (string | Buffer)[], enough: (got: string) => boolean): Promise<string> {
  return new Promise((resolve, reject) => {
    let got = ''
    const socket = connect(port, '127.0.0.1')
    const done = () => {
      clearTimeout(timer)
      socket.destroy()
      resolve(got)
    }
    const timer = setTimeout(() => reject(new Error(`no answer in time; so far: ${got}`)), 30_000)
    socket.on('data', (data) => {
      got += data
      if (enough(got)) done()
    })
    socket.on('close', done).on('error', () => {})
    for (const piece of pieces) socket.write(piece)
  })
}

const answers = (got: string): string[] => [...got.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status!)
const head = (path: string, type: string, more = '') =>
  `POST /api/v1${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\n${more}`
const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(0x10000, 97), Buffer.from('\r\n')])

test('rejects fifty oversized chunked uploads one by one and keeps running', async () => {
  await using server = await emptyServer({ routes, maxEmojiFileSizeMib: 1 })
  const types = ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=b', 'text/plain']
  for (let i = 0; i < 50; i++) {
    const type = types[i % 3]!
    const start = type.startsWith('multipart') ? '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n' : 'a='
    const first = `${start.length.toString(16)}\r\n${start}\r\n`
    const got = await exchange(
      server.port,
      [head('/x', type, 'Transfer-Encoding: chunked\r\n\r\n') + first, ...Array<Buffer>(40).fill(chunk), '0\r\n\r\n'],
      (text) => text.includes('}'),
    )
    assert.deepEqual([type, answers(got)], [type, ['413']])
  }
  assert.equal((await fetch(`${server.url}/api/v1/x`)).status, 200)
})

test('answers a request whose body never ends', async () => {
  await using server = await emptyServer({ routes })
  const got = await exchange(
    server.port,
    [
      head('/x', 'application/x-www-form-urlencoded', 'Transfer-Encoding: chunked\r\n\r\n'),
      ...Array<Buffer>(20).fill(chunk),
    ],
    (text) => text.includes('}'),
  )
  assert.deepEqual(answers(got), ['413'])
  assert.match(got, /connection: close/i)
})

for (const [what, path, type, status] of [
  ['not signed in', '/me', 'application/x-www-form-urlencoded', '401'],
  ['a type we do not read', '/x', 'text/plain', '415'],
  ['too large', '/x', 'application/x-www-form-urlencoded', '413'],
  ['no such path', '/nowhere', 'text/plain', '404'],
] as const) {
  test(`an unread body doesn't delay the next request: ${what}`, async () => {
    await using server = await emptyServer({ routes })
    const body = Buffer.alloc(3 * MIB, 97)
    const next = 'GET /api/v1/x HTTP/1.1\r\nHost: x\r\n\r\n'
    const got = await exchange(
      server.port,
      [head(path, type, `Content-Length: ${body.length}\r\n\r\n`), body, next],
      (text) => answers(text).length === 2,
    )
    assert.deepEqual(answers(got), [status, '200'])
  })
}

test('a client that disconnects while sending its body leaves no trace', async () => {
  await using server = await emptyServer({ routes })
  for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=b']) {
    const socket = connect(server.port, '127.0.0.1')
    socket.on('error', () => {})
    const before = server.requests.length
    socket.write(head('/x', type, 'Content-Length: 1000\r\n\r\na=b'))
    await eventually('the request arrives', () => server.requests.length > before)
    socket.destroy()
  }
  await server.idle()
  assert.equal((await fetch(`${server.url}/api/v1/x`)).status, 200)
  assert.deepEqual(server.log, [])
})
