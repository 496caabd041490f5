import assert from 'node:assert/strict'
import test from 'node:test'
import { runCommand } from '../../src/admin/commands.ts'
import { base32, codeOf, stepAt } from '../../src/core/accounts/second-factor/totp.ts'
import { storeOf } from '../../src/core/kernel/store.ts'
import { createApp } from '../../src/http/app.ts'
import { createSecrets } from '../../src/storage/index.ts'
import { apiOf, type Person, type World, world } from '../../src/testing/index.ts'

const own = { 'x-requested-with': 'test' }
const codeAt = (w: World, secret: string, later = 0) => codeOf(secret, stepAt(w.clock.now() / 1000) + later)

/** Adds a second factor to an account. */
async function protect(w: World, { api, password }: Person) {
  const { secret } = await api.post('/users/me/totp', { password })
  const { recovery_codes } = await api.post('/users/me/totp/confirm', { code: codeAt(w, secret) })
  w.clock.advance(90_000)
  return { secret: secret as string, recovery_codes: recovery_codes as string[] }
}

/** Signs browsers in. Each answer has its cookie. */
function browsersOf(w: World) {
  const app = createApp({ chat: w.chat, rateLimit: true })
  const post = async (path: string, params: Record<string, string>, headers: Record<string, string> = own) => {
    const body = new URLSearchParams(params)
    const response = await app.fetch(
      new Request(`http://localhost/json/session${path}`, { method: 'POST', headers, body }),
    )
    const answer = (await response.json()) as Record<string, unknown>
    return { ...answer, status: response.status, cookie: response.headers.get('set-cookie') } as {
      status: number
      cookie: string | null
      code?: string
      msg: string
      ticket: string
      methods?: string[]
    }
  }
  return {
    password: ({ email, password }: Person) => post('', { username: email, password }),
    code: (ticket: string, code: string, headers?: Record<string, string>) =>
      post('/second_factor', { ticket, code }, headers),
  }
}

test('makes the codes of RFC 6238, and secrets that apps accept', () => {
  const secret = base32(Buffer.from('12345678901234567890'))
  assert.equal(secret, 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
  const vectors = [
    [59, '287082'],
    [1111111109, '081804'],
    [1111111111, '050471'],
    [1234567890, '005924'],
    [2000000000, '279037'],
    [20000000000, '353130'],
  ] as const
  for (const [seconds, code] of vectors) assert.equal(codeOf(secret, stepAt(seconds)), code)
})

test('seals secrets so that neither another key nor a changed text opens them', () => {
  const [mine, other] = [createSecrets(Buffer.alloc(32, 1)), createSecrets(Buffer.alloc(32, 2))]
  const sealed = mine.seal('GEZDGNBV')
  assert.notEqual(sealed, mine.seal('GEZDGNBV'))
  assert.equal(mine.unseal(sealed), 'GEZDGNBV')
  assert.equal(other.unseal(sealed), undefined)
  for (const wrong of ['', 'x', `${sealed.slice(0, -2)}AA`, sealed.slice(4)])
    assert.equal(mine.unseal(wrong), undefined)
})

test('a browser signs in with password and code, and gets no cookie before', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const { secret, recovery_codes } = await protect(w, hamlet)
  assert.deepEqual([recovery_codes.length, new Set(recovery_codes).size], [10, 10])
  for (const code of recovery_codes) assert.match(code, /^[A-Z2-7]{5}-[A-Z2-7]{5}$/)
  const stored = await storeOf(w.chat).db.selectFrom('totp').selectAll().executeTakeFirstOrThrow()
  assert.doesNotMatch(JSON.stringify(stored), new RegExp(secret))
  const browsers = browsersOf(w)
  const first = await browsers.password(hamlet)
  assert.deepEqual(
    [first.status, first.code, first.methods, first.cookie],
    [403, 'SECOND_FACTOR_REQUIRED', ['totp', 'recovery_code'], null],
  )
  const wrong = await browsers.code(first.ticket, '000000')
  assert.deepEqual([wrong.status, wrong.code, wrong.cookie], [401, 'AUTHENTICATION_FAILED', null])
  const right = await browsers.code(first.ticket, codeAt(w, secret))
  assert.equal(right.status, 200)
  assert.match(right.cookie!, /^chat_session=\w{32};/)
  const { entries } = await w.people.iago.api.get('/audit', { action: 'signIn', outcome: 'ok', count: 1 })
  assert.deepEqual(entries[0].after, { by: 'password and totp', kind: 'session' })
})

