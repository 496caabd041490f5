import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actAs, register } from '../../src/index.ts'
import { world } from '../../src/testing/world.ts'
import { listen } from '../messages/listen.ts'

const unregistered = {
  push_key_id: null,
  push_token_id: null,
  pending_push_token_id: null,
  push_token_last_updated_timestamp: null,
  push_registration_error_code: null,
}

test('registers and removes devices, known to their owner alone', async () => {
  await using w = await world()
  const { hamlet, iago } = w.people
  const received = await listen(hamlet, ['device'])
  const devices = async (who = hamlet) => (await who.api.post('/register', { fetch_event_types: ['device'] })).devices
  assert.deepEqual(await devices(), {})
  const { device_id: first } = await hamlet.api.post('/register_client_device')
  const { device_id: second } = await hamlet.api.post('/register_client_device')
  assert.notEqual(first, second)
  assert.deepEqual(await devices(), { [first]: unregistered, [second]: unregistered })
  assert.deepEqual(await devices(iago), {})
  for (const device_id of [first, 999_999]) {
    const { status, msg } = await iago.api.post('/remove_client_device', { device_id })
    assert.deepEqual([status, msg], [400, 'Invalid device ID'])
  }
  assert.equal((await hamlet.api.post('/remove_client_device', { device_id: first })).status, 200)
  assert.deepEqual(await devices(), { [second]: unregistered })
  assert.deepEqual(await received(), [
    { type: 'device', op: 'add', device_id: first },
    { type: 'device', op: 'add', device_id: second },
    { type: 'device', op: 'remove', device_id: first },
  ])
})

test('forgets devices with a new API key, and the oldest of very many', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const ids: number[] = []
  for (let i = 0; i < 101; i++) ids.push((await hamlet.api.post('/register_client_device')).device_id)
  const { devices } = await hamlet.api.post('/register', { fetch_event_types: ['device'] })
  assert.deepEqual(Object.keys(devices).map(Number), ids.slice(1))
  await hamlet.api.post('/users/me/api_key/regenerate')
  const again = await register(await actAs(w.chat, { user_id: hamlet.id }), { fetch_event_types: ['device'] })
  assert.deepEqual(again.devices, {})
})

test('answers registrations for push notifications without a push service', async () => {
  await using w = await world()
  for (const path of ['/mobile_push/register', '/mobile_push/e2ee/test_notification']) {
    const { status, code } = await w.hamlet.api.post(path, { device_id: 1 })
    assert.deepEqual([status, code], [400, 'PUSH_SERVICE_NOT_CONFIGURED'])
  }
})

test('says how long a queue waits for its reader', async () => {
  await using w = await world()
  const asked = async (more: object) =>
    (await w.hamlet.api.post('/register', { event_types: [], ...more })).idle_queue_timeout_secs
  assert.equal(await asked({}), 600)
  assert.equal(await asked({ idle_queue_timeout: 60 }), 60)
  assert.equal(await asked({ idle_queue_timeout: '"mobile"' }), 43_200)
  assert.equal(await asked({ idle_queue_timeout: 1e9 }), 604_800)
})
