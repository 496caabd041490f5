import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import test from 'node:test'
import { HEARTBEAT_SECONDS } from '../../src/core/kernel/base/limits.ts'
import { TemporaryFolder } from '../temporary-folder.ts'
import { command, serve, WorkingFolder } from './in-process.ts'
import { commandFile, start } from './running.ts'

const credentialsIn = (out: string) => ({
  email: /Email\s+(\S+)/.exec(out)![1]!,
  password: /Password\s+(\S+)/.exec(out)![1]!,
  key: /API key\s+(\S+)/.exec(out)![1]!,
  curl: /^\s+(curl .+)$/m.exec(out)?.[1],
})

test('the first start creates an organization and prints credentials and a working curl line', async () => {
  using folder = new WorkingFolder()
  await using server = await start(folder, ['--port', '0'])
  assert.match(server.url, /^http:\/\/127\.0\.0\.1:\d+$/)
  const { email, password, key, curl } = credentialsIn(server.out())
  const answer = JSON.parse(execFileSync('sh', ['-c', `${curl} -s`], { encoding: 'utf8' }))
  assert.equal(answer.result, 'success')
  assert.equal(typeof answer.id, 'number')
  const login = await fetch(`${server.url}/api/v1/fetch_api_key`, {
    method: 'POST',
    body: new URLSearchParams({ username: email, password }),
  })
  assert.equal(login.status, 200)
  // Only the owner can read the server's files.
  for (const file of readdirSync(folder.path)) assert.equal(statSync(join(folder.path, file)).mode & 0o077, 0, file)

  server.process.kill('SIGTERM')
  assert.equal(await server.ended, 0)
  assert.deepEqual(readdirSync(folder.path).sort(), ['chat.db', 'chat.db.secret', 'chat.db.state'])
  assert.deepEqual(server.warnings(), [])

  await using again = await serve(['serve', '--port=0', '--no-rate-limit', '--public-url', 'https://chat.example.com/'])
  assert.equal(again.out(), `chat-server listening on ${again.url}\n`)
  const settings = await fetch(`${again.url}/api/v1/server_settings`)
  assert.equal(settings.headers.get('x-ratelimit-limit'), null)
  const authorization = `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`
  assert.equal((await fetch(`${again.url}/api/v1/users/me`, { headers: { authorization } })).status, 200)
})

test('answers a search from a snapshot in the worker beside the bundle', async () => {
  using folder = new TemporaryFolder()
  await using server = await start(folder, ['--port', '0'])
  const { email, key } = credentialsIn(server.out())
  const headers = { authorization: `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}` }
  assert.ok(readdirSync(dirname(commandFile)).includes('snapshot-worker.js'))
  const post = new URLSearchParams({ type: 'stream', to: 'general', topic: 'x', content: 'a needle in a haystack' })
  await fetch(`${server.url}/api/v1/messages`, { method: 'POST', headers, body: post })
  const query = new URLSearchParams({
    anchor: 'newest',
    num_before: '10',
    num_after: '0',
    narrow: JSON.stringify([['search', 'needle']]),
  })
  const answer = await fetch(`${server.url}/api/v1/messages?${query}`, { headers })
  const found = (await answer.json()) as { messages: { match_content: string }[] }
  assert.deepEqual(
    found.messages.map((message) => message.match_content),
    ['<p>a <span class="highlight">needle</span> in a haystack</p>'],
  )
  assert.deepEqual(server.warnings(), [])
})

test('reads options from the environment', async () => {
  using folder = new WorkingFolder()
  const db = join(folder.path, 'other.db')
  await using server = await serve([], {
    CHAT_DB: db,
    CHAT_PORT: '0',
    CHAT_HOST: 'localhost',
    CHAT_NO_RATE_LIMIT: '1',
  })
  assert.match(server.url, /^http:\/\/localhost:\d+$/)
  assert.ok(existsSync(db))
  assert.equal((await fetch(`${server.url}/api/v1/server_settings`)).headers.get('x-ratelimit-limit'), null)
})

test('SIGTERM answers waiting polls and exits with 0 promptly', async () => {
  using folder = new TemporaryFolder()
  await using server = await start(folder, ['--port', '0'])
  const { email, key } = credentialsIn(server.out())
  const headers = { authorization: `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}` }
  const registered = await fetch(`${server.url}/api/v1/register`, { method: 'POST', headers })
  const { queue_id, last_event_id } = (await registered.json()) as { queue_id: string; last_event_id: number }
  const poll = fetch(`${server.url}/api/v1/events?queue_id=${queue_id}&last_event_id=${last_event_id}`, { headers })
  // Connections are accepted in order.
  await (await fetch(`${server.url}/api/v1/server_settings`)).text()
  const before = performance.now()
  server.process.kill('SIGTERM')
  assert.equal((await poll).status, 200)
  assert.equal(await server.ended, 0)
  // Otherwise its heartbeat would have answered the poll.
  assert.ok(performance.now() - before < HEARTBEAT_SECONDS * 1000)
})

