import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { json } from 'node:stream/consumers'
import test from 'node:test'
import * as v from 'valibot'
import { publicAction } from '../../src/core/kernel/action.ts'
import { badRequest } from '../../src/core/kernel/errors.ts'
import { fileStream, text, uploadedFile } from '../../src/core/kernel/fields.ts'
import { emptyServer } from '../../src/testing/server.ts'
import { eventually } from '../eventually.ts'
import { form, onBothTargets } from './targets.ts'

const MIB = 1024 * 1024
const params = v.object({ file: fileStream, a: v.optional(text) })
const file = { maxBytes: () => 4 * MIB }

/** The pieces of an upload that an action received. */
const read = async (chunks: AsyncIterable<Uint8Array>, seen: number[] = []) => {
  for await (const piece of chunks) seen.push(piece.length)
  return seen.reduce((sum, size) => sum + size, 0)
}
const store = publicAction(
  { name: 'store', summary: 'Store', result: v.any(), params, file },
  async (_, { file: { name, content_type, chunks }, a }) => ({
    name,
    content_type,
    a: a ?? null,
    size: await read(chunks),
  }),
)
const named = publicAction(
  { name: 'storeOneField', summary: 'Store one field', result: v.any(), params, file: { ...file, field: 'picture' } },
  async (_, { file: { name, chunks } }) => ({ name, size: await read(chunks) }),
)
const glance = publicAction(
  { name: 'lookAndLeave', summary: 'Look and leave', result: v.any(), params, file },
  async (_, { file: { chunks } }) => {
    for await (const piece of chunks) return { first: piece.length }
    return {}
  },
)
const never = publicAction(
  { name: 'neverLook', summary: 'Never look', result: v.any(), params, file },
  async () => ({}),
)
const patch = publicAction(
  {
    name: 'appendToAnUpload',
    summary: 'Append to an upload',
    result: v.any(),
    params: v.object({ chunk: fileStream, offset: v.number() }),
    file,
    body: { types: ['application/offset+octet-stream'], param: 'chunk' },
    headers: { offset: 'upload-offset' },
  },
  async (_, { chunk, offset }) => ({ end: offset + (await read(chunk.chunks)), type: chunk.content_type }),
)
const optional = publicAction(
  {
    name: 'maybeStore',
    summary: 'Maybe store',
    result: v.any(),
    params: v.object({ file: v.optional(fileStream) }),
    file,
  },
  async (_, { file }) => ({ came: file !== undefined }),
)
const routes = {
  '/store': { POST: store },
  '/named': { POST: named },
  '/glance': { POST: glance },
  '/never': { POST: never },
  '/patch': { PATCH: patch },
  '/optional': { POST: optional },
}
const blob = (size: number) => new Blob([new Uint8Array(size).fill(7)], { type: 'image/png' })
const formOf = (...parts: [string, string | Blob, string?][]) => {
  const body = new FormData()
  for (const [name, value, file] of parts)
    typeof value === 'string' ? body.append(name, value) : body.append(name, value, file ?? 'x.png')
  return { method: 'POST', body }
}

onBothTargets('a file is read while it arrives', { routes }, async ({ ask }) => {
  const { body } = await ask('/store', formOf(['a', 'ä'], ['anything', blob(3 * MIB), 'bü.png']))
  assert.deepEqual(body, {
    result: 'success',
    msg: '',
    name: 'bü.png',
    content_type: 'image/png',
    a: 'ä',
    size: 3 * MIB,
  })
  assert.equal((await ask('/store', formOf(['f', blob(0)]))).body.size, 0)
  assert.equal((await ask('/store?a=query', formOf(['f', blob(1)]))).body.a, 'query')
  assert.equal((await ask('/optional', formOf(['f', blob(1)]))).body.came, true)
  assert.equal((await ask('/optional', { method: 'POST' })).body.came, false)
})

onBothTargets('whatever is wrong with an upload is one error, and nothing is stored', { routes }, async ({ ask }) => {
  const one = 'You must upload exactly one file.'
  const table: [what: RequestInit, status: number, msg: string][] = [
    [formOf(['f', blob(4 * MIB + 1)]), 413, 'Uploaded file is larger than the allowed limit of 4 MiB'],
    [formOf(['f', blob(1)], ['g', blob(1)]), 400, one],
    [formOf(['f', blob(1)], ['a', 'late']), 400, 'Parameters must come before the file'],
    [formOf(['a', 'x']), 400, one],
    [{ method: 'POST', body: form({ file: 'x' }) }, 400, one],
    [{ method: 'POST' }, 400, one],
    [formOf(['a', 'x'.repeat(MIB + 1)], ['f', blob(1)]), 413, 'The request is too large. The limit is 1024 KiB'],
  ]
  for (const [init, status, msg] of table) {
    const reply = await ask('/store', init)
    assert.deepEqual([reply.status, reply.body.msg], [status, msg])
  }
})

