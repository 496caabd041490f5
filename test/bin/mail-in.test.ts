import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import test from 'node:test'
import { onlyOnSqlite } from '../dialect.ts'
import { eventually } from '../eventually.ts'
import { dialogue } from '../mail/receiving/dialogue.ts'
import { write } from '../mail/receiving/in-world.ts'
import { rounds } from '../rounds.ts'
import { TemporaryFolder } from '../temporary-folder.ts'
import { command, WorkingFolder } from './in-process.ts'
import { addressIn, init, topicsIn } from './mail-in-server.ts'
import type { Ended } from './output.ts'
import { commandFile, type Running, run, start } from './running.ts'

const ADDRESS = ['--mail-in-address', '%s@chat.example.com']
const args = ['--port', '0', '--no-web', '--no-rate-limit', '--public-url', 'https://chat.example.com', ...ADDRESS]
const onFile = onlyOnSqlite('a file of its own')

/** Pipes an email to the command, as a mail server does. */
function pipe(folder: { path: string }, raw: string, more: string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const child = spawn(process.execPath, [commandFile, 'mail', 'receive', ...more], {
    cwd: folder.path,
    env: { ...process.env, SENDER: 'sender@elsewhere.example', ...env },
  })
  let out = ''
  let err = ''
  child.stdout.on('data', (data) => {
    out += data
  })
  child.stderr.on('data', (data) => {
    err += data
  })
  // It may end before it has read everything.
  child.stdin.on('error', () => {})
  child.stdin.end(raw)
  return new Promise((resolve) => child.once('close', (code) => resolve({ code: code ?? -1, out, err })))
}

test('posts an email from a pipe, while the server runs and while it does not', onFile, async () => {
  using folder = new TemporaryFolder()
  assert.equal((await run(folder, init)).code, 0)
  let address = ''
  {
    await using server = await start(folder, args)
    address = await addressIn(server.url)
    const sent = await pipe(folder, write({ 'message-id': '<1@x.example>', subject: 'running' }), [address])
    assert.deepEqual([sent.code, sent.out, sent.err], [0, `${address}: posted\n`, ''])
    const large = write({ 'message-id': '<2@x.example>', subject: 'large', body: 'x'.repeat(5_000_000) })
    assert.equal((await pipe(folder, large, [address])).code, 0)
    assert.deepEqual(
      readdirSync(folder.path).filter((name) => name.startsWith('.mail')),
      [],
    )
    const mbox = `From sender Thu Jan  1\n${write({ 'message-id': '<3@x.example>', subject: 'mbox', 'x-original-to': address })}`
    assert.deepEqual((await pipe(folder, mbox, [])).out, `${address}: posted\n`)
    assert.deepEqual((await topicsIn(server.url)).slice(-3), ['running', 'large', 'mbox'])
  }
  const stopped = await pipe(folder, write({ subject: 'stopped' }), [], { ORIGINAL_RECIPIENT: address })
  assert.deepEqual([stopped.code, stopped.out], [0, `${address}: posted\n`])
  const again = await pipe(folder, write({ 'message-id': '<1@x.example>', subject: 'running' }), [address])
  assert.deepEqual([again.code, again.out], [0, `${address}: repeated\n`])
})

test('ends with the exit codes that mail servers know', onFile, async () => {
  using folder = new TemporaryFolder()
  const none = `${'0'.repeat(32)}@chat.example.com`
  // Without a database, the mail server must try again later.
  assert.equal((await pipe(folder, write({}), [none])).code, 75)
  assert.equal((await run(folder, init)).code, 0)
  await using server = await start(folder, args)
  const address = await addressIn(server.url)
  const codeOf = async (raw: string, more: string[], env = {}) => (await pipe(folder, raw, more, env)).code
  assert.equal(await codeOf(write({}), []), 64)
  assert.equal(await codeOf(write({}), [none]), 67)
  assert.equal(await codeOf(write({ 'x-long': 'y'.repeat(300_000) }), [address]), 65)
  assert.equal(await codeOf('x'.repeat(26 * 1024 * 1024), [address]), 65)
  const bounce = await pipe(folder, write({}), [address], { SENDER: 'MAILER-DAEMON' })
  assert.deepEqual([bounce.code, bounce.out], [0, `${address}: ignored\n`])
})

test('says which options are missing or wrong, before it creates a database', async () => {
  using _ = new WorkingFolder()
  const cases: [string[], RegExp][] = [
    [['--mail-in', '127.0.0.1:2525'], /--mail-in needs --mail-in-address/],
    [['--mail-in', '2525', ...ADDRESS], /must have the form 127\.0\.0\.1:2525/],
    [['--mail-in-address', 'chat@example.com'], /must have the form %s@chat\.example\.com/],
    [['--mail-in-address', '%s+%s@example.com'], /must have the form %s@chat\.example\.com/],
  ]
  for (const [options, reason] of cases) {
    const { code, err } = await command(['serve', '--port', '0', ...options])
    assert.equal(code, 1)
    assert.match(err, reason)
  }
  assert.equal(existsSync('chat.db'), false)
})

// All of them together are fewer than an address takes in a minute.
const PER_ROUND = 3
const total = rounds({ short: 1, full: 6, variable: 'MAIL_IN_KILLS' })

test(`loses no acknowledged email in ${total} kills, and doubles none`, onFile, async (t) => {
  t.diagnostic(`${total} kills`)
  using folder = new TemporaryFolder()
  assert.equal((await run(folder, init)).code, 0)
  const launch = () => start(folder, [...args, '--mail-in', 'lmtp://127.0.0.1:0'])
  let address = ''
  const all: string[] = []
  let waiting: string[] = []
  let acknowledged = 0
  /** Delivers emails until the server dies. A mail server keeps what wasn't acknowledged. */
  async function deliver(server: Running, killAfter: number): Promise<void> {
    const left: string[] = []
    using client = await dialogue(await portOf(server))
    for (const [index, name] of waiting.entries()) {
      const raw = write({ 'message-id': `<${name}@x.example>`, subject: name })
      // Somewhere between the arrival of the email and its acknowledgment.
      if (index === killAfter) setImmediate(() => server.process.kill('SIGKILL'))
      const [, reply = 'closed'] = await client.deliver([address], raw)
      if (reply.startsWith('250')) acknowledged++
      else left.push(name)
    }
    waiting = left
  }
  for (let round = 0; round < total; round++) {
    await using server = await launch()
    address ||= await addressIn(server.url)
    const names = Array.from({ length: PER_ROUND }, (_, i) => `mail ${round} ${i}`.replaceAll(' ', '-'))
    all.push(...names)
    waiting.push(...names)
    await deliver(server, round % PER_ROUND)
  }
  await using server = await launch()
  await deliver(server, Number.POSITIVE_INFINITY)
  assert.deepEqual(waiting, [])
  const topics = (await topicsIn(server.url)).filter((topic) => topic.startsWith('mail-'))
  assert.deepEqual(topics.toSorted(), all.toSorted())
  t.diagnostic(`${acknowledged} acknowledged of ${all.length}`)
  assert.equal(acknowledged, all.length)
})

/** Returns the port on which email comes in, from the log. */
async function portOf(server: Running): Promise<number> {
  let port: string | undefined
  await eventually('the server listens for email', () => {
    port = /"port":(\d+)[^\n]*email can come in/.exec(server.err())?.[1]
    return port !== undefined
  })
  return Number(port)
}
