import assert from 'node:assert/strict'
import test from 'node:test'
import { runCommand } from '../../src/admin/commands.ts'
import { MAX_SUPPRESSED } from '../../src/core/mail/manage.ts'
import { apiOf, world } from '../../src/testing/index.ts'
import { failure, type MailWorld, mailWorld } from './mail-world.ts'

const invite = ({ iago }: MailWorld, emails = 'ann@example.org') =>
  iago.api.post('/invites', { invitee_emails: emails, stream_ids: [] })
const outbox = ({ iago }: MailWorld, params: object = {}) => iago.api.get('/mail', { ...params })
const acts = async ({ iago }: MailWorld) => {
  const { entries } = await iago.api.get('/audit', { count: 20 })
  return entries.map(({ action, subject_kind, before, after }: Record<string, unknown>) => ({
    ...{ action, subject_kind, before, after },
  }))
}

test('shows owners that the mail server fails, since when, and what waits', async () => {
  await using m = await mailWorld()
  const since = Math.floor(m.w.clock.now() / 1000)
  m.server(() => Promise.reject(failure('login', '535 Wrong password')))
  await invite(m, 'ann@example.org,ben@example.org')
  await m.settled()
  m.server(() => Promise.reject(failure('connection', 'refused')))
  await m.after(60)
  const down = await outbox(m)
  assert.deepEqual([down.configured, down.failing_since, down.counts.queued], [true, since, 2])
  assert.equal(down.failure, 'The mail server failed at connection: refused')
  assert.deepEqual(
    down.mails.map(({ kind, address, state, attempts }: Record<string, unknown>) => [kind, address, state, attempts]),
    ['ben@example.org', 'ann@example.org'].map((address) => ['invitation', address, 'queued', 0]),
  )
  m.server(() => {})
  await m.after(900)
  const up = await outbox(m)
  assert.deepEqual([up.failure, up.failing_since, up.counts.sent], [null, null, 2])
})

test('a failure that an earlier process noted ends with the first email', async () => {
  await using m = await mailWorld()
  await m.iago.write(({ db }) => db.insertInto('mail_failure').values({ failure: 'down', since: 1 }).execute())
  assert.equal((await outbox(m)).failure, 'down')
  await invite(m)
  await m.settled()
  assert.equal((await outbox(m)).failure, null)
})

test('pages by state, and rejects other values', async () => {
  await using m = await mailWorld()
  await invite(m, 'a@example.org,b@example.org,c@example.org')
  await m.settled()
  const first = await outbox(m, { state: 'sent', count: 2 })
  assert.deepEqual([first.mails.length, first.next], [2, first.mails[1].id])
  const second = await outbox(m, { state: 'sent', count: 2, before: first.next })
  assert.deepEqual([second.mails.length, second.next], [1, null])
  assert.deepEqual((await outbox(m, { state: 'failed' })).mails, [])
  assert.equal((await outbox(m, { state: 'lost' })).msg, 'Invalid state')
  assert.equal((await outbox(m, { count: 0 })).msg, 'count must be positive')
  assert.equal((await outbox(m, { count: 201 })).msg, 'At most 200')
})

test('sends a rejected email again, and lets emails go to its address', async () => {
  await using m = await mailWorld()
  m.server(() => Promise.reject(failure('recipient', '550 5.1.1 No such user')))
  await invite(m)
  await m.settled()
  const [mail] = (await outbox(m)).mails
  assert.equal(mail.state, 'failed')
  const { suppressed } = await outbox(m)
  assert.deepEqual([suppressed[0].address, suppressed.length], ['ann@example.org', 1])
  assert.match(suppressed[0].reason, /550 5\.1\.1/)
  assert.match((await m.iago.api.delete(`/mail/${mail.id}`)).msg, /has already failed/)
  m.server(() => {})
  assert.equal((await m.iago.api.post(`/mail/${mail.id}/retry`)).status, 200)
  assert.deepEqual(
    (await m.sent()).map(({ to }) => to.address),
    ['ann@example.org'],
  )
  assert.deepEqual((await outbox(m)).suppressed, [])
  assert.match((await m.iago.api.post(`/mail/${mail.id}/retry`)).msg, /was sent/)
  const [act] = await acts(m)
  assert.deepEqual(act, {
    ...{ action: 'retryMail', subject_kind: 'mail' },
    ...{ before: { state: 'failed' }, after: { state: 'queued', email: 'sent again' } },
  })
})

