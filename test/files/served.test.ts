import assert from 'node:assert/strict'
import test from 'node:test'
import { world } from '../../src/testing/index.ts'
import { bytesOf, fetchAs, noise, statusFor, stored, sweepNow, upload } from './files.ts'

const shown = ['x.png', 'x.jpg', 'x.gif', 'x.webp', 'x.avif', 'x.mp3', 'x.mp4', 'x.webm', 'x.pdf', 'x.txt']
const saved = ['x.svg', 'x.html', 'x.xml', 'x.js', 'x.zip', 'x', 'x.xhtml', 'x.css']

test('displays only safe types and downloads everything else untyped', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const headersOf = async (name: string) =>
    (await fetchAs(w, hamlet, await upload(hamlet, bytesOf('<b>'), name))).headers
  for (const name of [...shown, ...saved]) {
    const headers = await headersOf(name)
    const inline = shown.includes(name)
    assert.match(headers.get('content-disposition')!, inline ? /^inline$/ : /^attachment; filename="x/, name)
    assert.equal(headers.get('content-type') === 'application/octet-stream', !inline, name)
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.equal(headers.get('content-security-policy'), "default-src 'none'; sandbox")
    assert.match(headers.get('cache-control')!, /private/)
  }
})

test('ignores the content type given by the uploader', async () => {
  await using w = await world()
  const { hamlet } = w.people
  for (const type of ['text/html', 'image/svg+xml', 'text/html\r\nx: y', 'x'.repeat(500), 'application/xhtml+xml']) {
    const body = new FormData()
    body.append('f', new Blob(['<script>'], { type }), 'x.png')
    const { url } = await (await fetchAs(w, hamlet, '/api/v1/user_uploads', { method: 'POST', body })).json()
    const { headers } = await fetchAs(w, hamlet, url)
    assert.match(headers.get('content-type')!, /^(application\/octet-stream|image\/png)$/)
  }
})

test('downloads a file under its own name', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const url = await upload(hamlet, bytesOf('x'), 'é "1".png')
  const path = encodeURI(url.replace('/user_uploads/', '/user_uploads/download/'))
  const { status, headers } = await fetchAs(w, hamlet, path)
  assert.deepEqual(
    [status, headers.get('content-disposition')],
    [200, `attachment; filename="_ _1_.png"; filename*=UTF-8''%C3%A9%20%221%22.png`],
  )
})

test('serves ranges and answers 304 for cached files', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const bytes = noise(700_000)
  const url = await upload(hamlet, bytes, 'x.mp4')
  const get = (headers: Record<string, string>) => fetchAs(w, hamlet, url, { headers })
  for (const [range, start, end] of [
    ['bytes=0-0', 0, 1],
    ['bytes=262143-262144', 262_143, 262_145],
    ['bytes=600000-', 600_000, 700_000],
    ['bytes=-5', 699_995, 700_000],
  ] as const) {
    const response = await get({ range })
    assert.deepEqual(
      [response.status, response.headers.get('content-range')],
      [206, `bytes ${start}-${end - 1}/700000`],
    )
    assert.ok(Buffer.from(await response.arrayBuffer()).equals(bytes.subarray(start, end)), range)
  }
  assert.equal((await get({ range: 'bytes=700000-' })).status, 416)
  const etag = (await get({})).headers.get('etag')!
  assert.equal((await get({ 'if-none-match': etag })).status, 304)
  const head = await fetchAs(w, hamlet, url, { method: 'HEAD' })
  assert.deepEqual([head.status, head.headers.get('content-length')], [200, '700000'])
})

test('a temporary URL works without credentials for one file for a minute', async () => {
  await using w = await world()
  const { hamlet, iago } = w.people
  const path = await upload(hamlet, bytesOf('secret'), 'ein Brief é.txt')
  const other = await upload(hamlet, bytesOf('other'), 'other.txt')
  const { url, ...rest } = await hamlet.api.get(encodeURI(path))
  assert.deepEqual(rest, { status: 200, result: 'success', msg: '' })
  assert.match(url, /^\/user_uploads\/temporary\/[\w.-]+\/ein-Brief-%C3%A9\.txt$/)
  const response = await fetchAs(w, undefined, url)
  assert.deepEqual([response.status, await response.text()], [200, 'secret'])
  const token = url.split('/')[3]!
  for (let i = 0; i < token.length; i++) {
    const changed = `${token.slice(0, i)}${token[i] === 'A' ? 'B' : 'A'}${token.slice(i + 1)}`
    assert.equal(await statusFor(w, undefined, url.replace(token, changed)), 403, `character ${i}`)
  }
  for (const wrong of ['x', `${token}.`, `${token}A`, token.slice(0, -1), '..', '...']) {
    assert.notEqual(await statusFor(w, undefined, url.replace(token, encodeURIComponent(wrong))), 200)
  }
  assert.equal(await statusFor(w, undefined, url.replace(/[^/]+$/, other.split('/').at(-1)!)), 403)
  assert.equal((await iago.api.get(encodeURI(path))).status, 403)
  w.clock.advance(60_000)
  assert.equal(await statusFor(w, undefined, url), 200)
  w.clock.advance(1000)
  assert.equal(await statusFor(w, undefined, url), 403)
})

test('returns 404 for missing files and reaches nothing outside', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const path = await upload(hamlet)
  for (const wrong of [
    `${path}x`,
    `${path}/..`,
    path.replace('/1/', '/2/'),
    '/user_uploads/1/..%2f..%2fx',
    '/user_uploads/1/%2e%2e/%2e%2e/chat.db',
    '/user_uploads/1/x%00.png',
    '/user_uploads/1/%ff',
    '/user_uploads/1/%25',
    `/user_uploads/1/${'x'.repeat(10_000)}`,
    '/user_uploads/1',
    '/user_uploads/1/',
  ]) {
    const status = await statusFor(w, hamlet, wrong)
    assert.ok(status === 404 || status === 400, `${status} for ${wrong}`)
  }
  assert.equal(await statusFor(w, undefined, path), 401)
})

test('a deleted file disappears immediately, and its bytes once no reads remain', async () => {
  await using w = await world()
  const { hamlet, iago } = w.people
  const path = await upload(hamlet, noise(3_000_000))
  const reading = await fetchAs(w, hamlet, path)
  const { attachments } = await hamlet.api.get('/attachments')
  const [{ id }] = attachments
  assert.equal((await iago.api.delete(`/attachments/${id}`)).msg, 'Invalid attachment')
  assert.equal((await hamlet.api.delete(`/attachments/${id}`)).status, 200)
  assert.equal((await hamlet.api.delete(`/attachments/${id}`)).msg, 'Invalid attachment')
  assert.equal(await statusFor(w, hamlet, path), 404)
  await sweepNow(w, 600)
  assert.equal((await reading.arrayBuffer()).byteLength, 3_000_000)
  await sweepNow(w, 600)
  assert.deepEqual(await stored(w), { file: 0, upload: 0, blob: 0, blob_chunk: 0, dropped_blob: 0 })
})
