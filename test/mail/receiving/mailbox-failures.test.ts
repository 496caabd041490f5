// cspell:ignore geheim
import assert from 'node:assert/strict'
import test from 'node:test'
import { createMetrics } from '../../../src/http/metrics/metrics.ts'
import { parseImapUrl } from '../../../src/network/mail/imap-server.ts'
import { eventually } from '../../eventually.ts'
import { write } from './in-world.ts'
import { isSeen, type MailboxScene, mailboxScene, sources } from './mailbox-scene.ts'

test('a mailbox that fails is one sentence in the log and the metrics, without the password', async () => {
  await using s = await mailboxScene()
  const to = await s.addressOf('hamlet')
  const wrong = s.mailbox.url.replace('geheim', 'wrong-secret')
  s.start({}, wrong)
  await eventually('it fails', async () => (await s.health()).failure)
  const { failure, since } = await s.health()
  assert.equal(failure, `The mail server 127.0.0.1:${s.mailbox.port} rejected the login: wrong: …`)
  assert.ok(since! > 0)
  await s.later('it tries again', () => s.mailbox.state.connections > 2)
  const warnings = s.log.filter(({ level }) => level !== 'info')
  assert.deepEqual(
    warnings.map(({ message }) => message),
    [`email can't come in: ${failure}`],
  )
  const metrics = await createMetrics(s.w.chat)
  const text = JSON.stringify(s.log) + (await metrics.text())
  assert.match(text, /^chat_mailbox_failing 1$/m)
  for (const secret of ['wrong-secret', Buffer.from('\0chat\0wrong-secret/9').toString('base64')])
    assert.ok(!text.includes(secret) && !failure!.includes(secret))
  // The next one has the right password.
  s.mailbox.arrives(write({ to, subject: 'works' }))
  s.start()
  await s.posted('works')
  await eventually('it works', async () => /^chat_mailbox_failing 0$/m.test(await metrics.text()))
})

