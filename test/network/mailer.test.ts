import assert from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync, hash, verify } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import test from 'node:test'
import { parseDkim } from '../../src/network/mail/dkim.ts'
import type { Mail } from '../../src/network/mail/mail.ts'
import { MailFailed } from '../../src/network/mail/mail-failed.ts'
import { parseMailbox, parseMailUrl } from '../../src/network/mail/mail-server.ts'
import { createMailer } from '../../src/network/mail/mailer.ts'
import { certificate } from '../mail/certificate.ts'
import { headerOf, mailSink, reply } from '../mail/sink.ts'
import { TemporaryFolder } from '../temporary-folder.ts'

const mail = (more: Partial<Mail> = {}): Mail => ({
  from: { name: 'Chat', address: 'chat@example.com' },
  to: { name: '', address: 'ann@example.com' },
  messageId: 'm.1@chat.example.com',
  date: new Date(Date.UTC(2026, 0, 1, 12)),
  subject: 'Hello',
  text: 'Hello, Ann\n',
  html: '<p>Hello, Ann</p>',
  headers: { 'auto-submitted': 'auto-generated' },
  ...more,
})

async function failureAt(url: string): Promise<Pick<MailFailed, 'step' | 'permanent' | 'message'>> {
  const mailer = createMailer(parseMailUrl(url))
  const error = await mailer.send(mail()).then(
    () => assert.fail('it was accepted'),
    (error: unknown) => error,
  )
  assert.ok(error instanceof MailFailed)
  return error
}

test('sends text and HTML over one connection that closes afterwards', async () => {
  await using sink = await mailSink()
  const mailer = createMailer(parseMailUrl(sink.url))
  const sent = await Promise.all([mailer.send(mail()), mailer.send(mail({ messageId: 'm.2@chat.example.com' }))])
  assert.match(sent[0]!, /^250/)
  const [first] = sink.mails
  assert.equal(sink.mails.length, 2)
  assert.deepEqual(first!.envelope, { from: 'chat@example.com', to: ['ann@example.com'] })
  assert.deepEqual([first!.from?.name, first!.from?.address], ['Chat', 'chat@example.com'])
  assert.deepEqual(
    [first!.subject, first!.text?.trim(), first!.html?.trim()],
    ['Hello', 'Hello, Ann', '<p>Hello, Ann</p>'],
  )
  assert.match(first!.messageId!, /^<m\.[12]@chat\.example\.com>$/)
  assert.equal(headerOf(first!, 'auto-submitted'), 'auto-generated')
  assert.equal(new Date(first!.date!).getTime(), Date.UTC(2026, 0, 1, 12))
  assert.ok(sink.connections() <= 2)
})

test('sends to a socket of this machine', async () => {
  using folder = new TemporaryFolder()
  const path = join(folder.path, 'mail.sock')
  await using sink = await mailSink({ path })
  assert.match(await createMailer(parseMailUrl(`smtp+unix:${path}`)).send(mail()), /^250/)
  assert.deepEqual(sink.mails[0]!.envelope.to, ['ann@example.com'])
  const gone = await failureAt('smtp+unix:/nowhere/mail.sock')
  assert.deepEqual(
    [gone.step, gone.message],
    ['connection', 'The mail server /nowhere/mail.sock could not be reached: ENOENT'],
  )
})

test('encrypts a connection that it did not open, and checks the name in the certificate', async () => {
  using folder = new TemporaryFolder()
  const path = join(folder.path, 'mail.sock')
  const none = { port: 25, user: undefined, password: undefined }
  for (const secure of [false, true]) {
    await using sink = await mailSink({ secure, without: ['AUTH'], path })
    const server = { ...none, kind: 'smtp', host: 'localhost', path, secure, tls: 'required', ca: certificate } as const
    assert.match(await createMailer(server).send(mail()), /^250/)
    for (const other of [{ host: 'mail.example.com' }, { ca: undefined }]) {
      const sending = createMailer({ ...server, ...other }).send(mail())
      await assert.rejects(sending, (error: MailFailed) => error.step === 'tls', JSON.stringify([secure, other]))
    }
    assert.equal(sink.mails.length, 1)
  }
})

test('names and subjects add neither headers nor recipients', async () => {
  await using sink = await mailSink()
  const mailer = createMailer(parseMailUrl(sink.url))
  const hostile = [
    'a\r\nBcc: eve@example.com',
    'a\nX-Evil: 1',
    'a, eve@example.com',
    '"<eve@example.com>',
    'é\u2028Bcc: e@x.org',
  ]
  for (const text of hostile) {
    await mailer.send(
      mail({
        subject: text,
        to: { name: text, address: 'ann@example.com' },
        from: { name: text, address: 'chat@example.com' },
      }),
    )
  }
  assert.equal(sink.mails.length, hostile.length)
  for (const arrived of sink.mails) {
    assert.deepEqual(arrived.envelope.to, ['ann@example.com'])
    assert.deepEqual(
      arrived.to?.map(({ address }) => address),
      ['ann@example.com'],
    )
    assert.equal(headerOf(arrived, 'bcc'), undefined)
    assert.equal(headerOf(arrived, 'x-evil'), undefined)
  }
})

