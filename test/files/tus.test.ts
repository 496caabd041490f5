import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { join } from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { accessUpload } from '../../src/core/files/tus/uploads.ts'
import { receive } from '../../src/core/files/unfinished.ts'
import { type Person, type World, world } from '../../src/testing/index.ts'
import { eventually } from '../eventually.ts'
import { TemporaryFolder } from '../temporary-folder.ts'
import { type Bytes, bytesOf, fetchAs, noise, stored, sweepNow } from './files.ts'
import type { Ready } from './server-process.ts'

const MIB = 1024 * 1024
const version = { 'tus-resumable': '1.0.0' }
const base64 = (text: string) => Buffer.from(text).toString('base64')

interface Asked {
  headers?: Record<string, string>
  body?: Bytes
  who?: Person | undefined
}
const ask = (w: World, method: string, path: string, { headers = {}, body, who = w.people.hamlet }: Asked = {}) =>
  fetchAs(w, who, path, { method, headers: { ...version, ...headers }, ...(body && { body }) })

async function begin(w: World, length: number, name = 'a é.bin', type = ''): Promise<string> {
  const metadata = `filename ${base64(name)},filetype ${base64(type)},empty`
  const headers = { 'upload-length': String(length), 'upload-metadata': metadata }
  const response = await ask(w, 'POST', '/api/v1/tus', { headers })
  assert.equal(response.status, 201, await response.text())
  assert.equal(response.headers.get('tus-resumable'), '1.0.0')
  return response.headers.get('location')!
}
const send = (w: World, path: string, offset: number, body: Bytes, who?: Person) =>
  ask(w, 'PATCH', path, {
    headers: { 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' },
    body,
    ...(who && { who }),
  })
async function offsetAt(w: World, path: string): Promise<string | null> {
  return (await ask(w, 'HEAD', path)).headers.get('upload-offset')
}

test('tells anyone which upload features are supported', async () => {
  await using w = await world({ chat: { maxFileUploadSizeMib: 3 } })
  const { status, headers } = await fetchAs(w, undefined, '/api/v1/tus', { method: 'OPTIONS' })
  const of = (name: string) => headers.get(name)
  assert.deepEqual(
    [status, of('tus-resumable'), of('tus-version'), of('tus-extension'), of('tus-max-size')],
    [204, '1.0.0', '1.0.0', 'creation,termination,expiration', String(3 * MIB)],
  )
})

test('assembles a file from pieces of any size', async () => {
  await using w = await world()
  const bytes = noise(MIB + 77)
  const path = await begin(w, bytes.length)
  let at = 0
  for (const size of [1, 100_000, 262_143, 400_000]) {
    const response = await send(w, path, at, bytes.slice(at, at + size))
    at += size
    assert.deepEqual([response.status, response.headers.get('upload-offset')], [204, String(at)])
    const head = await ask(w, 'HEAD', path)
    assert.deepEqual(
      [head.status, ...['upload-offset', 'upload-length', 'cache-control'].map((name) => head.headers.get(name))],
      [200, String(at), String(bytes.length), 'no-store'],
    )
  }
  const last = await send(w, path, at, bytes.slice(at))
  assert.deepEqual([last.status, last.headers.get('upload-offset')], [200, String(bytes.length)])
  const { url, uri, filename } = await last.json()
  assert.deepEqual([uri, filename], [url, 'a é.bin'])
  const whole = Buffer.from(await (await fetchAs(w, w.people.hamlet, encodeURI(url))).arrayBuffer())
  assert.ok(whole.equals(bytes))
  assert.equal((await ask(w, 'HEAD', path)).status, 404)
  const { attachments, upload_space_used } = await w.people.hamlet.api.get('/attachments')
  assert.deepEqual([attachments.length, upload_space_used], [1, bytes.length])
})

test('an empty file is available immediately', async () => {
  await using w = await world()
  const response = await ask(w, 'POST', '/api/v1/tus', { headers: { 'upload-length': '0' } })
  assert.equal(response.status, 201)
  const { url } = await response.json()
  assert.equal((await fetchAs(w, w.people.hamlet, url)).headers.get('content-length'), '0')
})

test('shows an image uploaded in pieces like any other', async () => {
  await using w = await world()
  const image = sharp({ create: { width: 30, height: 20, channels: 3, background: 'red' } }).png()
  const bytes = Uint8Array.from(await image.toBuffer())
  const path = await begin(w, bytes.length, 'x.png')
  const { url } = await (await send(w, path, 0, bytes)).json()
  const { rendered } = await w.people.hamlet.api.post('/messages/render', { content: `[x](${url})` })
  assert.match(rendered, /data-original-dimensions="30x20"/)
})

test("rejects invalid requests with the protocol's statuses and changes nothing", async () => {
  await using w = await world({ chat: { maxFileUploadSizeMib: 1 } })
  const { iago } = w.people
  const path = await begin(w, 10)
  await send(w, path, 0, bytesOf('abc'))
  const octets = { 'content-type': 'application/offset+octet-stream' }
  const table: [what: string, Promise<Response>, status: number][] = [
    ['another offset', send(w, path, 4, bytesOf('x')), 409],
    ['no offset', ask(w, 'PATCH', path, { headers: octets, body: bytesOf('x') }), 400],
    ['too much', send(w, path, 3, bytesOf('12345678')), 413],
    ['another version', ask(w, 'HEAD', path, { headers: { 'tus-resumable': '0.2.2' } }), 412],
    ['another type', ask(w, 'PATCH', path, { headers: { 'upload-offset': '3' }, body: bytesOf('x') }), 415],
    ["another's", send(w, path, 3, bytesOf('x'), iago), 404],
    ["another's to look at", ask(w, 'HEAD', path, { who: iago }), 404],
    ["another's to end", ask(w, 'DELETE', path, { who: iago }), 404],
    ['none', send(w, '/api/v1/tus/xyz', 0, bytesOf('x')), 404],
    ['no length', ask(w, 'POST', '/api/v1/tus'), 400],
    ['too large', ask(w, 'POST', '/api/v1/tus', { headers: { 'upload-length': String(MIB + 1) } }), 413],
    ['a negative length', ask(w, 'POST', '/api/v1/tus', { headers: { 'upload-length': '-1' } }), 400],
    ['no account', fetchAs(w, undefined, path, { method: 'HEAD', headers: version }), 401],
  ]
  for (const [what, asked, status] of table) {
    const response = await asked
    assert.equal(response.status, status, what)
    assert.equal(response.headers.get('tus-resumable'), '1.0.0', what)
  }
  // Of what was too much, what fitted is not kept beyond the end.
  assert.ok(Number(await offsetAt(w, path)) <= 10)
})

test('rejects one of two requests that continue the same upload', async () => {
  await using w = await world()
  const path = await begin(w, 600_000)
  const half = noise(300_000)
  const answers = await Promise.all([send(w, path, 0, half), send(w, path, 0, half)])
  assert.deepEqual(answers.map((one) => one.status).sort(), [204, 409])
  assert.equal(await offsetAt(w, path), '300000')
})

test('an upload that is terminated or idle for a day leaves nothing', async () => {
  await using w = await world()
  const ended = await begin(w, 1000)
  await send(w, ended, 0, noise(500))
  assert.equal((await ask(w, 'DELETE', ended)).status, 204)
  assert.equal((await ask(w, 'HEAD', ended)).status, 404)
  const path = await begin(w, 1000)
  await sweepNow(w, 20 * 3600)
  await send(w, path, 0, noise(500))
  await sweepNow(w, 20 * 3600)
  assert.equal(await offsetAt(w, path), '500')
  await sweepNow(w, 4 * 3600)
  assert.equal((await ask(w, 'HEAD', path)).status, 404)
  await sweepNow(w, 1)
  assert.deepEqual(await stored(w), { file: 0, upload: 0, blob: 0, blob_chunk: 0, dropped_blob: 0 })
})

test('limits unfinished uploads and counts them toward the quota', async () => {
  await using w = await world()
  await w.people.iago.api.patch('/realm', { upload_quota_mib: 1 })
  const path = await begin(w, MIB)
  await send(w, path, 0, noise(MIB - 10))
  const refused = await ask(w, 'POST', '/api/v1/tus', { headers: { 'upload-length': '11' } })
  assert.equal((await refused.json()).code, 'REALM_UPLOAD_QUOTA')
  for (let i = 1; i < 100; i++) await begin(w, 1)
  const many = await ask(w, 'POST', '/api/v1/tus', { headers: { 'upload-length': '1' } })
  assert.equal((await many.json()).msg, 'Too many unfinished uploads; at most 100 per user')
})

/** A PATCH without a body, as clients send it over the network: with its length. */
const sendNothing = (w: World, path: string, offset: number) =>
  ask(w, 'PATCH', path, {
    headers: {
      'upload-offset': String(offset),
      'content-type': 'application/offset+octet-stream',
      'content-length': '0',
    },
  })

test('finishes an upload whose last byte arrived before a crash when an empty PATCH comes', async () => {
  await using w = await world()
  const bytes = noise(100_000)
  const path = await begin(w, bytes.length, 'late.bin')
  const { hamlet } = w.people
  await receive(hamlet, await accessUpload(hamlet, path.split('/').at(-1)!), toStream(bytes))
  assert.equal(await offsetAt(w, path), String(bytes.length))
  const response = await sendNothing(w, path, bytes.length)
  assert.deepEqual([response.status, response.headers.get('upload-offset')], [200, String(bytes.length)])
  const { url } = await response.json()
  const whole = Buffer.from(await (await fetchAs(w, w.people.hamlet, url)).arrayBuffer())
  assert.ok(whole.equals(bytes))
  assert.equal((await ask(w, 'HEAD', path)).status, 404)
})

test('answers 204 to an empty PATCH in the middle of an upload', async () => {
  await using w = await world()
  const path = await begin(w, 20)
  assert.equal((await send(w, path, 0, bytesOf('ten bytes.'))).status, 204)
  const response = await sendNothing(w, path, 10)
  assert.deepEqual([response.status, response.headers.get('upload-offset')], [204, '10'])
  assert.equal((await sendNothing(w, path, 9)).status, 409)
  assert.equal((await send(w, path, 10, bytesOf('ten bytes.'))).status, 200)
})

async function* toStream(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** A server process on a database file; killed without warning. */
async function serve(file: string) {
  const script = fileURLToPath(new URL('./server-process.ts', import.meta.url))
  const child = fork(script, [file])
  const [ready] = (await once(child, 'message')) as [Ready]
  return {
    ready,
    async kill() {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

test('resumes an interrupted upload after the server was killed', async () => {
  using folder = new TemporaryFolder()
  const file = join(folder.path, 'chat.db')
  const bytes = noise(3 * MIB)
  const first = await serve(file)
  const { email, key } = first.ready
  const authorization = `Basic ${base64(`${email}:${key}`)}`
  const created = await fetch(`${first.ready.url}/api/v1/tus`, {
    method: 'POST',
    headers: { ...version, authorization, 'upload-length': String(bytes.length) },
  })
  const path = created.headers.get('location')!
  const patch = { 'content-type': 'application/offset+octet-stream', ...version, authorization }
  // Half of it, of a request that says it brings all.
  const broken = request(`${first.ready.url}${path}`, {
    method: 'PATCH',
    headers: { ...patch, 'upload-offset': '0', 'content-length': bytes.length },
  })
  broken.on('error', () => {})
  broken.write(bytes.subarray(0, 1.5 * MIB))
  const offset = async (url: string) => {
    const head = await fetch(`${url}${path}`, { method: 'HEAD', headers: { ...version, authorization } })
    assert.equal(head.status, 200)
    return Number(head.headers.get('upload-offset'))
  }
  await eventually('a MiB is stored', async () => (await offset(first.ready.url)) >= MIB)
  await first.kill()

  const second = await serve(file)
  try {
    const at = await offset(second.ready.url)
    assert.ok(at >= MIB && at < bytes.length, String(at))
    const rest = await fetch(`${second.ready.url}${path}`, {
      method: 'PATCH',
      headers: { ...patch, 'upload-offset': String(at) },
      body: bytes.slice(at),
    })
    assert.equal(rest.status, 200)
    const { url } = (await rest.json()) as { url: string }
    const whole = await fetch(second.ready.url + url, { headers: { authorization } })
    assert.ok(Buffer.from(await whole.arrayBuffer()).equals(bytes))
  } finally {
    await second.kill()
  }
})
