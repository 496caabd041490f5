import assert from 'node:assert/strict'
import test from 'node:test'
import { MAX_KNOWN_DEVICES } from '../../src/core/accounts/known-devices.ts'
import { codeOf, stepAt } from '../../src/core/accounts/second-factor/totp.ts'
import { beginSession, completeSession } from '../../src/core/accounts/sessions.ts'
import { contextOf } from '../../src/core/kernel/context.ts'
import { ChatError } from '../../src/core/kernel/errors.ts'
import { storeOf } from '../../src/core/kernel/store.ts'
import { type World, world } from '../../src/testing/index.ts'

const HOME = '192.0.2.7'
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'

const codeAt = (w: World, secret: string) => codeOf(secret, stepAt(w.clock.now() / 1000))

/** Signs hamlet in at home, and adds a second factor. */
async function protect(w: World) {
  const { api, password } = w.people.hamlet
  await begin(w, HOME)
  const { secret } = await api.post('/users/me/totp', { password })
  const { recovery_codes } = await api.post('/users/me/totp/confirm', { code: codeAt(w, secret) })
  w.clock.advance(90_000)
  return { secret: secret as string, recovery_codes: recovery_codes as string[] }
}

/** Sends hamlet's password. */
const begin = ({ chat, people: { hamlet } }: World, address: string) =>
  beginSession(contextOf(chat, { address }), { username: hamlet.email, password: hamlet.password, user_agent: firefox })

/** Signs hamlet in with a code. Returns the code of the error, or "ok". */
async function signIn(w: World, address: string, code: string): Promise<string> {
  const codeOfError = (error: unknown) => {
    if (error instanceof ChatError) return error
    throw error
  }
  const missing = await begin(w, address).catch(codeOfError)
  if (!(missing instanceof ChatError)) return 'no second factor'
  const { ticket } = missing.data as { ticket: string }
  const answer = await completeSession(contextOf(w.chat, { address }), { ticket, code }).catch(codeOfError)
  return answer instanceof ChatError ? answer.code : 'ok'
}

/** Tries wrong codes, each from another network, until the server reads no more of them. */
async function guess(w: World): Promise<number> {
  for (let tries = 0; tries < 50; tries++) {
    if ((await signIn(w, `198.51.${tries}.1`, '000000')) === 'RATE_LIMIT_HIT') return tries
  }
  throw new Error('no limit')
}

test("guesses from other places lock nobody out of the account's own devices", async () => {
  await using w = await world()
  const { secret } = await protect(w)
  assert.equal(await guess(w), 5)
  assert.equal(await signIn(w, '203.0.113.9', codeAt(w, secret)), 'RATE_LIMIT_HIT')
  assert.equal(await signIn(w, HOME, codeAt(w, secret)), 'ok')
  // And signing in there gives the attacker no new tries.
  assert.equal(await guess(w), 0)
})

test('guesses on a known device are limited too', async () => {
  await using w = await world()
  const { secret } = await protect(w)
  for (let i = 0; i < 5; i++) assert.equal(await signIn(w, HOME, '000000'), 'AUTHENTICATION_FAILED')
  assert.equal(await signIn(w, HOME, codeAt(w, secret)), 'RATE_LIMIT_HIT')
  w.clock.advance(30_000)
  assert.equal(await signIn(w, HOME, codeAt(w, secret)), 'ok')
})

test('a recovery code works from everywhere, even while codes are guessed', async () => {
  await using w = await world()
  const { recovery_codes } = await protect(w)
  await guess(w)
  assert.equal(await signIn(w, '203.0.113.9', 'AAAAA-AAAAA'), 'RATE_LIMIT_HIT')
  assert.equal(await signIn(w, '203.0.113.9', recovery_codes[0]!), 'ok')
})

test('tells the account and the owners about guessed codes, once a day', async () => {
  await using w = await world()
  await protect(w)
  const about =
    /^Someone knows (?:your password|the password of .*) and may be guessing .* second factor: \d+ wrong codes/
  const notices = async () => {
    const { db } = storeOf(w.chat)
    const rows = await db.selectFrom('message').select('content').orderBy('id').execute()
    return rows.map(({ content }) => content).filter((content) => about.test(content))
  }
  await guess(w)
  await w.until(({ content }) => content.startsWith('Someone knows the password of'))
  assert.equal((await notices()).length, 2)
  w.clock.advance(3_600_000)
  await signIn(w, '198.51.100.1', '000000')
  assert.equal((await notices()).length, 2)
  w.clock.advance(86_400_000)
  await signIn(w, '198.51.100.1', '000000')
  await w.until(({ content }) => content.includes('the second factor: 7 wrong codes'))
  assert.equal((await notices()).length, 4)
})

test('remembers a limited number of devices of an account, the ones that signed in last', async () => {
  await using w = await world()
  for (let i = 0; i < MAX_KNOWN_DEVICES + 20; i++) {
    w.clock.advance(1000)
    await begin(w, `10.0.${i}.1`)
  }
  const { db } = storeOf(w.chat)
  const rows = await db.selectFrom('known_device').select('last_used_at').orderBy('last_used_at', 'desc').execute()
  assert.equal(rows.length, MAX_KNOWN_DEVICES)
  assert.equal(rows[0]!.last_used_at, Math.floor(w.clock.now() / 1000))
})
