import assert from 'node:assert/strict'
import { onBothTargets, ownerOf } from './targets.ts'

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

onBothTargets('an uploaded emoji comes back with its bytes and safe headers', {}, async ({ server, ask }) => {
  const { authorization } = await ownerOf(server)
  const body = new FormData()
  body.append('filename', new Blob([png]), 'evil.html')
  const uploaded = await ask('/realm/emoji/green_tick', { method: 'POST', headers: { authorization }, body })
  assert.deepEqual([uploaded.status, uploaded.body], [200, { result: 'success', msg: '' }])
  const { emoji } = (await ask('/realm/emoji', { headers: { authorization } })).body
  const [{ source_url }] = Object.values<{ source_url: string }>(emoji) as [{ source_url: string }]

  for (const fetching of [
    (init?: RequestInit) => fetch(server.url + source_url, init),
    (init?: RequestInit) => server.fetch(source_url, init),
  ]) {
    const image = await fetching()
    assert.equal(image.status, 200)
    assert.deepEqual(Buffer.from(await image.arrayBuffer()), png)
    const expected = {
      'content-type': 'image/png',
      'content-length': String(png.length),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'public, max-age=31536000, immutable',
    }
    for (const [name, value] of Object.entries(expected)) assert.equal(image.headers.get(name), value)
    const again = await fetching({ headers: { 'if-none-match': image.headers.get('etag')! } })
    assert.equal(again.status, 304)
    assert.equal((await fetching({ method: 'HEAD' })).status, 200)
    assert.equal((await fetching({ method: 'POST' })).status, 405)
  }
  assert.equal((await ask(`/${source_url.replace(/\d+\.png$/, '99.png')}`)).status, 404)
  assert.equal((await ask(`/${source_url.replace(/\d+\.png$/, '..%2Fx')}`)).status, 404)
})