test('a code works once, also for two devices at the same time, and codes of other steps do not', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const { secret } = await protect(w, hamlet)
  const browsers = browsersOf(w)
  const [a, b] = [await browsers.password(hamlet), await browsers.password(hamlet)]
  const code = codeAt(w, secret)
  const both = await Promise.all([browsers.code(a.ticket, code), browsers.code(b.ticket, code)])
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 401])
  const next = await browsers.password(hamlet)
  // The step before is in the window, but earlier than the used one.
  for (const later of [-1, 0, 2]) {
    assert.equal((await browsers.code(next.ticket, codeAt(w, secret, later))).status, 401)
  }
  assert.equal((await browsers.code(next.ticket, codeAt(w, secret, 1))).status, 200)
})

test('each recovery code works once', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const { recovery_codes } = await protect(w, hamlet)
  const browsers = browsersOf(w)
  const statusOf = async (code: string) => (await browsers.code((await browsers.password(hamlet)).ticket, code)).status
  for (const code of recovery_codes) assert.equal(await statusOf(code.toLowerCase().replace('-', ' ')), 200)
  assert.equal((await hamlet.api.get('/users/me/second_factor')).recovery_codes_left, 0)
  assert.equal(await statusOf(recovery_codes[0]!), 401)
})

test('guessing codes ends the ticket after five, and slows down all guesses for the account', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const { secret } = await protect(w, hamlet)
  const browsers = browsersOf(w)
  const { ticket } = await browsers.password(hamlet)
  for (let i = 0; i < 5; i++) assert.equal((await browsers.code(ticket, '000000')).status, 401)
  const ended = await browsers.code(ticket, codeAt(w, secret))
  assert.deepEqual([ended.status, ended.msg], [401, 'This sign-in has expired. Enter your password again'])
  // A new ticket starts no new count, from whatever address.
  const again = await browsers.password(hamlet)
  const slowed = await browsers.code(again.ticket, codeAt(w, secret))
  assert.deepEqual([slowed.status, slowed.code], [429, 'RATE_LIMIT_HIT'])
  let guesses = 0
  for (let hour = 0; hour < 24; hour++) {
    for (let minute = 0; minute < 60; minute += 15) {
      w.clock.advance(900_000)
      const { status } = await browsers.code((await browsers.password(hamlet)).ticket, '000000')
      if (status === 401) guesses++
    }
  }
  assert.ok(guesses > 20 && guesses < 40, String(guesses))
  w.clock.advance(3_600_000)
  const late = await browsers.password(hamlet)
  assert.equal((await browsers.code(late.ticket, codeAt(w, secret))).status, 200)
})

test("a ticket ends after five minutes, with a new password and with the account, and is no one else's", async () => {
  await using w = await world()
  const { hamlet, iago } = w.people
  const { secret, recovery_codes } = await protect(w, hamlet)
  const browsers = browsersOf(w)
  const late = await browsers.password(hamlet)
  w.clock.advance(300_000)
  assert.equal((await browsers.code(late.ticket, codeAt(w, secret))).status, 401)
  const { ticket } = await browsers.password(hamlet)
  assert.equal((await browsers.code(`${ticket.slice(1)}A`, codeAt(w, secret))).status, 401)
  // Pages of other sites can't complete a sign-in.
  assert.equal((await browsers.code(ticket, codeAt(w, secret), {})).status, 400)
  await iago.api.delete(`/users/${hamlet.id}`)
  assert.equal((await browsers.code(ticket, codeAt(w, secret))).code, 'USER_DEACTIVATED')
  await iago.api.post(`/users/${hamlet.id}/reactivate`)
  await runCommand(w.chat, 'resetPassword', { email: hamlet.email, password: hamlet.password }, () => {})
  assert.equal((await browsers.code(ticket, recovery_codes[0]!)).status, 401)
})