test('says which step failed', async () => {
  const cases: [options: Parameters<typeof mailSink>[0], step: string, permanent: boolean, text: RegExp][] = [
    [{ onConnect: (_, done) => done(reply(554, 'No service for you')) }, 'connection', false, /could not be reached/],
    [
      { onMailFrom: (_, __, done) => done(reply(550, 'Not your domain')) },
      'sender',
      true,
      /rejected the sender: 550 Not your domain/,
    ],
    [
      { onRcptTo: (_, __, done) => done(reply(550, '5.1.1 No such user')) },
      'recipient',
      true,
      /rejected the recipient: 550 5\.1\.1 No such user/,
    ],
    [
      { onRcptTo: (_, __, done) => done(reply(451, 'Try later')) },
      'recipient',
      false,
      /rejected the recipient: 451 Try later/,
    ],
    [{ onMail: () => Promise.reject(reply(554, 'Spam')) }, 'content', true, /rejected the email: 554 Spam/],
    [{ onMail: () => Promise.reject(reply(452, 'Full')) }, 'content', false, /rejected the email: 452 Full/],
  ]
  for (const [options, step, permanent, text] of cases) {
    await using sink = await mailSink(options)
    const failure = await failureAt(sink.url)
    assert.deepEqual([failure.step, failure.permanent], [step, permanent], failure.message)
    assert.match(failure.message, text)
  }
})

test('says that the server is not there, has no name or closes the connection', async () => {
  const server = createServer((socket) => socket.destroy())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  assert.equal((await failureAt(`smtp://127.0.0.1:${port}`)).step, 'connection')
  await new Promise((resolve) => server.close(resolve))
  const gone = await failureAt(`smtp://127.0.0.1:${port}`)
  assert.equal(gone.message, `The mail server 127.0.0.1:${port} could not be reached: ECONNREFUSED`)
  const unknown = await failureAt('smtp://mail.invalid:25?tls=none')
  assert.deepEqual(
    [unknown.step, unknown.message],
    ['dns', 'The name of the mail server mail.invalid could not be resolved (DNS)'],
  )
})

test('says that the program is missing', async () => {
  const failure = await failureAt('sendmail:/nowhere/sendmail')
  assert.equal(failure.step, 'connection')
  assert.match(failure.message, /^\/nowhere\/sendmail failed: .*ENOENT/)
})

test('signs in, and a rejected login never shows the password', async () => {
  const known = { user: 'chat', pass: 'one:two@3' }
  await using sink = await mailSink({
    without: ['STARTTLS'],
    onAuth: ({ username, password }, _, done) =>
      username === known.user && password === known.pass
        ? done(null, { user: username })
        : done(reply(535, 'Wrong password')),
  })
  const address = (password: string) => `smtp://chat:${encodeURIComponent(password)}@127.0.0.1:${sink.port}?tls=none`
  await createMailer(parseMailUrl(address(known.pass))).send(mail())
  assert.equal(sink.mails.length, 1)
  const failure = await failureAt(address('guess-1'))
  assert.equal(failure.step, 'login')
  assert.match(failure.message, /rejected the login: 535 Wrong password$/)
  assert.ok(!failure.message.includes('guess-1'))
})

test('requires a valid certificate unless the URL says otherwise', async () => {
  using folder = new TemporaryFolder()
  const ca = join(folder.path, 'ca.pem')
  writeFileSync(ca, certificate)
  for (const secure of [false, true]) {
    await using sink = await mailSink({ secure, without: ['AUTH'] })
    const failure = await failureAt(secure ? sink.url : `${sink.url}?tls=required`)
    assert.equal(failure.step, 'tls', failure.message)
    assert.match(failure.message, /No secure connection to the mail server .* \(TLS\): .*self-signed/)
    await createMailer(parseMailUrl(`${sink.url}?tls=required&ca=${ca}`)).send(mail())
    if (!secure) await createMailer(parseMailUrl(`${sink.url}?tls=opportunistic`)).send(mail())
    assert.equal(sink.mails.length, secure ? 1 : 2)
  }
  await using plain = await mailSink()
  assert.equal((await failureAt(`${plain.url}?tls=required`)).step, 'tls')
  await createMailer(parseMailUrl(plain.url)).send(mail())
  assert.equal(plain.mails.length, 1)
})

