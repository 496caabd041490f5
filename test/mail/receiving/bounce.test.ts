import assert from 'node:assert/strict'
import test from 'node:test'
import { createApp } from '../../../src/http/index.ts'
import { apiOf } from '../../../src/testing/index.ts'
import { failure, linksIn, mailWorld } from '../mail-world.ts'
import { kindOf, type MailInWorld, mailInWorld } from './in-world.ts'

const ADDRESS = 'ann@example.org'

/** A delivery status notification about one recipient. */
const report = (fields: Record<string, string>) => ({
  from: 'Mail Delivery System <MAILER-DAEMON@mx.example.org>',
  subject: 'Undelivered Mail Returned to Sender',
  'auto-submitted': 'auto-replied',
  'content-type': 'multipart/report; report-type=delivery-status; boundary="b"',
  body: [
    '--b',
    '',
    'Your email could not be delivered.',
    '--b',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.example.org',
    'Arrival-Date: Thu, 1 Jan 2026 12:00:00 +0000',
    '',
    ...Object.entries({ 'Final-Recipient': `rfc822; ${ADDRESS}`, ...fields }).map(
      ([name, value]) => `${name}: ${value}`,
    ),
    '--b',
    'Content-Type: message/rfc822',
    '',
    'Subject: Invitation',
    '',
    'Join us',
    '--b--',
    '',
  ].join('\r\n'),
})
const failed = report({
  Action: 'failed',
  Status: '5.1.1',
  'Diagnostic-Code': 'smtp; 550 5.1.1\r\n <ann@example.org>: no such `user` @**all**',
})

/** Invites somebody, and returns where the email comes back to. */
async function invited(m: MailInWorld, address = ADDRESS): Promise<string> {
  await m.iago.api.post('/invites', { invitee_emails: address, stream_ids: [] })
  const [mail] = await m.sent()
  return mail?.returnTo ?? ''
}
const outbox = (m: MailInWorld) => m.iago.api.get('/mail')

test('a bounced email fails, stops emails to its address, and notifies owners', async () => {
  await using m = await mailInWorld()
  const address = await invited(m)
  assert.match(address, /^mb\d+-[0-9a-f]{32}@chat\.example\.com$/)
  assert.equal(kindOf(await m.arrives(address, failed, '')), 'bounced')
  const { mails, suppressed } = await outbox(m)
  const reason = 'It came back: 5.1.1 550 5.1.1 <ann@example.org>: no such `user` @**all**'
  assert.deepEqual([mails[0].state, mails[0].failure], ['failed', reason])
  assert.deepEqual(
    suppressed.map(({ address, reason }: Record<string, string>) => [address, reason]),
    [[ADDRESS, reason]],
  )
  const notice = await m.newest('iago')
  assert.match(
    notice.content,
    /An email to `ann@example\.org` could not be delivered: .*'user' @\*\*all\*\*.*No more emails/,
  )
  assert.ok(!notice.flags.includes('mentioned'))
  assert.equal(await invited(m, 'Ann@example.org'), '')
  assert.equal((await outbox(m)).mails[0].state, 'dropped')
  // It was sent once, so what it was about is gone.
  assert.match((await m.iago.api.post(`/mail/${mails[0].id}/retry`)).msg, /came back/)
  await m.iago.api.delete('/mail/suppressed', { address: ADDRESS })
  assert.notEqual(await invited(m), '')
})

test('repeating a notification changes nothing', async () => {
  await using m = await mailInWorld()
  const address = await invited(m)
  assert.equal(kindOf(await m.arrives(address, failed, '')), 'bounced')
  const { id } = await m.newest('iago')
  assert.equal(kindOf(await m.arrives(address, failed, '')), 'repeated')
  await m.iago.api.delete('/mail/suppressed', { address: ADDRESS })
  assert.equal(kindOf(await m.arrives(address, failed, '')), 'repeated')
  assert.deepEqual([(await m.newest('iago')).id, (await outbox(m)).suppressed], [id, []])
})

test('a delay, a success, a policy and other emails stop nothing', async () => {
  await using m = await mailInWorld()
  const address = await invited(m)
  const ignored = [
    report({ Action: 'delayed', Status: '4.4.1' }),
    report({ Action: 'delivered', Status: '2.0.0' }),
    { subject: 'Out of office', body: 'Action: failed\r\nStatus: 5.1.1' },
  ]
  for (const mail of ignored) assert.equal(kindOf(await m.arrives(address, mail, '')), 'ignored')
  assert.equal((await outbox(m)).mails[0].state, 'sent')
  const policy = report({ Action: 'failed', Status: '5.7.1', 'Diagnostic-Code': 'smtp; 554 5.7.1 Spam' })
  assert.equal(kindOf(await m.arrives(address, policy, '')), 'bounced')
  const { mails, suppressed } = await outbox(m)
  assert.deepEqual([mails[0].state, suppressed], ['failed', []])
})

