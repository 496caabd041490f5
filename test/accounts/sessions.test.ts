import assert from 'node:assert/strict'
import test from 'node:test'
import { keyUseOf } from '../../src/core/accounts/key-use.ts'
import { authenticateByKey } from '../../src/core/accounts/keys.ts'
import { beginSession } from '../../src/core/accounts/sessions.ts'
import { contextOf } from '../../src/core/kernel/context.ts'
import { storeOf } from '../../src/core/kernel/store.ts'
import { authenticate } from '../../src/index.ts'
import { apiOf, testServer, type World, world } from '../../src/testing/index.ts'

const begin = async ({ chat, people: { hamlet } }: World, address?: string): Promise<string> => {
  const visitor = contextOf(chat, address === undefined ? {} : { address })
  const { api_key } = await beginSession(visitor, { username: hamlet.email, password: hamlet.password, name: 'Phone' })
  return api_key!
}
const listed = async ({ people: { hamlet } }: World) => {
  const { api_keys } = await hamlet.api.get('/users/me/api_keys')
  return api_keys.find(({ name }: { name: string }) => name === 'Phone')
}

test('lists where a session began, and then where it was last used', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const key = await begin(w, '192.0.2.7')
  const { last_address, last_used_at } = await listed(w)
  assert.deepEqual([last_address, last_used_at], ['192.0.2.7', null])
  w.clock.advance(1000)
  await authenticateByKey(w.chat, key, '203.0.113.9')
  assert.deepEqual(
    [(await listed(w)).last_address, (await listed(w)).last_used_at],
    ['203.0.113.9', w.clock.now() / 1000],
  )
  // A use inside the process has no address.
  await authenticateByKey(w.chat, key)
  assert.equal((await listed(w)).last_address, '203.0.113.9')
  await keyUseOf(w.chat).flush()
  assert.equal((await listed(w)).last_address, '203.0.113.9')
  w.clock.advance(1000)
  await authenticate(w.chat, hamlet.email, key)
  await keyUseOf(w.chat).flush()
  const after = await listed(w)
  assert.deepEqual([after.last_address, after.last_used_at], ['203.0.113.9', w.clock.now() / 1000])
})

test('a request over the network has the address of its client', async () => {
  await using server = await testServer()
  const { hamlet } = server.people
  const answer = await fetch(`${server.url}/api/v1/users/me/api_keys`, {
    headers: { authorization: `Basic ${btoa(`${hamlet.email}:${hamlet.key}`)}`, 'x-forwarded-for': '198.51.100.1' },
  })
  const { api_keys } = (await answer.json()) as { api_keys: { last_address: string; current: boolean }[] }
  assert.match(api_keys.find(({ current }) => current)!.last_address, /^(::ffff:)?127\.0\.0\.1$|^::1$/)
})

test('signing out everywhere leaves only the session of the request', async () => {
  await using w = await world()
  const { hamlet, cordelia } = w.people
  const phone = await begin(w)
  await hamlet.api.post('/users/me/android_gcm_reg_id', { token: 'telephone' })
  await hamlet.api.post('/register_client_device')
  const stolen = apiOf(w.chat, { email: hamlet.email, key: phone })
  const { queue_id } = await stolen.post('/register', {})
  assert.equal((await hamlet.api.delete('/users/me/api_keys')).revoked, 1)
  assert.equal((await stolen.get('/users/me')).code, 'INVALID_API_KEY')
  const events = { queue_id, last_event_id: -1, dont_block: true }
  assert.equal((await hamlet.api.get('/events', events)).code, 'BAD_EVENT_QUEUE_ID')
  for (const table of ['push_token', 'device'] as const)
    assert.deepEqual(await storeOf(w.chat).db.selectFrom(table).select('id').execute(), [], table)
  assert.equal((await hamlet.api.get('/users/me')).status, 200)
  assert.equal((await cordelia.api.get('/users/me')).status, 200)
  assert.equal((await hamlet.api.delete('/users/me/api_keys')).revoked, 0)
})

test('signing out everywhere ends a sign-in that waits for a code', async () => {
  await using w = await world()
  const { hamlet } = w.people
  await w.people.iago.write(({ db }) =>
    db
      .insertInto('sign_in_ticket')
      .values({ user_id: hamlet.id, digest: 'x', session_name: 'Phone', expires_at: 2 ** 31, wrong_codes: 0 })
      .execute(),
  )
  await hamlet.api.delete('/users/me/api_keys')
  assert.deepEqual(await storeOf(w.chat).db.selectFrom('sign_in_ticket').select('id').execute(), [])
})
