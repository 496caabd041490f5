import assert from 'node:assert/strict'
import test from 'node:test'
import { botProfile } from '../../src/core/bots/profiles/profile.ts'
import { apiOf, world } from '../../src/testing/index.ts'

const hook = { full_name: 'Yorick', short_name: 'yorick', bot_type: 3, payload_url: 'https://example.com/a' }

test("changes a bot service's URL and format independently", async () => {
  await using w = await world()
  const { hamlet } = w.people
  const { user_id } = await hamlet.api.post('/bots', hook)
  const change = async (to: Readonly<Record<string, unknown>>) => {
    const { status, service_payload_url, service_interface } = await hamlet.api.patch(`/bots/${user_id}`, to)
    return [status, service_payload_url, service_interface]
  }
  assert.deepEqual(await change({ service_interface: 2 }), [200, 'https://example.com/a', 2])
  assert.deepEqual(await change({ service_payload_url: 'https://example.com/b' }), [200, 'https://example.com/b', 2])
  assert.deepEqual(await change({ service_payload_url: 'https://example.com/c', service_interface: 1 }), [
    200,
    'https://example.com/c',
    1,
  ])
  const empty = await hamlet.api.patch(`/bots/${user_id}`, { service_payload_url: '' })
  assert.deepEqual([empty.status, empty.msg], [400, 'service_payload_url is not a URL'])
})

test('rejects service settings for a bot without a service', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const { user_id } = await hamlet.api.post('/bots', { full_name: 'Skull', short_name: 'skull' })
  const { status, msg } = await hamlet.api.patch(`/bots/${user_id}`, { service_interface: 2 })
  assert.deepEqual([status, msg], [400, 'Invalid bot type'])
})

test('a bot can list the streams its owner subscribes to', async () => {
  await using w = await world({ streams: { verona: { private: true, members: ['hamlet'] } } })
  const { hamlet } = w.people
  const { user_id, api_key } = await hamlet.api.post('/bots', { full_name: 'Skull', short_name: 'skull' })
  assert.ok(user_id)

  const bot = apiOf(w.chat, { email: 'skull-bot@localhost', key: api_key })
  const names = async (params: Readonly<Record<string, unknown>>) =>
    (await bot.get('/streams', params)).streams.map((stream: { name: string }) => stream.name)
  const none = { include_public: false, include_subscribed: false }
  assert.deepEqual(await names(none), [])
  assert.deepEqual(await names({ ...none, include_owner_subscribed: true }), ['general', 'verona'])
})

test("a bot's configured streams follow renames, and its owner is notified", async () => {
  await using w = await world({ streams: { builds: { members: ['hamlet'] } } })
  const { hamlet, iago } = w.people
  const streams = { default_sending_stream: 'builds', default_events_register_stream: 'builds' }
  const config_data = { filter_stream: 'Builds', filter_topic: 'main' }
  const { user_id } = await hamlet.api.post('/bots', { ...hook, ...streams, config_data })
  await hamlet.api.post('/bots', { full_name: 'Skull', short_name: 'skull', default_sending_stream: 'general' })
  const { queue_id } = await hamlet.api.post('/register', { event_types: ['realm_bot'] })
  const { stream_id } = await iago.api.get('/get_stream_id', { stream: 'builds' })
  await iago.api.patch(`/streams/${stream_id}`, { new_name: 'ci' })
  const { bots } = await hamlet.api.get('/bots')
  const names = bots.map((bot: typeof streams) => [bot.default_sending_stream, bot.default_events_register_stream])
  assert.deepEqual(names, [
    ['ci', 'ci'],
    ['general', null],
  ])
  const { events } = await hamlet.api.get('/events', { queue_id, last_event_id: -1, dont_block: true })
  assert.deepEqual(
    events.map(({ bot }: { bot: object }) => bot),
    [
      { user_id, default_sending_stream: 'ci' },
      { user_id, default_events_register_stream: 'ci' },
    ],
  )
  assert.deepEqual((await botProfile(hamlet, user_id)).config_data, { filter_stream: 'ci', filter_topic: 'main' })
})
