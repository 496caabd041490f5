import assert from 'node:assert/strict'
import test from 'node:test'
import { createApp } from '../../src/http/index.ts'
import { authenticate } from '../../src/index.ts'
import type { Mail } from '../../src/network/mail/mail.ts'
import { apiOf, type Person } from '../../src/testing/index.ts'
import { linksIn, type MailWorld, mailWorld, PUBLIC_URL } from './mail-world.ts'

const DAY = 86_400
const change = (person: Person, email: string) => person.api.patch('/settings', { email })
const addressOf = async ({ iago }: MailWorld, id: number): Promise<string> =>
  (await iago.api.get(`/users/${id}`)).user.delivery_email
const tokenIn = (mail: Mail): string => new URL(linksIn(mail)[0]!).searchParams.get('token')!
const confirm = (m: MailWorld, mail: Mail) => apiOf(m.w.chat).post('/email_change', { token: tokenIn(mail) })
const undo = (m: MailWorld, mail: Mail) => apiOf(m.w.chat).post('/email_change/undo', { token: tokenIn(mail) })

/** Asks for another address, and returns the emails to the new address and to the old address. */
async function asks(m: MailWorld, person: Person, email: string): Promise<[confirmation: Mail, notice: Mail]> {
  const { status, confirmation_sent_to } = await change(person, email)
  assert.deepEqual([status, confirmation_sent_to], [200, email])
  const mails = await m.sent()
  assert.equal(mails.length, 2)
  return mails.sort((a) => (a.to.address === email ? -1 : 1)) as [Mail, Mail]
}

test('a new address counts after its confirmation, and the old address gets a notice', async () => {
  await using m = await mailWorld()
  const { hamlet } = m
  const before = hamlet.email
  const [confirmation, notice] = await asks(m, hamlet, 'prince@example.com')
  assert.deepEqual([confirmation.to.address, notice.to.address], ['prince@example.com', before])
  assert.match(linksIn(confirmation)[0]!, /^https:\/\/chat\.example\.com\/accounts\/confirm_new_email\?token=/)
  assert.match(notice.text, /changes to prince@example\.com once it is confirmed/)
  assert.equal(await addressOf(m, hamlet.id), before)
  assert.equal((await confirm(m, confirmation)).status, 200)
  assert.equal(await addressOf(m, hamlet.id), 'prince@example.com')
  assert.equal((await confirm(m, confirmation)).code, 'BAD_EMAIL_LINK')
})

test('the other fields of the request are saved', async () => {
  await using m = await mailWorld()
  await m.hamlet.api.patch('/settings', { email: 'prince@example.com', full_name: 'Prince', timezone: 'Europe/Berlin' })
  const { user } = await m.iago.api.get(`/users/${m.hamlet.id}`)
  assert.deepEqual([user.full_name, user.timezone, user.delivery_email], ['Prince', 'Europe/Berlin', m.hamlet.email])
})

test('the old address undoes a change for seven days, and signs out the person who made it', async () => {
  await using m = await mailWorld()
  const { hamlet } = m
  const before = hamlet.email
  const [confirmation, notice] = await asks(m, hamlet, 'thief@example.com')
  await confirm(m, confirmation)
  const thief = { ...hamlet, api: apiOf(m.w.chat, { email: 'thief@example.com', key: hamlet.key }) }
  const [next, second] = await asks(m, thief, 'thief2@example.com')
  await confirm(m, next)
  m.w.clock.advance(6 * DAY * 1000)
  assert.equal((await undo(m, notice)).status, 200)
  assert.equal(await addressOf(m, hamlet.id), before)
  assert.equal(await authenticate(m.w.chat, before, hamlet.key), undefined)
  const { entries } = await m.iago.api.get('/audit', { count: 50 })
  const acts = entries.filter(({ action }: { action: string }) => /EmailChange$/.test(action))
  assert.deepEqual(
    acts.map(({ action, after }: { action: string; after: object }) => [action, after]),
    [
      ['undoEmailChange', { delivery_email: before }],
      ['confirmEmailChange', { delivery_email: 'thief2@example.com' }],
      ['confirmEmailChange', { delivery_email: 'thief@example.com' }],
    ],
  )
  // The notice of the second change went to an address of the thief.
  assert.equal((await undo(m, second)).code, 'BAD_EMAIL_LINK')
  assert.equal((await undo(m, notice)).code, 'BAD_EMAIL_LINK')
})

