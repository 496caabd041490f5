import assert from 'node:assert/strict'
import test from 'node:test'
import { storeOf } from '../../src/core/kernel/store.ts'
import { createApp } from '../../src/http/app.ts'
import { type Person, type World, world } from '../../src/testing/index.ts'

const APNS = '/users/me/apns_device_token'
const GCM = '/users/me/android_gcm_reg_id'
const paths = [APNS, GCM]
const refused = 'Empty or invalid length token'

const storedTokens = async ({ chat }: World) =>
  (await storeOf(chat).db.selectFrom('push_token').select('token').orderBy('id').execute()).map(({ token }) => token)
const add = ({ api }: Person, path: string, token: string) =>
  api.post(path, { token, ...(path === APNS && { appid: 'org.example.app' }) })

test('registers and removes devices without sending them anything', async () => {
  await using w = await world()
  const { hamlet, cordelia } = w.people
  for (const path of paths) {
    for (const _ of [1, 2]) assert.equal((await add(hamlet, path, 'abcdef12')).msg, '')
    assert.equal((await cordelia.api.delete(path, { token: 'abcdef12' })).msg, 'Token does not exist')
  }
  assert.deepEqual(await storedTokens(w), ['abcdef12', 'abcdef12'])
  const check = (token?: string) => hamlet.api.post('/mobile_push/test_notification', { token })
  assert.equal((await check('other')).code, 'INVALID_PUSH_DEVICE_TOKEN')
  assert.equal((await check('abcdef12')).msg, "This server doesn't send mobile push notifications.")
  assert.equal((await check()).status, 200)
  for (const path of paths) {
    assert.equal((await hamlet.api.delete(path, { token: 'abcdef12' })).msg, '')
    assert.equal((await hamlet.api.delete(path, { token: 'abcdef12' })).msg, 'Token does not exist')
  }
  assert.deepEqual(await storedTokens(w), [])
})

test("a push token is any text of 1 to 4,096 characters, and Apple's are hexadecimal digits", async () => {
  await using w = await world()
  const { hamlet } = w.people
  const texts = ['x', 'x'.repeat(4096), 'ü'.repeat(4096), 'cN:APA91b-_~/+= é', ' ', 'null', '123', '"12"', '{"a":1}']
  for (const path of paths) {
    const accepted = path === APNS ? ['00', 'abCD'.repeat(16), '0'.repeat(4096)] : texts
    for (const token of accepted) assert.equal((await add(hamlet, path, token)).msg, '', `${path} ${token.slice(0, 9)}`)
    assert.deepEqual(await storedTokens(w), accepted)
    for (const token of ['', 'x'.repeat(4097), 'ü'.repeat(4097)]) {
      const answers = [await add(hamlet, path, token), await hamlet.api.delete(path, { token })]
      for (const { status, code, msg } of answers) assert.deepEqual([status, code, msg], [400, 'BAD_REQUEST', refused])
    }
    for (const token of accepted) assert.equal((await hamlet.api.delete(path, { token })).msg, '')
    assert.equal((await hamlet.api.post(path, { appid: 'org.example.app' })).msg, "Missing 'token' argument")
  }
  assert.equal((await hamlet.api.post(APNS, { token: 'ab' })).msg, "Missing 'appid' argument")
  for (const token of ['x', 'abc', 'ab cd']) assert.equal((await add(hamlet, APNS, token)).msg, 'Invalid APNS token')
  assert.deepEqual(await storedTokens(w), [])
})

test('takes a push token from the query, and from a body in each form', async () => {
  await using w = await world()
  const { authorization } = w.people.hamlet
  const app = createApp({ chat: w.chat, rateLimit: false })
  const fields = { token: 'abcdef12', appid: 'org.example.app' }
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  const json = JSON.stringify(fields)
  const bodies: RequestInit[] = [
    { body: new URLSearchParams(fields) },
    { body: form },
    { body: json, headers: { 'content-type': 'application/json' } },
  ]
  for (const path of paths) {
    for (const method of ['POST', 'DELETE']) {
      const url = `http://localhost/api/v1${path}`
      for (const { body, headers } of bodies) {
        const init = { method, body: body!, headers: { ...(headers as object), authorization } }
        const { status } = await app.fetch(new Request(url, init))
        assert.equal(status, 200, `${method} ${path}`)
        assert.deepEqual(await storedTokens(w), method === 'POST' ? [fields.token] : [])
        // Each form starts from the same state.
        if (method === 'DELETE') await add(w.people.hamlet, path, fields.token)
      }
      const query = `${url}?${new URLSearchParams(fields)}`
      assert.equal((await app.fetch(new Request(query, { method, headers: { authorization } }))).status, 200)
    }
  }
})

test('a device that is registered already counts once in the limit', async () => {
  await using w = await world()
  const { hamlet } = w.people
  for (let i = 0; i < 100; i++) assert.equal((await add(hamlet, GCM, `device ${i}`)).msg, '')
  assert.equal((await add(hamlet, GCM, 'device 0')).msg, '')
  for (const path of paths) {
    assert.equal((await add(hamlet, path, 'abcdef')).msg, 'You can register at most 100 devices.')
  }
  assert.equal((await storedTokens(w)).length, 100)
})
