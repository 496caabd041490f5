import assert from 'node:assert/strict'
import test from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { contextOf } from '../../src/core/kernel/context.ts'
import { storeOf } from '../../src/core/kernel/store.ts'
import { mailOf, mailPoolOf } from '../../src/core/mail/mail-service.ts'
import { storedMailServer } from '../../src/core/mail/page-server.ts'
import { mailWorkerOf } from '../../src/core/messages/send/message-workers.ts'
import { type ChatOptions, setMailServer } from '../../src/index.ts'
import { createSecrets } from '../../src/storage/secret-file.ts'
import { PASSWORD } from '../../src/testing/person.ts'
import { collecting, type LogEntry } from '../../src/testing/server.ts'
import { type World, world } from '../../src/testing/world.ts'
import { eventually } from '../eventually.ts'
import { certificate } from './certificate.ts'
import { PUBLIC_URL } from './mail-world.ts'
import { mailSink, reply } from './sink.ts'

const SECRET = 'a password that must not be shown'
const open = (chat: ChatOptions = {}) =>
  world({ chat: { publicUrl: PUBLIC_URL, outgoing: { allowPrivate: true }, ...chat } })
const at = (port: number, more: object = {}) => ({
  ...{ host: '127.0.0.1', port, security: 'none', from: 'Chat <chat@example.com>', ...more },
})
type Gate = PromiseWithResolvers<void>
type Api = World['people']['iago']['api']
const set = (api: Api, server: object) => api.put('/mail/server', { account_password: PASSWORD, ...server })
const remove = (api: Api) => api.delete('/mail/server', { account_password: PASSWORD })
const invite = async ({ chat, people }: World, email: string) => {
  await people.iago.api.post('/invites', { invitee_emails: email, stream_ids: [] })
  await mailWorkerOf(chat).settled()
}
const later = async ({ chat, clock }: World, seconds: number) => {
  clock.advance(seconds * 1000)
  mailWorkerOf(chat).wake()
  await mailWorkerOf(chat).settled()
}
const recipients = ({ mails }: { mails: { envelope: { to: string[] } }[] }) =>
  mails.map(({ envelope }) => envelope.to[0])

test('sends through the mail server that an owner sets, another one that follows, and none after it is removed', async () => {
  await using first = await mailSink()
  await using second = await mailSink()
  await using w = await open()
  const { api } = w.people.iago
  await invite(w, 'a@example.org')
  const before = await api.get('/mail')
  assert.deepEqual([before.configured, before.server, before.server_lock, before.mails], [false, null, null, []])
  assert.equal((await api.get('/server_settings')).sends_email, false)

  assert.equal((await set(api, at(first.port))).status, 200)
  assert.equal((await api.get('/server_settings')).sends_email, true)
  await invite(w, 'b@example.org')
  assert.deepEqual(recipients(first), ['b@example.org'])
  assert.equal(first.mails[0]!.from?.address, 'chat@example.com')
  const { server } = await api.get('/mail')
  assert.deepEqual(server, { ...at(first.port), user: null, has_password: false, lost_password: false })

  assert.equal((await set(api, at(second.port, { from: 'us@example.com' }))).status, 200)
  await invite(w, 'c@example.org')
  assert.deepEqual([recipients(first), recipients(second)], [['b@example.org'], ['c@example.org']])
  assert.equal(second.mails[0]!.from?.address, 'us@example.com')

  assert.equal((await remove(api)).status, 200)
  const connections = second.connections()
  await invite(w, 'd@example.org')
  await later(w, 3600)
  assert.equal(second.connections(), connections)
  assert.equal((await api.post('/mail/test', { email: 'a@example.org' })).code, 'MAIL_NOT_CONFIGURED')
  assert.equal((await remove(api)).msg, 'No mail server is set up')
})

test('the password reaches only the mail server: no answer, log, audit row, row or export has it', async () => {
  const trusted = getCACertificates('default')
  setDefaultCACertificates([...trusted, certificate])
  try {
    const logins: unknown[] = []
    await using sink = await mailSink({
      secure: true,
      without: ['STARTTLS'],
      onAuth: ({ username, password }, _, done) => {
        logins.push([username, password])
        done(password === SECRET ? null : reply(535, `Not ${username}`), { user: username })
      },
    })
    const log: LogEntry[] = []
    await using w = await open({ logger: collecting(log) })
    const { api } = w.people.iago
    const server = at(sink.port, { host: 'localhost', security: 'tls', user: 'chat' })
    const answers = [await set(api, { ...server, password: 'wrong one' })]
    const failed = await api.post('/mail/test', { email: 'a@example.org' })
    assert.match(failed.msg, /rejected the login: 535 Not chat/)
    answers.push(await set(api, { ...server, password: SECRET }))
    answers.push(await api.post('/mail/test', { email: 'a@example.org' }))
    // It stays without the parameter.
    answers.push(await set(api, { ...server, from: 'other@example.com' }))
    answers.push(await api.post('/mail/test', { email: 'b@example.org' }))
    assert.deepEqual(logins, [
      ['chat', 'wrong one'],
      ['chat', SECRET],
      ['chat', SECRET],
    ])
    assert.deepEqual(recipients(sink), ['a@example.org', 'b@example.org'])
    answers.push(failed, await api.get('/mail'), await api.get('/audit', { count: 50 }), await remove(api))
    const acts = answers
      .at(-2)!
      .entries.filter(({ subject_kind }: { subject_kind: string }) => subject_kind === 'mail_server')
    assert.deepEqual(
      acts.map(({ action, after }: { action: string; after: object }) => [action, after]),
      [
        ['setMailServer', { from: 'other@example.com' }],
        ['setMailServer', { password: '(hidden)' }],
        ['setMailServer', { ...server, password: '(hidden)' }],
      ],
    )
    const rows = await storeOf(w.chat).db.selectFrom('mail_server').selectAll().execute()
    const texts = JSON.stringify([answers, log, rows])
    assert.ok(!texts.includes(SECRET) && !texts.includes('wrong one'), texts)
  } finally {
    setDefaultCACertificates(trusted)
  }
})

