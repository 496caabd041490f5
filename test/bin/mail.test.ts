import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import test from 'node:test'
import { storeOf } from '../../src/core/kernel/store.ts'
import { openChat } from '../../src/index.ts'
import { mailSink, reply } from '../mail/sink.ts'
import { command, serve, WorkingFolder } from './in-process.ts'

const PUBLIC = ['--public-url', 'https://chat.example.com']
const FROM = ['--mail-from', 'Chat <chat@example.com>']

test('sends a test email through the given server, or the one of the running server', async () => {
  using _ = new WorkingFolder()
  await using sink = await mailSink()
  const direct = await command(['mail', 'test', 'ann@example.com', '--mail-url', sink.url, ...FROM, ...PUBLIC])
  assert.deepEqual([direct.code, direct.err], [0, ''])
  assert.match(direct.out, /^The mail server accepted the test email to ann@example\.com: 250 /)
  assert.equal(existsSync('chat.db'), false)
  const [mail] = sink.mails.splice(0)
  assert.deepEqual([mail!.from?.name, mail!.envelope.to, mail!.subject], ['Chat', ['ann@example.com'], 'Test email'])
  assert.match(mail!.text!, /^https:\/\/chat\.example\.com\/$/m)
  assert.match(mail!.messageId!, /^<test\.\w{20}@chat\.example\.com>$/)

  await using server = await serve(['--port', '0', ...FROM, ...PUBLIC], { CHAT_MAIL_URL: sink.url })
  assert.ok(server.url)
  const through = await command(['mail', 'test', 'ann@example.com', '--json'])
  assert.equal(through.err, '')
  const { address, reply } = JSON.parse(through.out)
  assert.deepEqual([address, sink.mails.length], ['ann@example.com', 1])
  assert.match(reply, /^250 /)
})

test('prints the step that failed, without the password', async () => {
  using _ = new WorkingFolder()
  await using sink = await mailSink({
    without: ['STARTTLS'],
    onAuth: (_auth, _session, done) => done(reply(535, '5.7.8 Authentication failed')),
  })
  const url = `smtp://chat:hunter2@127.0.0.1:${sink.port}?tls=none`
  const failed = await command(['mail', 'test', 'ann@example.com', '--mail-url', url, ...FROM, ...PUBLIC])
  assert.deepEqual([failed.code, failed.out], [1, ''])
  const sentence = `The mail server 127.0.0.1:${sink.port} rejected the login: 535 5.7.8 Authentication failed`
  assert.ok(failed.err.includes(sentence), failed.err)

  await using server = await serve(['--port', '0', ...FROM, ...PUBLIC], { CHAT_MAIL_URL: url })
  const through = await command(['mail', 'test', 'ann@example.com'])
  assert.equal(through.code, 1)
  assert.ok(through.err.includes(sentence), through.err)
  for (const text of [failed.err, through.err, server.err()]) assert.ok(!text.includes('hunter2'), text)
})

test('doctor reports a failing mail server, and email without a server', async () => {
  using _ = new WorkingFolder()
  const owner = ['--org', 'Elsinore', '--owner-email', 'o@example.com', '--owner-name', 'Olga']
  await command(['init', ...owner])
  const doctor = async () => (await command(['doctor'])).out.split('\n').find((line) => line.includes('email:'))
  assert.match((await doctor())!, /^ok +email: 0 waiting, 0 failed$/)
  await using chat = await openChat({ db: 'chat.db' })
  await storeOf(chat).write(async ({ db }) => {
    await db.insertInto('mail_failure').values({ failure: 'refused', since: 1_700_000_000 }).execute()
  })
  await chat.close()
  assert.match((await doctor())!, /^FAILED +email: waits since 2023-11-14T22:13:20\.000Z: refused; 0 waiting/)
  await using server = await serve(['--port', '0'])
  assert.ok(server.url)
  assert.match((await doctor())!, /^ok +email: not configured; 0 waiting, 0 failed/)
})

test('says what is missing before it creates a database', async () => {
  using _ = new WorkingFolder()
  const url = ['--mail-url', 'smtp://mail.example.com']
  const cases: [string[], RegExp][] = [
    [[...url, ...FROM], /needs --public-url, because emails contain links/],
    [[...url, ...PUBLIC], /needs --mail-from/],
    [[...FROM, ...PUBLIC], /needs --mail-url/],
    [['--mail-url', 'http://mail.example.com', ...FROM, ...PUBLIC], /must start with smtp:/],
    [[...url, '--mail-from', 'Chat', ...PUBLIC], /sender must be an email address/],
    [[...url, ...FROM, ...PUBLIC, '--mail-dkim', 'example.com'], /--mail-dkim must have the form/],
    [[...url, ...FROM, ...PUBLIC, '--mail-rate', '60'], /--mail-rate must have the form EMAILS\/SECONDS/],
    [[...url, ...FROM, ...PUBLIC, '--mail-rate', '0/60'], /--mail-rate must have the form EMAILS\/SECONDS/],
  ]
  for (const [args, reason] of cases) {
    const { code, err } = await command(['serve', '--port', '0', ...args])
    assert.equal(code, 1)
    assert.match(err, reason)
  }
  assert.equal(existsSync('chat.db'), false)
  await command(['init', '--org', 'o', '--owner-email', 'o@example.com', '--owner-name', 'Olga'])
  assert.match(
    (await command(['mail', 'test', 'ann@example.com'])).err,
    /This server doesn't send email\. Start it with/,
  )
})
