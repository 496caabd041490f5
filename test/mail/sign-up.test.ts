import assert from 'node:assert/strict'
import { createHash, hash } from 'node:crypto'
import test from 'node:test'
import { createApp } from '../../src/http/index.ts'
import { apiOf, world } from '../../src/testing/index.ts'
import { linksIn, type MailWorld, mailWorld } from './mail-world.ts'

interface Challenge {
  algorithm: string
  challenge: string
  salt: string
  max: number
  signature: string
}

async function open(settings: object = {}): Promise<MailWorld> {
  const m = await mailWorld()
  await m.iago.api.patch('/realm', { invite_required: false, ...settings })
  return m
}
const visitor = ({ w }: MailWorld) => apiOf(w.chat)
const challengeOf = async (m: MailWorld): Promise<Challenge> => {
  const { algorithm, challenge, salt, max, signature } = await visitor(m).get('/sign_up/challenge')
  return { algorithm, challenge, salt, max, signature }
}
function solved(given: Challenge): Challenge & { number: number } {
  for (let number = 0; ; number++) {
    if (hash('sha256', `${given.salt}${number}`) === given.challenge) return { ...given, number }
  }
}
const ask = async (m: MailWorld, email: string, challenge?: object) =>
  visitor(m).post('/sign_up', { email, challenge: challenge ?? solved(await challengeOf(m)) })
const tokenIn = async (m: MailWorld) => new URL(linksIn((await m.sent())[0]!)[0]!).searchParams.get('token')!
const join = (m: MailWorld, token: string, more: object = {}) =>
  visitor(m).post('/invitation', { token, full_name: 'Yorick', password: 'alas poor Yorick', ...more })

test('creates an account with the emailed link, which works once', async () => {
  await using m = await open()
  assert.deepEqual(
    await visitor(m)
      .get('/server_settings')
      .then((s) => s.sign_up_enabled),
    true,
  )
  const answer = await ask(m, 'yorick@example.com')
  assert.deepEqual([answer.status, answer.msg], [200, ''])
  const token = await tokenIn(m)
  const made = await join(m, token, { email: 'somebody@else.example' })
  assert.equal(made.email, 'yorick@example.com')
  const { user } = await m.iago.api.get(`/users/${made.user_id}`)
  assert.deepEqual([user.role, user.full_name, user.is_active], [400, 'Yorick', true])
  const yorick = apiOf(m.w.chat, { email: made.email, key: made.api_key })
  assert.ok((await yorick.get('/users/me/subscriptions')).subscriptions.length > 0)
  assert.equal((await join(m, token)).code, 'BAD_INVITATION')
  const { entries } = await m.iago.api.get('/audit', { action: 'acceptInvitation' })
  assert.equal(entries[0].after.delivery_email, 'yorick@example.com')
})

test('answers the same for an account that exists, and tells its owner', async () => {
  await using m = await open()
  const known = await ask(m, m.hamlet.email.toUpperCase())
  const unknown = await ask(m, 'yorick@example.com')
  assert.deepEqual(known, unknown)
  const [first, second] = await m.sent()
  assert.deepEqual([first!.to.address, first!.subject], [m.hamlet.email, 'You already have an account in Elsinore'])
  assert.ok(!first!.text.includes('token='))
  assert.equal(second!.subject, 'Confirm your email address for Elsinore')
  // Nobody writes to the owner of a deactivated account.
  await m.iago.api.delete(`/users/${m.hamlet.id}`)
  assert.equal((await ask(m, m.hamlet.email)).status, 200)
  assert.deepEqual(await m.sent(), [])
})

test('rejects solutions that are wrong, changed, old or used', async () => {
  await using m = await open()
  const right = solved(await challengeOf(m))
  for (const wrong of [
    { ...right, number: right.number + 1 },
    { ...right, max: right.max + 1 },
    { ...right, signature: right.signature.replace(/./, (c) => (c === 'a' ? 'b' : 'a')) },
    { ...right, salt: right.salt.replace(/\d+$/, '99999999999') },
    { ...right, ...easy() },
  ])
    assert.equal(
      (await ask(m, 'a@example.com', wrong)).msg,
      'This request took too long. Try again.',
      JSON.stringify(wrong),
    )
  for (const malformed of [{}, { ...right, number: -1 }, { ...right, number: 1.5 }, { ...right, algorithm: 'MD5' }])
    assert.equal((await ask(m, 'a@example.com', malformed)).status, 400)
  // Two uses at the same time: one counts.
  const both = await Promise.all([ask(m, 'a@example.com', right), ask(m, 'b@example.com', right)])
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 400])
  assert.equal((await m.sent()).length, 1)
  const late = solved(await challengeOf(m))
  m.w.clock.advance(300_000)
  assert.equal((await ask(m, 'a@example.com', late)).status, 400)
  assert.deepEqual(await m.sent(), [])
})