test('reads URLs of mail servers', () => {
  const { kind: _, ...remote } = parseMailUrl('smtp://mail.example.com')
  const nobody = { ca: undefined, user: undefined, password: undefined }
  assert.deepEqual(remote, { host: 'mail.example.com', port: 587, secure: false, tls: 'required', ...nobody })
  const secure = { kind: 'smtp', host: '::1', port: 465, secure: true, tls: 'required', ca: undefined }
  assert.deepEqual(parseMailUrl('smtps://a%40b:c%25d@[::1]'), { ...secure, user: 'a@b', password: 'c%d' })
  assert.deepEqual(parseMailUrl('sendmail:'), { kind: 'sendmail', path: 'sendmail' })
  assert.deepEqual(parseMailUrl('sendmail:/usr/sbin/sendmail'), { kind: 'sendmail', path: '/usr/sbin/sendmail' })
  const rejected: Record<string, RegExp> = {
    'mail.example.com': /must start with smtp:/,
    'https://mail.example.com': /must start with smtp:/,
    'smtp://': /has no host/,
    'smtp://mail.example.com/inbox': /must not have a path/,
    'smtp://mail.example.com?tls=yes': /tls in the mail URL must be/,
    'smtps://mail.example.com?tls=none': /always uses TLS/,
    'smtp://mail.example.com?pool=1': /unknown parameter, pool/,
    'smtp+unix://host/mail.sock': /must be the path of a socket, such as smtp\+unix:\/run\/mail\.sock/,
    'smtp+unix:mail.sock': /must be the path of a socket/,
    'smtp+unix:/mail.sock?tls=none': /must be the path of a socket/,
    'smtp+unix:/%zz': /is not encoded correctly/,
    'smtp://mail.example.com?ca=/nowhere': /certificates of the mail URL can't be read/,
    'smtp://a:50%@mail.example.com': /password in the mail URL is not encoded/,
  }
  for (const [url, reason] of Object.entries(rejected)) assert.throws(() => parseMailUrl(url), reason, url)
})

test('reads senders', () => {
  const chat = { name: 'Chat', address: 'chat@example.com' }
  for (const text of ['Chat <chat@example.com>', ' "Chat" <chat@example.com> '])
    assert.deepEqual(parseMailbox(text), chat)
  assert.deepEqual(parseMailbox('chat@example.com'), { name: '', address: 'chat@example.com' })
  for (const text of [
    '',
    'Chat',
    'a@b.org, c@d.org',
    'Chat\r\nBcc: e@x.org <chat@example.com>',
    '<chat@example.com> x',
  ]) {
    assert.throws(() => parseMailbox(text), /sender must be an email address/, text)
  }
})

/** Returns what a signature covers, as RFC 6376 has it: relaxed headers and body. */
function signedParts(raw: string) {
  const at = raw.indexOf('\r\n\r\n')
  const headers = raw.slice(0, at).split(/\r\n(?![ \t])/)
  const relaxed = (header: string) => {
    const [, name, value] = /^([^:]+):(.*)$/s.exec(header)!
    return `${name!.toLowerCase().trim()}:${value!
      .replace(/\r\n/g, '')
      .replace(/[ \t]+/g, ' ')
      .trim()}`
  }
  const signature = relaxed(headers.find((header) => /^dkim-signature:/i.test(header))!)
  const tags = new Map(
    signature
      .slice('dkim-signature:'.length)
      .split(';')
      .map((tag) => [tag.split('=', 1)[0]!.trim(), tag.slice(tag.indexOf('=') + 1).replace(/\s/g, '')]),
  )
  const covered = tags.get('h')!.toLowerCase().split(':')
  const found = covered.map((name) => headers.find((header) => header.toLowerCase().startsWith(`${name}:`))!)
  const data = [...found.map(relaxed), signature.replace(/(\bb=)[^;]*$/, '$1')].join('\r\n')
  const lines = raw
    .slice(at + 4)
    .split('\r\n')
    .map((line) => line.replace(/[ \t]+/g, ' ').trimEnd())
  const body = `${lines.join('\r\n').replace(/(?:\r\n)+$/, '')}\r\n`
  return { tags, covered, data, body }
}

test('signs email with the key of its domain', async () => {
  await using sink = await mailSink()
  using folder = new TemporaryFolder()
  const file = join(folder.path, 'dkim.pem')
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' })
  writeFileSync(file, key)
  const mailer = createMailer(parseMailUrl(sink.url), parseDkim(`example.com:chat:${file}`))
  const headers = {
    'list-unsubscribe': '<https://chat.example.com/x>',
    'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
  }
  await mailer.send(mail({ headers }))
  const { tags, covered, data, body } = signedParts(sink.mails[0]!.raw)
  assert.deepEqual([tags.get('d'), tags.get('s'), tags.get('a')], ['example.com', 'chat', 'rsa-sha256'])
  for (const name of ['from', 'to', 'subject', 'date', 'message-id', 'list-unsubscribe', 'list-unsubscribe-post'])
    assert.ok(covered.includes(name), name)
  assert.equal(tags.get('bh'), hash('sha256', body, 'base64'))
  const signature = Buffer.from(tags.get('b')!, 'base64')
  assert.ok(verify('RSA-SHA256', Buffer.from(data, 'latin1'), createPublicKey(key), signature))

  const curve = join(folder.path, 'curve.pem')
  writeFileSync(curve, generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const wrong: [string, RegExp][] = [
    ['example.com', /must have the form/],
    [`example.com:a b:${file}`, /must have the form/],
    ['example.com:chat:/none', /can't be read: ENOENT/],
    [`example.com:chat:${curve}`, /is not a private RSA key/],
  ]
  for (const [text, reason] of wrong) assert.throws(() => parseDkim(text), reason)
})