test('a known password never goes to another server, user or kind of connection', async () => {
  await using w = await open()
  const { api } = w.people.iago
  const server = at(587, { host: 'mail.example.com', security: 'starttls', user: 'chat' })
  assert.deepEqual(Object.keys((await set(api, server)).errors), ['password'])
  assert.equal((await set(api, { ...server, password: SECRET })).status, 200)
  for (const change of [{ host: 'evil.example.com' }, { port: 588 }, { security: 'tls' }, { user: 'eve' }]) {
    const { errors } = await set(api, { ...server, ...change })
    assert.deepEqual(Object.keys(errors), ['password'], JSON.stringify(change))
  }
  assert.equal((await set(api, { ...server, from: 'x@example.com' })).status, 200)
})

const wrong: [what: string, change: object, field: string | undefined, message: RegExp][] = [
  ['no host', { host: ' ' }, 'host', /Enter a host name/],
  ['a URL', { host: 'smtp://mail.example.com' }, 'host', /Enter a host name/],
  ['a port in the host', { host: 'mail.example.com:25' }, 'host', /Enter a host name/],
  ['a line break', { host: 'mail.example.com\nX' }, undefined, /host must not contain control characters/],
  ['a long host', { host: 'a'.repeat(254) }, undefined, /host is too long/],
  ['port 0', { port: 0 }, undefined, /port is not a port/],
  ['port 65536', { port: 65_536 }, undefined, /port is not a port/],
  ['a fraction', { port: 25.5 }, undefined, /port/],
  ['an unknown encryption', { security: 'ssl' }, undefined, /Invalid security/],
  ['a user in plain text', { security: 'none', user: 'chat', password: 'x' }, 'security', /encrypted connection/],
  ['a password without a user', { password: 'x' }, 'user', /Enter the user name/],
  ['no sender', { from: '' }, 'from', /must be an email address/],
  ['a long sender', { from: `${'a'.repeat(500)} <a@example.com>` }, undefined, /from is too long/],
  ['two senders', { from: 'a@example.com, b@example.com' }, 'from', /must be an email address/],
  ['a header', { from: 'Chat\r\nBcc: <eve@example.com>' }, undefined, /from must not contain control characters/],
  ['this machine', { host: 'localhost' }, 'host', /not on the public Internet\. Start the server with --mail-url/],
  ['a loopback address', { host: '127.0.0.1' }, 'host', /not on the public Internet/],
  ['a private address', { host: '10.0.0.1' }, 'host', /not on the public Internet/],
  ['a mapped address', { host: '[::ffff:127.0.0.1]' }, 'host', /not on the public Internet/],
  ['metadata of a cloud', { host: '169.254.169.254' }, 'host', /not on the public Internet/],
]

test('rejects values that are wrong, each with a sentence', async () => {
  await using w = await open({ outgoing: {} })
  const { api } = w.people.iago
  const right = at(587, { host: 'mail.example.com', security: 'starttls' })
  for (const [what, change, field, message] of wrong) {
    const { status, msg, errors = {} } = await set(api, { ...right, ...change })
    assert.equal(status, 400, what)
    assert.match(msg, message, what)
    assert.deepEqual(Object.keys(errors), field === undefined ? [] : [field], what)
  }
  assert.equal((await api.get('/mail')).server, null)
  assert.equal((await set(w.people.hamlet.api, right)).code, 'UNAUTHORIZED_PRINCIPAL')
  assert.equal((await set(api, { ...right, host: 'Bücher.example' })).status, 200)
  assert.equal((await api.get('/mail')).server.host, 'xn--bcher-kva.example')
})

