import assert from 'node:assert/strict'
import test from 'node:test'
import { runCommand } from '../../src/admin/commands.ts'
import { removeOldMail } from '../../src/core/mail/clean-up.ts'
import { sendInvites } from '../../src/index.ts'
import { apiOf, world } from '../../src/testing/index.ts'
import { failure, linksIn, type MailWorld, mailWorld } from './mail-world.ts'

const DAY = 86_400
const invite = (m: MailWorld, emails = 'ann@example.org', more: object = {}) =>
  m.iago.api.post('/invites', { invitee_emails: emails, stream_ids: [], ...more })
const list = async (m: MailWorld) => runCommand(m.w.chat, 'listMail', {}, () => {})
const states = async (m: MailWorld) => (await list(m)).mails.map(({ address, state }) => `${address} ${state}`)

test('emails an invitation with a link', async () => {
  await using m = await mailWorld()
  const { invitations } = await invite(m)
  const [mail, ...more] = await m.sent()
  assert.deepEqual(
    [more, mail!.to, mail!.from],
    [[], { name: '', address: 'ann@example.org' }, { name: 'Chat', address: 'chat@example.com' }],
  )
  assert.equal(mail!.subject, 'iago invited you to Elsinore')
  // Only the emailed link proves that its reader has the address.
  assert.match(linksIn(mail!).join(), /^https:\/\/chat\.example\.com\/join\?token=1-[\w-]{43}$/)
  assert.ok(!invitations[0].link_url.endsWith(new URL(linksIn(mail!)[0]!).search))
  assert.ok(mail!.html.includes(linksIn(mail!)[0]!))
  assert.match(mail!.text, /It expires on January 11, 2026\./)
  assert.equal(mail!.headers['auto-submitted'], 'auto-generated')
  assert.match(mail!.messageId, /^m\.\w{24}@chat\.example\.com$/)
})

test('links never depend on the address of a request', async () => {
  await using m = await mailWorld({ url: 'https://chat.example.com/team' })
  const evil = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' }
  await apiOf(m.w.chat, m.iago, evil).post('/invites', { invitee_emails: 'ann@example.org', stream_ids: [] })
  const [mail] = await m.sent()
  assert.ok(!`${mail!.text}${mail!.html}`.includes('evil'))
  assert.match(linksIn(mail!)[0]!, /^https:\/\/chat\.example\.com\/team\/join\?token=/)
})

test('sends nothing without configuration, and nothing of a write that fails', async () => {
  await using plain = await world()
  await plain.people.iago.api.post('/invites', { invitee_emails: 'ann@example.org', stream_ids: [] })
  assert.deepEqual((await runCommand(plain.chat, 'listMail', {}, () => {})).mails, [])

  await using m = await mailWorld()
  const undone = m.iago.write(async (tx) => {
    await sendInvites(tx, { invitee_emails: 'ann@example.org', stream_ids: [] })
    throw new Error('undone')
  })
  await assert.rejects(undone, /undone/)
  assert.deepEqual([await m.sent(), await states(m)], [[], []])
})

test('an invitation that was revoked or used before it was sent is dropped', async () => {
  await using m = await mailWorld()
  m.server(() => Promise.reject(failure('connection', '')))
  await invite(m)
  await invite(m, 'bea@example.org')
  // The first attempts have failed, so none is in progress.
  assert.deepEqual(await m.sent(), [])
  const { invites } = await m.iago.api.get('/invites')
  await m.iago.api.delete(`/invites/${invites[0].id}`)
  // The new link replaces the one of the first email.
  await m.iago.api.post(`/invites/${invites[1].id}/resend`)
  m.server(() => {})
  await m.after(60)
  const mails = await m.sent()
  assert.deepEqual(
    mails.map(({ to }) => to.address),
    ['bea@example.org'],
  )
  assert.deepEqual(await states(m), ['ann@example.org dropped', 'bea@example.org dropped', 'bea@example.org sent'])
})