test('hides a password with blanks and quotes in whatever form the server repeats it', async () => {
  await using s = await mailboxScene()
  const password = String.raw`very  "secret\ words`
  const quoted = password.replace(/["\\]/g, String.raw`\$&`)
  s.mailbox.state.misbehaves = (command) =>
    command.startsWith('AUTHENTICATE') ? `TAG NO not ${password} or "${quoted}"\r\n` : undefined
  s.start({ password })
  await eventually('it fails', async () => (await s.health()).failure)
  const { failure } = await s.health()
  assert.match(failure!, / rejected the login: not … or "…"$/)
})

const failures: [string, (s: MailboxScene) => { url?: string; timeoutMs?: number }, RegExp][] = [
  ['nobody listens', () => ({ url: 'imap://a:b@127.0.0.1:1/INBOX' }), /could not be reached: ECONNREFUSED$/],
  ['the mailbox is missing', (s) => ({ url: s.mailbox.url.replace('INBOX', 'Chat') }), /has no mailbox Chat$/],
  [
    'the mailbox is read-only',
    (s) => {
      s.mailbox.state.isReadOnly = true
      return {}
    },
    /^The mailbox INBOX can't be changed by chat$/,
  ],
  [
    'the server offers no TLS',
    (s) => {
      s.mailbox.state.misbehaves = (command) =>
        command === 'CAPABILITY' ? '* CAPABILITY IMAP4rev1\r\nTAG OK done\r\n' : undefined
      return { url: s.mailbox.url.replace('tls=none', 'tls=required') }
    },
    /^No secure connection to the mail server .* \(TLS\)/,
  ],
  [
    'the certificate is unknown',
    (s) => ({ url: s.mailbox.url.replace('tls=none', 'tls=required') }),
    /^No secure connection to the mail server .* \(TLS\): .*self.signed/i,
  ],
  [
    'the server greets nobody',
    (s) => {
      s.mailbox.state.misbehaves = () => 'nothing'
      return { timeoutMs: 200 }
    },
    /could not be reached: GREETING_TIMEOUT$|didn't answer in time$/,
  ],
  [
    'a search has no end',
    (s) => {
      s.mailbox.state.misbehaves = (command, socket) => {
        if (!command.includes('SEARCH')) return undefined
        const timer = setInterval(() => socket.write('* OK still here\r\n'), 20)
        socket.once('close', () => clearInterval(timer))
        return 'nothing'
      }
      return { timeoutMs: 400 }
    },
    /didn't answer in time$/,
  ],
  [
    'a search finds all numbers there are',
    (s) => {
      s.mailbox.state.misbehaves = (command) =>
        command.includes('SEARCH') ? `* SEARCH${' 4294967295'.repeat(500_000)}\r\nTAG OK done\r\n` : undefined
      return {}
    },
    /^The mail server .* failed/,
  ],
  [
    'an email is announced with a size that nobody can store',
    (s) => {
      s.mailbox.arrives(write({}))
      s.mailbox.state.misbehaves = (command) =>
        command.includes('FETCH') ? '* 1 FETCH (UID 1 RFC822.SIZE 9 BODY[HEADER] {999999999999}\r\n' : undefined
      return {}
    },
    /^The mail server .* failed/,
  ],
  [
    'the answer is nonsense',
    (s) => {
      s.mailbox.state.misbehaves = (command) => (command.includes('SEARCH') ? `${'('.repeat(100_000)}\r\n` : undefined)
      return { timeoutMs: 2000 }
    },
    /^The mail server .*/,
  ],
]
for (const [what, prepare, expected] of failures) {
  test(`says in a sentence that ${what}`, async () => {
    await using s = await mailboxScene()
    const { url, ...more } = prepare(s)
    s.start(more, url)
    await eventually('it fails', async () => (await s.health()).failure)
    const { failure } = await s.health()
    assert.match(failure!, expected)
    assert.doesNotMatch(failure!, /[\r\n]|geheim/)
    assert.ok(failure!.length < 500)
    // Nothing else waits for it.
    await s.cordelia.says('meanwhile', { topic: 'chat' })
    assert.ok((await s.subjects()).includes('chat'))
  })
}

test('an email that ends every connection is left where it is, and the others arrive', async () => {
  await using s = await mailboxScene()
  const to = await s.addressOf('hamlet')
  const bad = s.mailbox.arrives(write({ to, subject: 'bad' }))
  const good = s.mailbox.arrives(write({ to, subject: 'good' }))
  s.mailbox.state.misbehaves = (command, socket) => {
    if (!command.includes(`FETCH ${bad.uid} `) || !command.includes('BODY.PEEK[]')) return undefined
    socket.destroy()
    return 'nothing'
  }
  s.start()
  await s.later('the other arrives', () => isSeen(good))
  const givenUp = () => s.log.filter(({ message }) => message.includes('stays in the mailbox')).length
  await s.later('it is given up', () => givenUp() === 1)
  const tried = sources(s.mailbox)
  const next = s.mailbox.arrives(write({ to, subject: 'next' }))
  await s.later('others still arrive', () => isSeen(next))
  assert.deepEqual([isSeen(bad), givenUp(), sources(s.mailbox) - tried], [false, 1, 1])
})

test('understands the addresses of mailboxes, and never repeats their passwords', () => {
  const { ca: _, ...server } = parseImapUrl('imaps://ann%40x.example:p%25%2f@mail.example.com/Chat%20in')
  assert.deepEqual(server, {
    protocol: 'imap',
    host: 'mail.example.com',
    port: 993,
    secure: true,
    tls: 'required',
    user: 'ann@x.example',
    password: 'p%/',
    mailbox: 'Chat in',
  })
  const { port, tls, mailbox } = parseImapUrl('imap://a:b@[::1]:1143')
  assert.deepEqual([port, tls, mailbox], [1143, 'opportunistic', 'INBOX'])
  assert.equal(parseImapUrl('imap://a:b@mail.example.com').tls, 'required')
  for (const wrong of [
    'imaps:',
    'imaps://ann@mail.example.com',
    'imaps://ann:geheim%zz@mail.example.com',
    'imaps://ann:geheim@mail.example.com/a%zz',
    'imaps://ann:geheim@mail.example.com/a%0d%0ab',
    'imaps://ann:geheim@mail.example.com/?x=1',
    'imaps://ann:geheim@mail.example.com/?tls=none',
    'imap://ann:geheim@mail.example.com/?tls=maybe',
    'imaps://ann:geheim@mail.example.com/?ca=/none',
  ])
    assert.throws(
      () => parseImapUrl(wrong),
      ({ message }: Error) => !message.includes('geheim') && message.length < 200,
      wrong,
    )
})