onBothTargets('only the named field is the file', { routes }, async ({ ask }) => {
  const { body } = await ask('/named', formOf(['other', blob(5)], ['picture', blob(9), 'p.png']))
  assert.deepEqual([body.name, body.size, body.ignored_parameters_unsupported], ['p.png', 9, ['other']])
  assert.equal((await ask('/named', formOf(['other', blob(5)]))).status, 400)
})

onBothTargets('an action may leave an upload unread, and the next request is answered', { routes }, async ({ ask }) => {
  for (const path of ['/glance', '/never']) {
    assert.equal((await ask(path, formOf(['f', blob(3 * MIB)]))).status, 200)
    assert.equal((await ask('/store', formOf(['f', blob(1)]))).status, 200)
  }
})

onBothTargets('a raw body is a stream too, with parameters in headers', { routes }, async ({ ask }) => {
  const send = (size: number, headers: Record<string, string>) =>
    ask('/patch', {
      method: 'PATCH',
      headers: { 'content-type': 'application/offset+octet-stream', ...headers },
      body: blob(size),
    })
  const { body } = await send(2 * MIB, { 'upload-offset': '70' })
  assert.deepEqual([body.end, body.type], [2 * MIB + 70, 'application/offset+octet-stream'])
  assert.equal((await send(1, {})).body.msg, "Missing 'offset' argument")
  assert.equal((await send(1, { 'upload-offset': 'x' })).body.msg, 'offset is not an integer')
  assert.equal((await send(4 * MIB + 1, { 'upload-offset': '0' })).status, 413)
  assert.equal((await send(1, { 'upload-offset': '0', 'content-type': 'image/png' })).status, 415)
})