test('a name of a private network is rejected when the server connects', async () => {
  await using sink = await mailSink()
  await using w = await open()
  const { api } = w.people.iago
  await set(api, at(sink.port, { host: 'localhost' }))
  assert.match((await api.post('/mail/test', { email: 'a@example.org' })).reply, /^250/)
  const pool = mailPoolOf(w.chat)
  mailPoolOf.provide(w.chat, { ...pool, allowPrivate: false, made: undefined })
  const { msg } = await api.post('/mail/test', { email: 'a@example.org' })
  assert.match(msg, /The mail server localhost is not on the public Internet/)
  assert.equal(sink.connections(), 1)
})

test("the server's options, its operator and a missing public URL keep owners from setting one", async () => {
  const send = async () => '250 OK'
  const cases: [ChatOptions, string, RegExp][] = [
    [{ mail: { from: 'chat@example.com', send } }, 'options', /--mail-url/],
    [{ mailSetup: false }, 'operator', /operator/],
    [{ publicUrl: 'http://localhost' }, 'public_url', /--public-url/],
  ]
  for (const [options, lock, message] of cases) {
    await using w = await open(options)
    const { api } = w.people.iago
    assert.equal((await api.get('/mail')).server_lock, lock)
    assert.match((await set(api, at(25))).msg, message)
    const config = JSON.stringify({ ...at(25), user: null })
    await w.iago.write(async (tx) => {
      await tx.db.insertInto('mail_server').values({ config, password: null }).execute()
      storedMailServer.invalidate(tx)
    })
    const mail = await mailOf(contextOf(w.chat))
    assert.equal(mail?.send, lock === 'options' ? send : undefined)
    assert.equal((await remove(api)).status, 200, 'it can still be removed')
  }
})

test('another mail server ends the wait after the former one failed', async () => {
  await using broken = await mailSink({ onMailFrom: (_, __, done) => done(reply(550, 'Not your domain')) })
  await using sink = await mailSink()
  await using w = await open()
  const { api } = w.people.iago
  await set(api, at(broken.port))
  await invite(w, 'a@example.org')
  assert.match((await api.get('/mail')).failure, /rejected the sender/)
  await set(api, at(sink.port))
  assert.equal((await api.get('/mail')).failure, null)
  await mailWorkerOf(w.chat).settled()
  assert.deepEqual(recipients(sink), ['a@example.org'])
})

test('the failure of a mail server that is just replaced is not shown as the failure of the next one', async () => {
  const [reached, fails, works] = [1, 2, 3].map(() => Promise.withResolvers<void>()) as [Gate, Gate, Gate]
  const refuse = reply(550, 'Not your domain')
  await using broken = await mailSink({
    onMailFrom(_, __, done) {
      reached.resolve()
      void fails.promise.then(() => done(refuse))
    },
  })
  await using sink = await mailSink({ onMailFrom: (_, __, done) => void works.promise.then(() => done()) })
  const log: LogEntry[] = []
  await using w = await open({ logger: collecting(log) })
  const { iago } = w.people
  await set(iago.api, at(broken.port))
  await iago.api.post('/invites', { invitee_emails: 'a@example.org', stream_ids: [] })
  await reached.promise
  await iago.write(async (tx) => {
    // The failure arrives while the other server is stored.
    fails.resolve()
    await eventually('the failure is logged', async () => log.some(({ message }) => /email waits/.test(message)))
    await setMailServer(tx, { ...at(sink.port), account_password: PASSWORD } as Parameters<typeof setMailServer>[1])
  })
  assert.equal((await iago.api.get('/mail')).failure, null)
  works.resolve()
  await mailWorkerOf(w.chat).settled()
  assert.deepEqual(recipients(sink), ['a@example.org'])
  assert.equal((await iago.api.get('/mail')).failure, null)
})

test('says that the password must be entered again if another secret encrypted it', async () => {
  await using w = await open()
  const { api } = w.people.iago
  const server = at(587, { host: 'mail.example.com', security: 'starttls', user: 'chat' })
  assert.equal((await set(api, { ...server, password: SECRET })).status, 200)
  await w.iago.write(async (tx) => {
    await tx.db
      .updateTable('mail_server')
      .set({ password: createSecrets(Buffer.alloc(32)).seal(SECRET) })
      .execute()
    storedMailServer.invalidate(tx)
  })
  const answer = await api.get('/mail')
  assert.deepEqual([answer.configured, answer.server.lost_password], [false, true])
  assert.equal(await mailOf(contextOf(w.chat)), undefined)
  assert.deepEqual(Object.keys((await set(api, server)).errors), ['password'])
  assert.equal((await set(api, { ...server, password: SECRET })).status, 200)
  assert.equal((await api.get('/mail')).configured, true)
})

test('the mailbox that fails is on the page of owners', async () => {
  await using w = await open()
  const failing = { failure: 'The login was rejected', since: 1000, tried_at: 2000 }
  await w.iago.write(({ db }) => db.insertInto('mailbox_failure').values(failing).execute())
  const { mailbox_failure, mailbox_failing_since } = await w.people.iago.api.get('/mail')
  assert.deepEqual([mailbox_failure, mailbox_failing_since], [failing.failure, 1000])
})