/** A challenge that a stranger made. */
function easy() {
  const salt = 'x.99999999999'
  return { salt, number: 1, challenge: createHash('sha256').update(`${salt}1`).digest('hex') }
}

test('is off by default and without email, and follows the allowed domains', async () => {
  await using m = await mailWorld()
  const required = 'This organization requires an invitation to join.'
  assert.equal((await visitor(m).get('/server_settings')).sign_up_enabled, false)
  assert.equal((await visitor(m).get('/sign_up/challenge')).msg, required)
  assert.equal(
    (await ask(m, 'a@example.com', { ...easy(), algorithm: 'SHA-256', max: 1, signature: '' })).msg,
    required,
  )
  assert.equal((await m.hamlet.api.patch('/realm', { invite_required: false })).status, 400)
  await using plain = await world()
  await plain.iago.api.patch('/realm', { invite_required: false })
  assert.equal((await apiOf(plain.chat).get('/server_settings')).sign_up_enabled, false)
  assert.equal((await apiOf(plain.chat).get('/sign_up/challenge')).code, 'MAIL_NOT_CONFIGURED')

  await m.iago.api.patch('/realm', { invite_required: false })
  await m.iago.api.post('/realm/domains', { domain: 'example.org', allow_subdomains: false })
  await m.iago.api.patch('/realm', { emails_restricted_to_domains: true })
  assert.match((await ask(m, 'a@example.com')).msg, /is not in one of the domains/)
  assert.equal((await ask(m, 'a@example.org')).status, 200)
  assert.equal((await m.sent()).length, 1)
})

test('ends open links when the organization requires invitations, and after a day', async () => {
  await using m = await open()
  await ask(m, 'yorick@example.com')
  const token = await tokenIn(m)
  await m.iago.api.patch('/realm', { invite_required: true })
  assert.match((await join(m, token)).msg, /^This organization requires an invitation to join\.$/)
  await m.iago.api.patch('/realm', { invite_required: false })
  // A second request within the day sends the same link, and revoking the invitation ends it.
  await ask(m, 'Yorick@Example.com')
  assert.equal(await tokenIn(m), token)
  m.w.clock.advance(24 * 3_600_000)
  assert.equal((await join(m, token)).code, 'BAD_INVITATION')
  await ask(m, 'yorick@example.com')
  const next = await tokenIn(m)
  assert.notEqual(next, token)
  const { invites } = await m.iago.api.get('/invites')
  assert.equal((await m.iago.api.delete(`/invites/${invites.at(-1).id}`)).result, 'success')
  assert.equal((await join(m, next)).code, 'BAD_INVITATION')
})

test('asks for more work of an address that asks often, and limits emails', async () => {
  await using m = await open()
  const app = createApp({ chat: m.w.chat })
  const from = (path: string, init?: RequestInit) =>
    app.fetch(new Request(`https://chat.example.com/api/v1${path}`, init))
  const costs: number[] = []
  for (let i = 0; i < 30; i++) costs.push(((await (await from('/sign_up/challenge')).json()) as Challenge).max)
  assert.deepEqual(
    [...new Set(costs)],
    [1, 2, 4, 8, 16].map((times) => 200_000 * times),
  )
  m.w.clock.advance(3_600_000)
  assert.equal(((await (await from('/sign_up/challenge')).json()) as Challenge).max, 200_000)
  const statuses: number[] = []
  for (let i = 0; i < 6; i++) {
    const body = new URLSearchParams({ email: `a${i}@example.com`, challenge: '{}' })
    statuses.push((await from('/sign_up', { method: 'POST', body })).status)
  }
  assert.deepEqual(statuses, [400, 400, 400, 400, 400, 429])
})

test('sends an address only a few of these emails', async () => {
  await using m = await open()
  for (const email of ['yorick@example.com', m.hamlet.email]) {
    for (let i = 0; i < 4; i++) await ask(m, email)
    assert.equal((await m.sent()).length, 3, email)
    m.w.clock.advance(3_600_000)
    await ask(m, email)
    assert.equal((await m.sent()).length, 1, email)
  }
})