test("nobody can stop emails by guessing a return address or reusing another email's", async () => {
  await using m = await mailInWorld()
  const address = await invited(m)
  const other = await invited(m, 'bea@example.org')
  const number = (text: string) => /\d+/.exec(text)![0]
  const wrong = [
    address.replace(/-.{4}/, '-0000'),
    address.replace(`mb${number(address)}`, `mb${number(other)}`),
    address.replace(`mb${number(address)}`, 'mb999'),
    address.replace(`mb${number(address)}`, 'mb999999999999999'),
  ]
  for (const each of wrong) assert.equal(kindOf(await m.arrives(each, failed, '')), '550 5.1.1', each)
  assert.deepEqual((await outbox(m)).suppressed, [])
  // It takes no messages either.
  assert.equal(kindOf(await m.arrives(address)), 'ignored')
})

test('without an address for incoming email, or with a sender that the mail server rejects, emails have the usual sender', async () => {
  await using plain = await mailWorld()
  await plain.iago.api.post('/invites', { invitee_emails: ADDRESS, stream_ids: [] })
  assert.equal((await plain.sent())[0]!.returnTo, undefined)
  const log: string[] = []
  const at = (_: object, message: string) => void log.push(message)
  await using m = await mailInWorld({ logger: { info: at, warn: at, error: at } })
  let tries = 0
  m.server(({ returnTo }) => {
    tries++
    if (returnTo !== undefined) throw failure('sender', '553 5.7.1 Sender rejected')
  })
  assert.equal(await invited(m), '')
  assert.equal(await invited(m, 'bea@example.org'), '')
  const { mails, failure: problem } = await outbox(m)
  assert.deepEqual([tries, problem, mails.map(({ state }: { state: string }) => state)], [3, null, ['sent', 'sent']])
  assert.equal(log.filter((line) => /^emails that come back are not noticed: .*553/.test(line)).length, 1)
})

test('confirming an address resumes its emails', async () => {
  await using m = await mailInWorld()
  const { hamlet, cordelia } = m
  const missed = async () => {
    await cordelia.says('psst', { people: [hamlet] })
    await m.after(120)
    return m.sent()
  }
  const [mail] = await missed()
  assert.equal(kindOf(await m.arrives(mail!.returnTo!, failed, '')), 'bounced')
  assert.deepEqual(await missed(), [])
  const app = createApp({ chat: m.w.chat, rateLimit: false })
  await apiOf(m.w.chat).post('/password_reset', { email: hamlet.email })
  const [reset] = await m.sent()
  assert.equal(reset?.subject, 'Reset your password for Elsinore')
  assert.equal((await outbox(m)).suppressed.length, 1)
  const link = linksIn(reset!)[0]!
  const password = 'a better horse'
  const body = new URLSearchParams({
    token: new URL(link).searchParams.get('token')!,
    password,
    password_again: password,
  })
  assert.equal((await app.fetch(new Request(link, { method: 'POST', body }))).status, 200)
  assert.deepEqual((await outbox(m)).suppressed, [])
  assert.equal((await missed()).length, 1)
})

test('an email that was given up after a failure that may pass has failed, and its address gets more', async () => {
  await using m = await mailInWorld()
  const address = await invited(m)
  const expired = report({
    Action: 'failed',
    Status: '4.4.7',
    'Diagnostic-Code': 'smtp; 421 4.4.2 Connection timed out',
  })
  assert.equal(kindOf(await m.arrives(address, expired, '')), 'bounced')
  const { mails, suppressed } = await outbox(m)
  assert.deepEqual([mails[0].state, suppressed], ['failed', []])
  assert.notEqual(await invited(m, 'bea@example.org'), '')
})

test('an email that comes back before the end of its delivery is stored has failed when the notification is repeated', async () => {
  await using m = await mailInWorld()
  const early: string[] = []
  m.server(
    async ({ returnTo }) =>
      void early.push(kindOf(await m.arrives(returnTo!, { 'message-id': '<1@mx>', ...failed }, ''))),
  )
  const address = await invited(m)
  assert.deepEqual([early, (await outbox(m)).mails[0].state], [['451 4.3.0'], 'sent'])
  assert.equal(kindOf(await m.arrives(address, { 'message-id': '<1@mx>', ...failed }, '')), 'bounced')
  const { mails, suppressed } = await outbox(m)
  assert.deepEqual([mails[0].state, suppressed.length], ['failed', 1])
})

test('after a mail server could not check the sender for a moment, later emails come back', async () => {
  await using m = await mailInWorld()
  let busy = true
  m.server(({ returnTo }) => {
    if (returnTo !== undefined && busy) throw failure('sender', '450 4.1.7 Sender address is being verified')
  })
  assert.equal(await invited(m), '')
  busy = false
  assert.notEqual(await invited(m, 'bea@example.org'), '')
})