test('a key needs the code too, beside the password or after it', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const { secret, recovery_codes } = await protect(w, hamlet)
  const ask = (password: string, code?: string) =>
    apiOf(w.chat).post('/fetch_api_key', { username: hamlet.email, password, ...(code !== undefined && { code }) })
  const without = await ask(hamlet.password)
  assert.deepEqual([without.status, without.code, without.api_key], [401, 'AUTHENTICATION_FAILED', undefined])
  assert.match(without.msg, /^This account has a second factor/)
  for (const [password, code] of [
    [hamlet.password, '000000'],
    ['wrong', recovery_codes[0]],
    [`${hamlet.password}000000`, undefined],
    [`wrong${codeAt(w, secret)}`, undefined],
  ] as const) {
    assert.equal((await ask(password, code)).msg, 'Your username or password is incorrect')
  }
  assert.equal((await ask(`${hamlet.password} ${codeAt(w, secret)}`)).status, 200)
  assert.equal((await ask(`${hamlet.password} ${codeAt(w, secret)}`)).status, 401)
  assert.equal((await ask(hamlet.password, recovery_codes[0])).status, 200)
  // Keys from before keep working, and so do passwords of other accounts that end with digits.
  assert.equal((await hamlet.api.get('/users/me')).status, 200)
  const { cordelia } = w.people
  await cordelia.api.patch('/settings', { old_password: cordelia.password, new_password: 'passphrase 123456' })
  const hers = { username: cordelia.email, password: 'passphrase 123456' }
  assert.equal((await apiOf(w.chat).post('/fetch_api_key', hers)).status, 200)
})

test('changing it needs password and code, so that a stolen session or key is not enough', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const { api, password } = hamlet
  assert.equal((await api.post('/users/me/totp', { password: 'wrong' })).msg, 'Wrong password!')
  assert.match((await api.post('/users/me/totp/confirm', { code: '123456' })).msg, /^Wrong code/)
  const { secret: late } = await api.post('/users/me/totp', { password })
  w.clock.advance(600_000)
  assert.match((await api.post('/users/me/totp/confirm', { code: codeAt(w, late) })).msg, /^Wrong code/)
  assert.equal((await api.get('/users/me/second_factor')).totp, false)
  const { secret, recovery_codes } = await protect(w, hamlet)
  assert.equal((await api.post('/users/me/totp', { password })).msg, 'Remove the present authenticator app first.')
  for (const [method, path] of [
    ['delete', '/users/me/totp'],
    ['post', '/users/me/recovery_codes'],
  ] as const) {
    assert.equal((await api[method](path, { password: 'wrong', code: codeAt(w, secret) })).msg, 'Wrong password!')
    assert.match((await api[method](path, { password, code: '000000' })).msg, /^Wrong code/)
  }
  const replaced = await api.post('/users/me/recovery_codes', { password, code: codeAt(w, secret) })
  assert.equal(replaced.recovery_codes.length, 10)
  assert.match((await api.delete('/users/me/totp', { password, code: recovery_codes[0] })).msg, /^Wrong code/)
  assert.equal((await api.delete('/users/me/totp', { password, code: replaced.recovery_codes[0] })).status, 200)
  assert.equal((await browsersOf(w).password(hamlet)).status, 200)
})

test('owners and the command line reset it, and others do not', async () => {
  await using w = await world({ people: { adam: { role: 'administrator' } } })
  const { hamlet, iago } = w.people
  await protect(w, hamlet)
  const path = `/users/${hamlet.id}/second_factor`
  for (const who of [w.person('adam'), hamlet]) {
    assert.equal((await who.api.delete(path)).msg, 'Must be an organization owner')
  }
  assert.equal((await iago.api.delete(path)).status, 200)
  assert.equal((await iago.api.delete(path)).msg, 'This account has no second factor.')
  assert.equal((await browsersOf(w).password(hamlet)).status, 200)
  await protect(w, hamlet)
  await runCommand(w.chat, 'resetFactor', { email: hamlet.email }, () => {})
  assert.equal((await browsersOf(w).password(hamlet)).status, 200)
  const { entries } = await iago.api.get('/audit', { action: 'resetSecondFactor' })
  assert.deepEqual(
    entries.map((entry: { actor_id: number | null; address: string }) => [entry.actor_id, entry.address]),
    [
      [null, 'command line'],
      [iago.id, null],
    ],
  )
})