test('retries with the same Message-ID after longer and longer waits, and gives up after two days', async () => {
  await using m = await mailWorld()
  const tried: [at: number, id: string][] = []
  m.server(({ messageId }) => {
    tried.push([Math.round((m.w.clock.now() - start) / 60_000), messageId])
    throw failure('recipient', '451 Greylisted')
  })
  const start = m.w.clock.now()
  await invite(m)
  await m.settled()
  for (let minutes = 0; minutes < 3 * 24 * 60; minutes += 10) await m.after(600)
  assert.deepEqual(
    tried.map(([at]) => at),
    [0, 10, 20, 50, 170, 530, 1250, 2690],
  )
  assert.equal(new Set(tried.map(([, id]) => id)).size, 1)
  const { mails, suppressed } = await list(m)
  assert.deepEqual([mails[0]!.state, suppressed], ['failed', []])
  assert.match(mails[0]!.failure!, /451 Greylisted/)
})

test('a failing mail server pauses the queue, loses nothing, and is logged once', async () => {
  const log: string[] = []
  const at = (_: object, message: string) => void log.push(message)
  await using m = await mailWorld({ logger: { info: at, warn: at, error: at } })
  let tries = 0
  m.server(() => {
    tries++
    throw failure('login', '535 Wrong password')
  })
  await invite(m, Array.from({ length: 20 }, (_, i) => `p${i}@example.org`).join(','))
  await m.settled()
  assert.ok(tries <= 2, `${tries} attempts ran at the same time`)
  await m.cordelia.says('others notice nothing')
  for (let i = 0; i < 60; i++) await m.after(60)
  assert.ok(tries <= 20, `${tries} attempts in an hour`)
  assert.deepEqual(
    log.filter((line) => /^email/.test(line)),
    ['email waits: The mail server failed at login: 535 Wrong password'],
  )
  m.server(() => {})
  await m.after(900)
  assert.equal((await m.sent()).length, 20)
  assert.equal(log.filter((line) => line === 'email is sent again').length, 1)
  assert.deepEqual((await list(m)).suppressed, [])
})

test('a permanent rejection ends emails to the address, and owners hear of it', async () => {
  await using m = await mailWorld()
  m.server(() => Promise.reject(failure('recipient', '550 5.1.1 No such `user` @**all**')))
  await invite(m)
  await m.settled()
  const { messages } = await m.iago.api.get('/messages', {
    anchor: 'newest',
    num_before: 1,
    num_after: 0,
    narrow: [{ operator: 'is', operand: 'dm' }],
  })
  assert.match(messages[0].content, /ann@example\.org.*5\.1\.1 No such 'user' @\*\*all\*\*.*No more emails/s)
  assert.ok(!messages[0].flags.includes('mentioned'))
  const after = await list(m)
  assert.deepEqual(
    [after.mails[0]!.state, after.suppressed.map(({ address }) => address)],
    ['failed', ['ann@example.org']],
  )

  let tried = 0
  m.server(() => void tried++)
  await invite(m, 'ANN@example.org')
  await m.settled()
  assert.deepEqual([tried, (await states(m))[1]], [0, 'ANN@example.org dropped'])

  await invite(m, 'bea@example.org')
  await runCommand(m.w.chat, 'retryMail', { id: after.mails[0]!.id }, () => {})
  await m.settled()
  // The first invitation ended with the second one to the same address.
  assert.deepEqual((await states(m))[0], 'ann@example.org dropped')
  assert.deepEqual((await list(m)).suppressed, [])
})

test('a rejection by a policy ends the email, but not the address', async () => {
  await using m = await mailWorld()
  for (const reply of ['554 5.7.1 Relay access denied', '550 5.7.26 Unauthenticated']) {
    m.server(() => Promise.reject(failure('recipient', reply)))
    await invite(m)
    await m.settled()
  }
  m.server(() => Promise.reject(failure('content', '554 Spam')))
  await invite(m)
  await m.settled()
  const { mails, suppressed } = await list(m)
  assert.deepEqual([mails.map(({ state }) => state), suppressed], [['failed', 'failed', 'failed'], []])
})

test('owners hear of ten failures an hour at most', async () => {
  await using m = await mailWorld()
  m.server(() => Promise.reject(failure('recipient', '550 5.1.1 No such user')))
  await invite(m, Array.from({ length: 30 }, (_, i) => `p${i}@example.org`).join(','))
  await m.settled()
  const { messages } = await m.iago.api.get('/messages', {
    anchor: 'newest',
    num_before: 100,
    num_after: 0,
    narrow: [{ operator: 'is', operand: 'dm' }],
  })
  assert.ok(messages.length >= 9 && messages.length <= 11, `${messages.length} notices`)
  assert.equal((await list(m)).suppressed.length, 30)
})

