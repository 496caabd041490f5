import assert from 'node:assert/strict'
import test from 'node:test'
import { world } from '../../src/testing/index.ts'
import { verifyEvents } from '../../src/testing/verify-events.ts'
import { listen } from '../messages/listen.ts'

const account = { email: 'ophelia@example.com', full_name: 'Ophelia', password: 'correct horse' }
const signIn = { username: account.email, password: account.password }
const DAY = 86_400_000

test('an account that an administrator created joins with its first sign-in', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  const { user_id } = await iago.api.post('/users', account)
  const joined = async () => Date.parse((await hamlet.api.get(`/users/${user_id}`)).user.date_joined)
  const created = await joined()
  w.clock.advance(3 * DAY)
  assert.equal((await hamlet.api.post('/fetch_api_key', { ...signIn, password: 'wrong horse' })).status, 401)
  assert.equal(await joined(), created)
  const received = await listen(hamlet, ['realm_user'])
  await verifyEvents([hamlet, iago], async () => {
    assert.equal((await hamlet.api.post('/fetch_api_key', signIn)).status, 200)
  })
  assert.equal(await joined(), created + 3 * DAY)
  const { date_joined } = (await hamlet.api.get(`/users/${user_id}`)).user
  assert.deepEqual(await received(), [{ type: 'realm_user', op: 'update', person: { user_id, date_joined } }])
  w.clock.advance(DAY)
  const later = await listen(hamlet, ['realm_user'])
  await hamlet.api.post('/fetch_api_key', signIn)
  assert.equal(await joined(), created + 3 * DAY)
  assert.deepEqual(await later(), [])
})

test('the waiting period for full members begins with the first sign-in', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  await iago.api.patch('/realm', { waiting_period_threshold: 2 })
  const { user_id } = await iago.api.post('/users', account)
  const isFull = async () => {
    const { user_groups } = await hamlet.api.get('/user_groups')
    return user_groups.find(({ name }: { name: string }) => name === 'role:fullmembers').members.includes(user_id)
  }
  w.clock.advance(3 * DAY)
  assert.equal(await isFull(), true)
  await verifyEvents([hamlet], () => hamlet.api.post('/fetch_api_key', signIn))
  assert.equal(await isFull(), false)
  w.clock.advance(3 * DAY)
  assert.equal(await isFull(), true)
})
