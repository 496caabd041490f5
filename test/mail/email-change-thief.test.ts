import assert from 'node:assert/strict'
import test from 'node:test'
import type { Mail } from '../../src/network/mail/mail.ts'
import { apiOf, type Person } from '../../src/testing/index.ts'
import { authenticator } from '../accounts/authenticator.ts'
import { added, browser, signIn } from '../accounts/passkey-browser.ts'
import { linksIn, type MailWorld, mailWorld, PUBLIC_URL } from './mail-world.ts'

const tokenIn = (mail: Mail): string => new URL(linksIn(mail)[0]!).searchParams.get('token')!
const confirm = (m: MailWorld, mail: Mail) => apiOf(m.w.chat).post('/email_change', { token: tokenIn(mail) })

/** Somebody with the session of a person asks for an address of their own. */
async function asks(m: MailWorld, { api }: Person): Promise<[confirmation: Mail, notice: Mail]> {
  assert.equal((await api.patch('/settings', { email: 'thief@example.com' })).status, 200)
  const mails = await m.sent()
  return mails.toSorted((a) => (a.to.address === 'thief@example.com' ? -1 : 1)) as [Mail, Mail]
}

test("a new password ends a change of the address that waits for the thief's mailbox", async () => {
  await using m = await mailWorld()
  const { hamlet } = m
  const [confirmation] = await asks(m, hamlet)
  const change = { old_password: hamlet.password, new_password: 'another horse' }
  assert.equal((await hamlet.api.patch('/settings', change)).msg, '')
  assert.equal((await confirm(m, confirmation)).code, 'BAD_EMAIL_LINK')
})

test('so does a password reset by email', async () => {
  await using m = await mailWorld()
  const { hamlet } = m
  const [confirmation] = await asks(m, hamlet)
  await apiOf(m.w.chat).post('/password_reset', { email: hamlet.email })
  const [reset] = await m.sent()
  const answer = await apiOf(m.w.chat).post('/password_link', { token: tokenIn(reset!), password: 'another horse' })
  assert.equal(answer.msg, '')
  assert.equal((await confirm(m, confirmation)).code, 'BAD_EMAIL_LINK')
})

for (const [what, method, path] of [
  ['signing out everywhere', 'delete', '/users/me/api_keys'],
  ['a new API key', 'post', '/users/me/api_key/regenerate'],
] as const)
  test(`so does ${what}`, async () => {
    await using m = await mailWorld()
    const { hamlet } = m
    const [confirmation] = await asks(m, hamlet)
    assert.equal((await hamlet.api[method](path)).msg, '')
    assert.equal((await confirm(m, confirmation)).code, 'BAD_EMAIL_LINK')
  })

test('a change of the address in the same request as a new password stays', async () => {
  await using m = await mailWorld()
  const { hamlet } = m
  const change = { old_password: hamlet.password, new_password: 'another horse', email: 'prince@example.com' }
  assert.equal((await hamlet.api.patch('/settings', change)).msg, '')
  const mails = await m.sent()
  const confirmation = mails.find(({ to }) => to.address === 'prince@example.com')
  assert.equal((await confirm(m, confirmation!)).msg, '')
})

test('undoing a change ends the passkeys and linked accounts that were added since, and leaves older ones', async () => {
  await using m = await mailWorld()
  const { hamlet } = m
  const [older, newer] = [authenticator(PUBLIC_URL), authenticator(PUBLIC_URL)]
  await added(browser(m.w), hamlet, older)
  await m.sent()
  m.w.clock.advance(60_000)
  const [confirmation, notice] = await asks(m, hamlet)
  assert.equal((await confirm(m, confirmation)).msg, '')
  // With the new address, the thief could reset the password.
  const session = browser(m.w)
  assert.equal((await signIn(session, older)).status, 200)
  const { options } = await session.ask('POST', '/users/me/passkeys/options', { password: hamlet.password })
  const answer = await session.ask('POST', '/users/me/passkeys', { response: newer.create(options), name: 'Thief' })
  assert.equal(answer.msg, '')
  const identity = { issuer: 'https://id.example.com', subject: 'thief', provider: 'company', email: null }
  await m.iago.write(async ({ db, chat }) => {
    const now = Math.floor(chat.clock.now() / 1000)
    const row = { ...identity, user_id: hamlet.id, created_at: now, last_used_at: now }
    await db.insertInto('identity').values(row).execute()
  })
  assert.equal((await apiOf(m.w.chat).post('/email_change/undo', { token: tokenIn(notice) })).msg, '')
  assert.equal((await signIn(browser(m.w), newer)).status, 401)
  const own = browser(m.w)
  assert.equal((await signIn(own, older)).status, 200)
  assert.deepEqual((await own.ask('GET', '/users/me/linked_accounts')).linked_accounts, [])
})
