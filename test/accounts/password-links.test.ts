import assert from 'node:assert/strict'
import test from 'node:test'
import { storeOf } from '../../src/core/kernel/store.ts'
import { createApp } from '../../src/http/index.ts'
import { issuePasswordLink, setPassword } from '../../src/index.ts'
import { apiOf, type World, world } from '../../src/testing/index.ts'

const DAY_MS = 24 * 3600 * 1000

async function linkFor(w: World): Promise<string> {
  const { iago, hamlet } = w.people
  const { path } = await iago.write((tx) => issuePasswordLink(tx, hamlet.id))
  return new URL(path, 'http://x').searchParams.get('token')!
}
const check = (w: World, token: string) => apiOf(w.chat).get('/password_link', { token })
const use = (w: World, token: string, password = 'another horse') =>
  apiOf(w.chat).post('/password_link', { token, password })

test("a link shows its account, sets a password once and revokes the account's keys", async () => {
  await using w = await world()
  const { hamlet, cordelia } = w.people
  const token = await linkFor(w)
  const { email, full_name, expires_at } = await check(w, token)
  assert.deepEqual([email, full_name, expires_at * 1000], [hamlet.email, 'hamlet', w.clock.now() + DAY_MS])
  assert.equal((await hamlet.api.get('/users/me')).status, 200)
  assert.deepEqual((await use(w, token)).email, hamlet.email)
  assert.equal((await hamlet.api.get('/users/me')).status, 401)
  assert.equal((await cordelia.api.get('/users/me')).status, 200)
  const signIn = (password: string) => apiOf(w.chat).post('/fetch_api_key', { username: hamlet.email, password })
  assert.deepEqual([(await signIn('another horse')).status, (await signIn(hamlet.password)).status], [200, 401])
  for (const ask of [check, use]) assert.equal((await ask(w, token)).code, 'BAD_PASSWORD_LINK')
})

test('only one of two simultaneous uses sets the password', async () => {
  await using w = await world()
  const token = await linkFor(w)
  const codes = (await Promise.all([use(w, token, 'first horse'), use(w, token, 'second horse')])).map(
    (each) => each.code,
  )
  assert.deepEqual(codes.sort(), ['BAD_PASSWORD_LINK', undefined].sort())
})

test('a link expires after a day, with a newer link and with a password change', async () => {
  await using w = await world()
  const { hamlet, iago } = w.people
  const ended = async (token: string) => (await check(w, token)).code === 'BAD_PASSWORD_LINK'
  const old = await linkFor(w)
  w.clock.advance(DAY_MS - 1000)
  assert.equal(await ended(old), false)
  w.clock.advance(1000)
  assert.equal(await ended(old), true)

  const first = await linkFor(w)
  const second = await linkFor(w)
  assert.deepEqual([await ended(first), await ended(second)], [true, false])

  const change = { old_password: hamlet.password, new_password: 'another horse' }
  assert.equal((await hamlet.api.patch('/settings', change)).status, 200)
  assert.equal(await ended(second), true)
  const third = await linkFor(w)
  await iago.write((tx) => setPassword(tx, hamlet.id, 'scrypt$4$x$x'))
  assert.equal(await ended(third), true)
})

test('keeps the link when the password is too short, and rejects deactivated accounts', async () => {
  await using w = await world()
  const token = await linkFor(w)
  assert.match((await use(w, token, '123')).msg, /at least 6 characters/)
  await w.people.iago.api.delete(`/users/${w.people.hamlet.id}`)
  assert.equal((await use(w, token)).code, 'USER_DEACTIVATED')
  await w.people.iago.api.post(`/users/${w.people.hamlet.id}/reactivate`)
  assert.equal((await use(w, token)).code, 'BAD_PASSWORD_LINK')
})

test('a link ends when its creator loses the role, or its account gains one above the creator', async () => {
  await using w = await world({ people: { osric: { role: 'administrator' }, yorick: { role: 'administrator' } } })
  const { iago, hamlet, cordelia, osric, yorick } = w.people
  const make = async (api: typeof iago.api, user_id: number) =>
    new URL((await api.post(`/users/${user_id}/password_link`)).link_url).searchParams.get('token')!
  const code = async (token: string) => (await check(w, token)).code
  const [ofOsric, ofYorick] = [await make(osric.api, hamlet.id), await make(yorick.api, cordelia.id)]
  assert.deepEqual([await code(ofOsric), await code(ofYorick)], [undefined, undefined])
  await iago.api.patch(`/users/${osric.id}`, { role: 400 })
  assert.deepEqual([await code(ofOsric), await code(ofYorick)], ['BAD_PASSWORD_LINK', undefined])
  await iago.api.delete(`/users/${yorick.id}`)
  assert.equal(await code(ofYorick), 'BAD_PASSWORD_LINK')

  await iago.api.patch(`/users/${osric.id}`, { role: 200 })
  const raised = await make(osric.api, hamlet.id)
  await iago.api.patch(`/users/${hamlet.id}`, { role: 300 })
  assert.equal(await code(raised), undefined)
  await iago.api.patch(`/users/${hamlet.id}`, { role: 100 })
  assert.equal(await code(raised), 'BAD_PASSWORD_LINK')
})

test('rate-limits guesses at links and stores only a digest', async () => {
  await using w = await world()
  const token = await linkFor(w)
  const stored = await storeOf(w.chat).db.selectFrom('password_link').selectAll().execute()
  assert.equal(JSON.stringify(stored).includes(token), false)
  const app = createApp({ chat: w.chat })
  const guess = async (i: number) => {
    const answer = await app.fetch(new Request(`http://localhost/api/v1/password_link?token=guess${i}`))
    return ((await answer.json()) as { code: string }).code
  }
  const codes = new Set<string>()
  for (let i = 0; i < 101; i++) codes.add(await guess(i))
  assert.deepEqual([...codes], ['BAD_PASSWORD_LINK', 'RATE_LIMIT_HIT'])
})

test('an administrator can create a link for someone else, but not for a higher role', async () => {
  await using w = await world({ people: { osric: { role: 'administrator' } } })
  const { iago, hamlet, cordelia, osric } = w.people
  const make = (api: typeof iago.api, user_id: number) => api.post(`/users/${user_id}/password_link`)
  const { link_url, expires_at } = await make(osric.api, hamlet.id)
  assert.equal(expires_at * 1000, w.clock.now() + DAY_MS)
  const token = new URL(link_url).searchParams.get('token')!
  assert.equal((await use(w, token)).email, hamlet.email)
  assert.equal((await make(cordelia.api, hamlet.id)).code, 'UNAUTHORIZED_PRINCIPAL')
  assert.equal((await make(osric.api, iago.id)).code, 'UNAUTHORIZED_PRINCIPAL')
  assert.equal((await make(iago.api, 9999)).msg, 'No such user')
})