test('survives oversized chunked uploads', async () => {
  using folder = new TemporaryFolder()
  await using server = await start(folder, ['--port', '0', '--no-rate-limit'])
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  for (let i = 0; i < 10; i++) {
    const body = new ReadableStream({
      start(controller) {
        for (let n = 0; n < 40; n++) controller.enqueue(new Uint8Array(65_536).fill(97))
        controller.close()
      },
    })
    const reply = await fetch(`${server.url}/api/v1/fetch_api_key`, {
      method: 'POST',
      headers,
      body,
      duplex: 'half',
    } as RequestInit)
    assert.equal(reply.status, 413)
  }
  assert.equal((await fetch(`${server.url}/api/v1/server_settings`)).status, 200)
})

test('reports a database in use in one line', async () => {
  using folder = new WorkingFolder()
  await using _ = await start(folder, ['--port', '0'])
  const second = await command(['--port', '0'])
  assert.equal(second.code, 1)
  assert.match(second.err, /^chat-server: chat\.db is in use by process \d+ on \S+, since .+\n$/)
})

test("says why it can't listen and creates nothing", async () => {
  using folder = new WorkingFolder()
  const blocker = createServer().listen(0, '127.0.0.1').unref()
  await once(blocker, 'listening')
  const { port } = blocker.address() as { port: number }
  const table: [string[], RegExp][] = [
    [
      ['--port', String(port)],
      new RegExp(`port ${port} is in use by \\S+ \\(process ${process.pid}\\)\\. Choose another with --port`),
    ],
    [
      ['--port', '0', '--host', '192.0.2.1'],
      /192\.0\.2\.1 is not an address of this machine\. Its addresses are .*127\.0\.0\.1/,
    ],
    [
      ['--port', '0', '--host', 'no.such.name.invalid'],
      /no\.such\.name\.invalid is not an address or a known host name/,
    ],
  ]
  for (const [args, message] of table) {
    const { code, err } = await command(args)
    assert.deepEqual([code, err.trim().split('\n').length], [1, 1], err)
    assert.match(err, message)
    assert.deepEqual(readdirSync(folder.path), [])
  }
})

test('prints an address that can be opened when listening on all interfaces', async () => {
  using _folder = new WorkingFolder()
  for (const host of ['0.0.0.0', '::']) {
    await using server = await serve(['--port', '0', '--host', host])
    assert.doesNotMatch(server.url, /0\.0\.0\.0|\[::\]/)
    assert.equal((await fetch(`${server.url}/api/v1/server_settings`)).status, 200)
  }
})

test('reports invalid options and starts nothing', async () => {
  using _folder = new WorkingFolder()
  const table: [string[], RegExp][] = [
    [['--port', 'x'], /The port must be between 0 and 65535/],
    [['--public-url', 'chat.example.com'], /http:\/\/ or https:\/\//],
    [['--max-emoji-file-size-mib', '0'], /at most 1024 MiB/],
    [['--nonsense'], /unknown option '--nonsense'/],
    [['--db', 'no/such/folder/chat.db'], /folder .* does not exist/],
    [['--db', '.'], /is a folder/],
  ]
  for (const [args, message] of table) {
    const { code, err } = await command(args)
    assert.equal(code, 1, args.join(' '))
    assert.match(err, message)
    assert.equal(err.includes('    at '), false)
  }
})

test('either variable sets the maximum emoji size, and the option overrides both', async () => {
  const old = { MAX_EMOJI_FILE_SIZE_MIB: '2' }
  const table: [args: string[], env: NodeJS.ProcessEnv, limit: number][] = [
    [[], old, 2],
    [[], { CHAT_MAX_EMOJI_FILE_SIZE_MIB: '1' }, 1],
    [[], { ...old, CHAT_MAX_EMOJI_FILE_SIZE_MIB: '1' }, 1],
    [['--max-emoji-file-size-mib', '3'], old, 3],
  ]
  for (const [args, env, limit] of table) {
    using _folder = new WorkingFolder()
    await using server = await serve(['--port', '0', ...args], env)
    const { email, key } = credentialsIn(server.out())
    const body = new FormData()
    body.append('filename', new Blob([new Uint8Array(limit * 1024 * 1024 + 1)]), 'large.gif')
    const authorization = `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`
    const answer = await fetch(`${server.url}/api/v1/realm/emoji/large`, {
      method: 'POST',
      headers: { authorization },
      body,
    })
    const { msg } = (await answer.json()) as { msg: string }
    assert.equal(msg, `Uploaded file is larger than the allowed limit of ${limit} MiB`)
  }
})