test('makes a sender wait that is faster than the action', async () => {
  let begin = () => {}
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  let goOn = () => {}
  const mayGoOn = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const slow = publicAction(
    { name: 'slow', summary: 'Slow', result: v.any(), params, file: { maxBytes: () => 64 * MIB } },
    async (_, { file }) => {
      begin()
      await mayGoOn
      return { size: await read(file.chunks) }
    },
  )
  await using server = await emptyServer({ routes: { '/slow': { POST: slow } } })
  const head = '--b\r\nContent-Disposition: form-data; name="f"; filename="x"\r\n\r\n'
  const tail = '\r\n--b--\r\n'
  const size = 48 * MIB
  const req = request({
    port: server.port,
    method: 'POST',
    path: '/api/v1/slow',
    headers: { 'content-type': 'multipart/form-data; boundary=b', 'content-length': head.length + size + tail.length },
  })
  const answered = once(req, 'response')
  req.write(head)
  await begun
  const piece = Buffer.alloc(MIB, 7)
  for (let i = 0; i < size / MIB; i++) req.write(piece)
  // The kernel buffers a few MiB; without back-pressure everything would have been sent.
  let before = -1
  while (req.socket!.bytesWritten !== before) {
    before = req.socket!.bytesWritten
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  assert.ok(req.socket!.writableLength > size / 2, `${req.socket!.writableLength} bytes are still to be sent`)
  goOn()
  req.end(tail)
  const [res] = await answered
  assert.equal(((await json(res)) as { size: number }).size, size)
})

test('keeps the connection of a rejected upload that arrived completely', async () => {
  const picky = publicAction(
    { name: 'picky', summary: 'Picky', result: v.any(), params: v.object({ file: uploadedFile }), file },
    async () => {
      throw badRequest('Not this one')
    },
  )
  await using server = await emptyServer({ routes: { '/picky': { POST: picky } } })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  for (const size of [1, 60_000]) {
    const body = new FormData()
    body.append('f', new Blob([Buffer.alloc(size)]), 'x')
    const sent = new Response(body)
    const req = request({
      agent,
      port: server.port,
      method: 'POST',
      path: '/api/v1/picky',
      headers: { 'content-type': sent.headers.get('content-type')! },
    })
    req.end(Buffer.from(await sent.arrayBuffer()))
    const [res] = await once(req, 'response')
    assert.deepEqual([res.statusCode, res.headers.connection], [400, 'keep-alive'], `${size} bytes`)
    assert.equal(((await json(res)) as { msg: string }).msg, 'Not this one')
  }
  agent.destroy()
})

test('ends an upload that drips, and takes a slow one', async () => {
  const seen: number[] = []
  const watched = publicAction(
    { name: 'watched', summary: 'Watched', result: v.any(), params, file },
    async (_, { file: { chunks } }) => ({ size: await read(chunks, seen) }),
  )
  const size = 200_000
  const ends = (bytes: number) =>
    emptyServer({ routes: { '/watched': { POST: watched } } }).then(async (server) => {
      await using _ = server
      seen.length = 0
      const head = '--b\r\nContent-Disposition: form-data; name="f"; filename="x"\r\n\r\n'
      const tail = '\r\n--b--\r\n'
      const req = request({
        port: server.port,
        method: 'POST',
        path: '/api/v1/watched',
        headers: {
          'content-type': 'multipart/form-data; boundary=b',
          'content-length': head.length + size + tail.length,
        },
      }).on('error', () => {})
      const answered = once(req, 'response').then(
        async ([res]) => `${res.statusCode} ${((await json(res)) as { code?: string }).code}`,
      )
      req.write(head)
      let answer: string | undefined
      void answered.then((text) => {
        answer = text
      })
      let sent = 0
      for (let i = 0; sent < size && answer === undefined && i < 20; i++) {
        const piece = Buffer.alloc(Math.min(bytes, size - sent), 7)
        sent += piece.length
        req.write(piece)
        // The parser may keep the last few bytes, as a boundary could begin there.
        const arrived = () => answer !== undefined || seen.reduce((sum, one) => sum + one, 0) > sent - 40
        await eventually('the piece arrives', arrived)
        server.clock.advance(20_000)
      }
      if (sent === size) req.end(tail)
      const got = sent === size || answer !== undefined ? await answered : 'still open'
      req.destroy()
      return got
    })
  assert.equal(await ends(64), '408 REQUEST_TIMEOUT')
  assert.equal(await ends(25_000), '200 undefined')
})

for (const [what, path, start] of [
  ['a form', '/store', '--b\r\nContent-Disposition: form-data; name="f"; filename="x"\r\n\r\nabc'],
  ['a raw body', '/patch', 'abc'],
] as const) {
  const type = what === 'a form' ? 'multipart/form-data; boundary=b' : 'application/offset+octet-stream'
  const method = what === 'a form' ? 'POST' : 'PATCH'
  const head = `${method} /api/v1${path} HTTP/1.1\r\nHost: x\r\nUpload-Offset: 0\r\nContent-Type: ${type}\r\nContent-Length: 9999\r\n\r\n`

  test(`abandons a silent upload: ${what}`, async () => {
    await using server = await emptyServer({ routes })
    const socket = connect(server.port, '127.0.0.1')
    const answer = new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))))
    socket.write(head + start)
    let text = ''
    void answer.then((got) => {
      text = got
    })
    await eventually('the request is given up', () => {
      server.clock.advance(10_000)
      return text !== ''
    })
    assert.match(text, /^HTTP\/1\.1 408 /)
    assert.match(text, /"code":"REQUEST_TIMEOUT"/)
    assert.match(text, /connection: close/i)
    socket.destroy()
  })

  test(`reports a disconnected uploader to the action without a server error: ${what}`, async () => {
    let begun = false
    const seen: unknown[] = []
    const watched = publicAction(
      {
        name: 'watched',
        summary: 'Watched',
        result: v.any(),
        params: v.object({ file: fileStream }),
        file,
        body: { types: ['application/offset+octet-stream'], param: 'file' },
      },
      async (_, { file }) => {
        begun = true
        try {
          return { size: await read(file.chunks) }
        } catch (error) {
          seen.push(error)
          throw error
        }
      },
    )
    await using server = await emptyServer({ routes: { '/store': { POST: watched }, '/patch': { PATCH: watched } } })
    const socket = connect(server.port, '127.0.0.1')
    socket.on('error', () => {}).write(head + start)
    await eventually('the action reads', () => begun)
    socket.destroy()
    await eventually('its reading ends', () => seen.length > 0)
    assert.deepEqual([(seen[0] as Error).message, server.log], ['The request was incomplete', []])
  })
}

test('allows half a minute for a body that must be read in full', async () => {
  await using server = await emptyServer({ routes })
  for (const type of ['application/json', 'multipart/form-data; boundary=b', 'application/x-www-form-urlencoded']) {
    const socket = connect(server.port, '127.0.0.1')
    let text = ''
    socket.on('data', (data) => {
      text += data
    })
    socket.write(`POST /api/v1/store HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: 999\r\n\r\n{`)
    await eventually('the request is given up', () => {
      server.clock.advance(10_000)
      return text !== ''
    })
    assert.match(text, /^HTTP\/1\.1 408 /)
    socket.destroy()
  }
})
