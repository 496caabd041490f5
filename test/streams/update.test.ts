import assert from 'node:assert/strict'
import test from 'node:test'
import { world } from '../../src/testing/index.ts'

test('explains an invalid change and changes nothing', async () => {
  await using w = await world({ streams: { verona: {}, venice: {}, secret: { private: true } } })
  const { iago } = w.people
  const idOf = async (stream: string) => (await iago.api.get('/get_stream_id', { stream })).stream_id as number
  const [verona, secret] = [await idOf('verona'), await idOf('secret')]
  const before = (await iago.api.get('/streams')).streams
  const refusals: readonly (readonly [stream_id: number, change: Readonly<Record<string, unknown>>, msg: string])[] = [
    [verona, { new_name: 'verona' }, 'Stream already has that name!'],
    [verona, { new_name: 'Venice' }, 'Stream name already in use!'],
    [verona, { is_private: true, is_default_stream: true }, 'Private streams cannot be made default.'],
    [secret, { is_default_stream: true }, 'Private streams cannot be made default.'],
    [verona, { is_private: true, is_web_public: true }, 'Invalid parameters'],
    [verona, { is_web_public: true }, 'Web-public channels are not enabled.'],
  ]
  for (const [stream_id, change, sentence] of refusals) {
    const { status, msg } = await iago.api.patch(`/streams/${stream_id}`, change)
    assert.deepEqual([status, msg], [400, sentence], JSON.stringify(change))
  }
  assert.deepEqual((await iago.api.get('/streams')).streams, before)
})

test("a stream can change the case of its name and take an archived stream's name", async () => {
  await using w = await world({ streams: { verona: {}, venice: {} } })
  const { iago } = w.people
  const idOf = async (stream: string) => (await iago.api.get('/get_stream_id', { stream })).stream_id as number
  const verona = await idOf('verona')
  assert.equal((await iago.api.patch(`/streams/${verona}`, { new_name: 'Verona' })).status, 200)
  assert.equal((await iago.api.delete(`/streams/${await idOf('venice')}`)).status, 200)
  assert.equal((await iago.api.patch(`/streams/${verona}`, { new_name: 'venice' })).status, 200)
  assert.equal(await idOf('venice'), verona)
})

test('understands the older posting policies', async () => {
  await using w = await world({ streams: { verona: { members: ['iago', 'hamlet'] } } })
  const { iago, hamlet } = w.people
  const { stream_id } = await iago.api.get('/get_stream_id', { stream: 'verona' })
  const set = async (change: Readonly<Record<string, unknown>>) =>
    assert.equal((await iago.api.patch(`/streams/${stream_id}`, change)).status, 200)
  const mayPost = async () =>
    (await hamlet.api.post('/messages', { type: 'stream', to: 'verona', topic: 't', content: 'c' })).status === 200
  await set({ is_announcement_only: true })
  assert.equal(await mayPost(), false)
  await set({ is_announcement_only: false })
  assert.equal(await mayPost(), true)
  await set({ stream_post_policy: 4 })
  assert.equal(await mayPost(), false)
  await set({ stream_post_policy: 1 })
  assert.equal(await mayPost(), true)
})
