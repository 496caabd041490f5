import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { onlyOnSqlite } from '../dialect.ts'
import { eventually } from '../eventually.ts'
import { imapServer } from '../mail/receiving/imap-server.ts'
import { write } from '../mail/receiving/in-world.ts'
import { rounds } from '../rounds.ts'
import { TemporaryFolder } from '../temporary-folder.ts'
import { command, WorkingFolder } from './in-process.ts'
import { addressIn, init, topicsIn } from './mail-in-server.ts'
import { run, start } from './running.ts'

const args = ['--port', '0', '--no-web', '--no-rate-limit', '--public-url', 'https://chat.example.com']
const ADDRESS = ['--mail-in-address', '%s@chat.example.com']
const onFile = onlyOnSqlite('a file of its own')

/** Moments of the dialogue after which the server dies: before an email is read, before it is posted, before it is marked. */
const moments = ['FETCH', 'BODY.PEEK[]', 'STORE'] as const
const total = rounds({ short: 3, full: 9, variable: 'MAILBOX_KILLS' })

test(`loses no email of a mailbox in ${total} kills, and doubles none`, onFile, async (t) => {
  t.diagnostic(`${total} kills`)
  using folder = new TemporaryFolder()
  await using mailbox = await imapServer()
  assert.equal((await run(folder, init)).code, 0)
  const launch = () => start(folder, [...args, ...ADDRESS], { CHAT_MAIL_IN: mailbox.url })
  const all: string[] = []
  let address = ''
  for (let round = 0; round < total; round++) {
    await using server = await launch()
    address ||= await addressIn(server.url)
    const moment = moments[round % moments.length]!
    mailbox.state.misbehaves = (line) => {
      if (!line.includes(moment)) return undefined
      server.process.kill('SIGKILL')
      return 'nothing'
    }
    const name = `mail-${round}`
    all.push(name)
    mailbox.arrives(write({ to: address, 'message-id': `<${name}@x.example>`, subject: name }))
    await server.ended
    mailbox.state.misbehaves = undefined
  }
  await using server = await launch()
  const inbox = () => mailbox.state.folders.get('INBOX')!
  await eventually('all are marked', () => inbox().every(({ flags }) => flags.has('\\Seen')))
  assert.equal(inbox().length, total)
  const topics = (await topicsIn(server.url)).filter((topic) => topic.startsWith('mail-'))
  assert.deepEqual(topics.toSorted(), all.toSorted())
})

test('says in the log and in the doctor’s findings that the mailbox fails, without the password', onFile, async () => {
  using folder = new TemporaryFolder()
  await using mailbox = await imapServer({ password: 'right' })
  assert.equal((await run(folder, init)).code, 0)
  const url = mailbox.url.replace(':right@', ':s3cret-w0rd@')
  await using server = await start(folder, [...args, ...ADDRESS], { CHAT_MAIL_IN: url })
  const sentence = `The mail server 127.0.0.1:${mailbox.port} rejected the login`
  await eventually('the log says it', () => server.err().includes(sentence))
  let doctor = await run(folder, ['doctor'])
  await eventually('the doctor says it', async () => {
    doctor = await run(folder, ['doctor'])
    return doctor.out.includes(sentence)
  })
  assert.equal(doctor.code, 1)
  assert.match(doctor.out, /^FAILED {3}incoming email: waits since 20\S+Z: The mail server [^\n]*$/m)
  const all = server.err() + server.out() + doctor.out + doctor.err
  assert.ok(!all.includes('s3cret-w0rd'))
})

test('says what is wrong with the address of a mailbox, before it creates a database', async () => {
  using _ = new WorkingFolder()
  const cases: [string[], RegExp][] = [
    [['--mail-in', 'imaps://a:s3cret@b'], /--mail-in needs --mail-in-address/],
    [['--mail-in', 'imaps://a@b', ...ADDRESS], /--mail-in needs the user name and password/],
    [['--mail-in', 'imaps://a:s3cret%zz@b', ...ADDRESS], /The password in --mail-in is not encoded correctly/],
    [['--mail-in', 'imaps://a:s3cret@b?x=1', ...ADDRESS], /--mail-in has an unknown parameter, x/],
  ]
  for (const [options, reason] of cases) {
    const { code, err } = await command(['serve', '--port', '0', ...options])
    assert.equal(code, 1)
    assert.match(err, reason)
    assert.ok(!err.includes('s3cret'))
  }
  assert.equal(existsSync('chat.db'), false)
})

const withoutPackage = `import { registerHooks } from 'node:module'
registerHooks({
  resolve(name, context, next) {
    if (name === 'imapflow') throw Object.assign(new Error('missing'), { code: 'ERR_MODULE_NOT_FOUND' })
    return next(name, context)
  },
})`

test('names the package that a mailbox needs if it is not installed, and loads it only then', async () => {
  using folder = new TemporaryFolder()
  const hook = join(folder.path, 'hook.mjs')
  writeFileSync(hook, withoutPackage)
  const env = { NODE_OPTIONS: `--import ${hook}` }
  const { code, err } = await run(folder, [...args, ...ADDRESS, '--mail-in', 'imaps://a:s3cret@127.0.0.1:1'], env)
  assert.equal(code, 1)
  assert.match(err, /Email from a mailbox needs the package imapflow\. Install it with: npm install imapflow/)
  assert.equal(existsSync(join(folder.path, 'chat.db')), false)
  await using server = await start(folder, [...args, ...ADDRESS, '--mail-in', '127.0.0.1:0'], env)
  await eventually('it listens', () => server.err().includes('email can come in'))
})