test('retries and drops single emails', async () => {
  await using m = await mailWorld()
  m.server(() => Promise.reject(failure('content', '554 Spam')))
  await invite(m)
  await m.settled()
  m.server(() => Promise.reject(failure('recipient', '451 Later')))
  await invite(m, 'bea@example.org')
  await m.settled()
  const [first, second] = (await list(m)).mails
  m.server(() => {})
  const run = (name: 'retryMail' | 'dropMail', id: number) => runCommand(m.w.chat, name, { id }, () => {})
  await run('retryMail', first!.id)
  await run('dropMail', second!.id)
  await m.after(DAY)
  assert.deepEqual(
    (await m.sent()).map(({ to }) => to.address),
    ['ann@example.org'],
  )
  assert.deepEqual(await states(m), ['ann@example.org sent', 'bea@example.org dropped'])
  await assert.rejects(run('retryMail', first!.id), /was sent/)
  await assert.rejects(run('retryMail', second!.id), /was dropped: dropped by an administrator/)
  await assert.rejects(run('dropMail', 99), /There is no email 99/)
})

test('an email in progress when the process ended is sent again with the same Message-ID', async () => {
  await using m = await mailWorld()
  const begun = Promise.withResolvers<void>()
  const { promise, resolve } = Promise.withResolvers<void>()
  m.server(() => {
    begun.resolve()
    return promise
  })
  await invite(m)
  await begun.promise
  const snapshot = await m.w.snapshot()
  resolve()
  const [first] = await m.sent()
  m.server(() => {})
  await m.w.restore(snapshot)
  await m.after(300)
  assert.deepEqual(
    (await m.sent()).map(({ messageId }) => messageId),
    [first!.messageId],
  )
})

test('removes rows of emails that ended long ago', async () => {
  await using m = await mailWorld()
  await invite(m)
  await m.settled()
  m.w.clock.advance(13 * DAY * 1000)
  await removeOldMail(m.w.chat)
  assert.equal((await list(m)).mails.length, 1)
  m.w.clock.advance(2 * DAY * 1000)
  await removeOldMail(m.w.chat)
  assert.deepEqual((await list(m)).mails, [])
})

test('erasing an account removes emails to it', async () => {
  await using m = await mailWorld()
  m.server(() => Promise.reject(failure('recipient', '550 5.1.1 No such user')))
  await invite(m, m.hamlet.email.replace('hamlet', 'ophelia'))
  await m.settled()
  const { user_id } = await m.iago.api.post('/users', {
    email: m.hamlet.email.replace('hamlet', 'ophelia'),
    full_name: 'Ophelia',
    password: 'correct horse',
  })
  assert.ok(user_id)
  await runCommand(
    m.w.chat,
    'eraseUser',
    { email: m.hamlet.email.replace('hamlet', 'ophelia'), messages: false },
    () => {},
  )
  const { mails, suppressed } = await list(m)
  assert.deepEqual([mails, suppressed], [[], []])
})

test('sends at most as many emails as its rate allows, and those that somebody waits for first', async () => {
  await using m = await mailWorld({ rate: { emails: 3, seconds: 60 } })
  const addresses = Array.from({ length: 7 }, (_, i) => `p${i}@example.org`)
  await invite(m, addresses.join(','))
  const found: number[] = []
  for (const after of [0, 59, 1, 59, 1]) {
    await m.after(after)
    found.push((await m.sent()).length)
  }
  assert.deepEqual(found, [3, 0, 3, 0, 1])
  await m.after(60)
  const people = ['hamlet', 'iago', 'polonius'] as const
  for (const who of people) await m.cordelia.says('psst', { people: [m.w.people[who]] })
  await m.after(119)
  assert.deepEqual(await m.sent(), [])
  await invite(m, 'a@example.org,b@example.org')
  assert.equal((await m.sent()).length, 2)
  await m.after(1)
  assert.equal((await m.sent()).length, 1)
  // Two emails about missed messages wait when somebody forgets a password.
  await apiOf(m.w.chat).post('/password_reset', { email: m.cordelia.email })
  await m.after(59)
  const sent = await m.sent()
  assert.equal(sent.length, 2)
  assert.ok(sent.some(({ to, subject }) => to.name === 'cordelia' && /password/i.test(subject)))
})