test('allows an address again, once', async () => {
  await using m = await mailWorld()
  m.server(() => Promise.reject(failure('recipient', '550 5.1.1 No such user')))
  await invite(m)
  await m.settled()
  m.server(() => {})
  const allow = () => m.iago.api.delete('/mail/suppressed', { address: 'ANN@example.org' })
  assert.equal((await allow()).status, 200)
  assert.equal((await allow()).msg, 'Emails to this address are not stopped')
  await invite(m)
  assert.equal((await m.sent()).length, 1)
  assert.ok((await acts(m)).some(({ action }: { action: string }) => action === 'allowMailTo'))
})

test('cancels an email that waits', async () => {
  await using m = await mailWorld()
  m.server(() => Promise.reject(failure('connection', 'refused')))
  await invite(m)
  await m.settled()
  const [{ id }] = (await outbox(m)).mails
  assert.equal((await m.iago.api.delete(`/mail/${id}`)).status, 200)
  m.server(() => {})
  await m.after(900)
  assert.deepEqual(await m.sent(), [])
  assert.match((await m.iago.api.delete(`/mail/${id}`)).msg, /was dropped: dropped by an administrator/)
  assert.match((await m.iago.api.delete('/mail/999')).msg, /There is no email 999/)
  const [act] = await acts(m)
  assert.deepEqual([act.action, act.before, act.after], ['dropMail', { state: 'queued' }, { state: 'dropped' }])
})

test('sends a test email, and says which step failed', async () => {
  await using m = await mailWorld()
  const send = (email: string) => m.iago.api.post('/mail/test', { email })
  assert.equal((await send('ann@example.org')).reply, '250 OK')
  assert.equal((await m.sent())[0]!.subject, 'Test email')
  m.server(() => Promise.reject(failure('sender', '550 Not yours')))
  const failed = await send('ann@example.org')
  assert.deepEqual([failed.status, failed.msg], [400, 'The mail server failed at sender: 550 Not yours'])
  for (const bad of ['a@x,b@x', 'ann@example.org\r\nBcc: eve@example.org', 'ann'])
    assert.equal((await send(bad)).status, 400, bad)
  m.server(() => Promise.reject(new Error('a mistake of ours')))
  assert.equal((await send('ann@example.org')).status, 500)
})

test('only owners see or change the outbox', async () => {
  await using m = await mailWorld()
  await m.iago.api.patch(`/users/${m.hamlet.id}`, { role: 200 })
  for (const api of [m.hamlet.api, m.cordelia.api]) {
    const answers = [
      await api.get('/mail'),
      await api.post('/mail/1/retry'),
      await api.delete('/mail/1'),
      await api.post('/mail/test', { email: 'ann@example.org' }),
      await api.delete('/mail/suppressed', { address: 'ann@example.org' }),
    ]
    assert.deepEqual(
      answers.map(({ code }) => code),
      Array(5).fill('UNAUTHORIZED_PRINCIPAL'),
    )
  }
  assert.equal((await apiOf(m.w.chat).get('/mail')).status, 401)
})

test('says that email is not configured', async () => {
  await using w = await world()
  const { api } = w.people.iago
  const { configured, failure, mails, suppressed } = await api.get('/mail')
  assert.deepEqual([configured, failure, mails, suppressed], [false, null, [], []])
  assert.equal((await api.post('/mail/test', { email: 'ann@example.org' })).code, 'MAIL_NOT_CONFIGURED')
})

test('acts from the command line are recorded, too', async () => {
  await using m = await mailWorld()
  m.server(() => Promise.reject(failure('recipient', '550 5.1.1 No such user')))
  await invite(m)
  await m.settled()
  m.server(() => {})
  const [{ id }] = (await outbox(m)).mails
  await runCommand(m.w.chat, 'retryMail', { id }, () => {})
  const { entries } = await m.iago.api.get('/audit', { action: 'retryMail' })
  assert.deepEqual([entries.length, entries[0].address, entries[0].actor_id], [1, 'command line', null])
})

test('lists the newest thousand of the addresses that get no email', async () => {
  await using m = await mailWorld()
  await m.iago.write(async ({ db }) => {
    for (let i = 0; i < MAX_SUPPRESSED + 20; i++) {
      const address = `a${i}@example.org`
      await db
        .insertInto('mail_suppressed')
        .values({ address, address_key: address, reason: '550', since: i })
        .execute()
    }
  })
  const { suppressed } = await outbox(m)
  assert.equal(suppressed.length, MAX_SUPPRESSED)
  assert.deepEqual([suppressed[0].since, suppressed.at(-1).since], [20, MAX_SUPPRESSED + 19])
})