test('undoing a change before its confirmation ends the confirmation', async () => {
  await using m = await mailWorld()
  const [confirmation, notice] = await asks(m, m.hamlet, 'thief@example.com')
  assert.equal((await undo(m, notice)).status, 200)
  assert.equal((await confirm(m, confirmation)).code, 'BAD_EMAIL_LINK')
  assert.equal(await addressOf(m, m.hamlet.id), m.hamlet.email)
})

test('links expire, and tokens of one link open no other', async () => {
  await using m = await mailWorld()
  const [confirmation, notice] = await asks(m, m.hamlet, 'prince@example.com')
  assert.equal((await confirm(m, notice)).code, 'BAD_EMAIL_LINK')
  assert.equal((await undo(m, confirmation)).code, 'BAD_EMAIL_LINK')
  m.w.clock.advance(DAY * 1000)
  assert.equal((await confirm(m, confirmation)).code, 'BAD_EMAIL_LINK')
  m.w.clock.advance(6 * DAY * 1000)
  assert.equal((await undo(m, notice)).code, 'BAD_EMAIL_LINK')
})

test('an address that another account got is not given twice', async () => {
  await using m = await mailWorld()
  const [first] = await asks(m, m.hamlet, 'prince@example.com')
  const [second] = await asks(m, m.cordelia, 'prince@example.com')
  await confirm(m, second)
  const answer = await confirm(m, first)
  assert.deepEqual([answer.status, answer.msg], [400, "Email 'prince@example.com' already in use"])
  assert.equal((await change(m.hamlet, m.cordelia.email.toUpperCase())).status, 200)
  assert.equal((await change(m.hamlet, 'Prince@example.com')).status, 400)
})

test('a later change replaces an earlier one that was confirmed', async () => {
  await using m = await mailWorld()
  const [first] = await asks(m, m.hamlet, 'one@example.com')
  const [second] = await asks(m, m.hamlet, 'two@example.com')
  await confirm(m, second)
  assert.equal((await confirm(m, first)).code, 'BAD_EMAIL_LINK')
  assert.equal(await addressOf(m, m.hamlet.id), 'two@example.com')
})

test('an account changes its address at most five times a day', async () => {
  await using m = await mailWorld()
  for (let i = 0; i < 5; i++) assert.equal((await change(m.hamlet, `victim${i}@example.org`)).status, 200)
  assert.equal((await change(m.hamlet, 'victim5@example.org')).status, 400)
  m.w.clock.advance(DAY * 1000)
  assert.equal((await change(m.hamlet, 'victim6@example.org')).status, 200)
})

test('pages show a button, and opening them changes nothing', async () => {
  await using m = await mailWorld()
  const [confirmation, notice] = await asks(m, m.hamlet, 'prince@example.com')
  const app = createApp({ chat: m.w.chat, rateLimit: false })
  const open = async (link: string, method = 'GET') => {
    const response = await app.fetch(new Request(link, { method }))
    return [response.status, await response.text()] as const
  }
  const [link] = linksIn(confirmation)
  for (let i = 0; i < 50; i++) await open(link!, i % 2 === 0 ? 'GET' : 'HEAD')
  assert.match((await open(link!))[1], /prince@example\.com<\/strong>.*<form method="post">.*Confirm<\/button>/s)
  assert.match((await open(link!, 'POST'))[1], /now has the address prince@example\.com/)
  assert.deepEqual((await open(link!, 'POST'))[0], 400)
  const [back] = linksIn(notice)
  assert.match((await open(back!))[1], /Keep my address<\/button>/)
  assert.match((await open(back!, 'POST'))[1], /Reset password/)
  assert.equal(await addressOf(m, m.hamlet.id), m.hamlet.email)
  assert.match((await open(`${PUBLIC_URL}/accounts/confirm_new_email?token=1-x`))[1], /expired or was already used/)
})

test('administrators change addresses immediately', async () => {
  await using m = await mailWorld()
  await m.iago.api.patch(`/users/${m.hamlet.id}`, { new_email: 'prince@example.com' })
  assert.equal(await addressOf(m, m.hamlet.id), 'prince@example.com')
  assert.deepEqual(await m.sent(), [])
})
