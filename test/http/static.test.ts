import assert from 'node:assert/strict'
import test from 'node:test'
import { createApp } from '../../src/http/index.ts'
import { apiOf, world } from '../../src/testing/index.ts'

test('what register refers clients to is there, without signing in', async () => {
  await using w = await world()
  const app = createApp({ chat: w.chat })
  const state = await w.people.hamlet.api.post('/register', { fetch_event_types: ['realm'] })
  const settings = await apiOf(w.chat).get('/server_settings')

  const data = await app.fetch(new Request(state.server_emoji_data_url))
  assert.equal(data.status, 200)
  const { code_to_names } = (await data.json()) as { code_to_names: Record<string, string[]> }
  assert.equal(code_to_names['1f642']?.[0], 'smile')
  assert.ok(Object.keys(code_to_names).length > 1500)

  for (const path of [state.realm_icon_url, state.realm_logo_url, settings.realm_icon]) {
    const icon = await app.fetch(new Request(new URL(path, 'http://localhost')))
    assert.deepEqual([icon.status, icon.headers.get('content-type')], [200, 'image/svg+xml'])
    assert.match(icon.headers.get('content-security-policy') ?? '', /sandbox/)
  }
  const wrong = await app.fetch(new Request(state.server_emoji_data_url, { method: 'POST' }))
  assert.equal(wrong.status, 405)
})
