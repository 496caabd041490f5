import assert from 'node:assert/strict'
import test from 'node:test'
import sharp from 'sharp'
import { createApp } from '../../src/http/index.ts'
import { apiOf, world } from '../../src/testing/index.ts'

test('serves the static files register refers to without sign-in', async () => {
  await using w = await world()
  const app = createApp({ chat: w.chat })
  const state = await w.people.hamlet.api.post('/register', { fetch_event_types: ['realm'] })
  const settings = await apiOf(w.chat).get('/server_settings')

  const data = await app.fetch(new Request(state.server_emoji_data_url))
  assert.equal(data.status, 200)
  const { code_to_names } = (await data.json()) as { code_to_names: Record<string, string[]> }
  assert.equal(code_to_names['1f642']?.[0], 'smile')
  assert.ok(Object.keys(code_to_names).length > 1500)

  assert.equal(settings.realm_icon, state.realm_icon_url)
  for (const path of [state.realm_icon_url, state.realm_logo_url, state.realm_night_logo_url]) {
    for (const [url, pixels] of [
      [path, 100],
      [path.replace('.png', '-medium.png'), 500],
    ] as const) {
      const picture = await app.fetch(new Request(new URL(url, 'http://localhost')))
      assert.deepEqual([picture.status, picture.headers.get('content-type')], [200, 'image/png'], url)
      assert.match(picture.headers.get('content-security-policy') ?? '', /sandbox/)
      const etag = picture.headers.get('etag') ?? ''
      const { data, info } = await sharp(await picture.arrayBuffer())
        .raw()
        .toBuffer({ resolveWithObject: true })
      assert.deepEqual([info.width, info.height, info.channels], [pixels, pixels, 4], url)
      const colorAt = (x: number, y: number) => {
        const start = ((y * pixels) / 100) * pixels + (x * pixels) / 100
        return data.subarray(start * 4, start * 4 + 4).join()
      }
      const [outside, tile, bubble, tail] = [colorAt(0, 0), colorAt(10, 50), colorAt(50, 50), colorAt(34, 74)]
      assert.match(outside, /,0$/, 'the corners are transparent')
      assert.match(tile, /,255$/)
      assert.equal(tail, bubble)
      assert.notEqual(tile, bubble)
      const again = await app.fetch(
        new Request(new URL(url, 'http://localhost'), { headers: { 'if-none-match': etag } }),
      )
      assert.equal(again.status, 304)
    }
  }
  const none = await app.fetch(new Request('http://localhost/static/organization/banner.png'))
  assert.equal(none.status, 404)
  const wrong = await app.fetch(new Request(state.server_emoji_data_url, { method: 'POST' }))
  assert.equal(wrong.status, 405)
})
