import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import test from 'node:test'
import { command, serve, WorkingFolder } from './in-process.ts'

const realmUrl = async (url: string, headers: Record<string, string>) =>
  ((await (await fetch(`${url}/api/v1/server_settings`, { headers })).json()) as { realm_url: string }).realm_url
const forwarded = {
  'x-forwarded-for': '192.0.2.1',
  'x-forwarded-proto': 'https',
  'x-forwarded-host': 'chat.example.com',
}

test('trusts a proxy by its address, by its range or on loopback', async () => {
  using _folder = new WorkingFolder()
  const ways: [args: string[], env: NodeJS.ProcessEnv][] = [
    [['--trust-proxy'], {}],
    [['--trust-proxy', '10.0.0.0/8,127.0.0.1'], {}],
    [[], { CHAT_TRUST_PROXY: '127.0.0.0/8' }],
    [[], { CHAT_TRUST_PROXY: '1' }],
  ]
  for (const [args, env] of ways) {
    await using server = await serve(['--port', '0', ...args], env)
    assert.deepEqual([args, await realmUrl(server.url, forwarded)], [args, 'https://chat.example.com'])
    assert.deepEqual(server.warnings(), [])
  }
  await using server = await serve(['--port', '0', '--trust-proxy', '10.0.0.0/8'], {})
  for (let i = 0; i < 3; i++) assert.equal(await realmUrl(server.url, forwarded), server.url)
  const [warning, ...more] = server.warnings()
  assert.deepEqual([warning?.level, warning?.address, more], ['warn', '127.0.0.1', []])
  assert.match(warning!.msg, /^127\.0\.0\.1 sends X-Forwarded-\* headers, which are ignored/)
})

test('signs in the person whom a trusted proxy names', async () => {
  using _folder = new WorkingFolder()
  const signIn = async (url: string) => {
    const headers = { 'x-remote-user': 'owner@localhost' }
    const { status } = await fetch(`${url}/accounts/login/sso/`, { headers, redirect: 'manual' })
    return status
  }
  const ways: [args: string[], env: NodeJS.ProcessEnv, status: number][] = [
    [['--trust-proxy', '--user-header', 'X-Remote-User'], {}, 302],
    [['--trust-proxy', '10.0.0.0/8'], { CHAT_USER_HEADER: 'X-Remote-User:X-Remote-Groups' }, 400],
    [['--trust-proxy'], { CHAT_USER_HEADER: '' }, 400],
  ]
  for (const [args, env, status] of ways) {
    await using server = await serve(['--port', '0', ...args], env)
    assert.deepEqual([args, await signIn(server.url)], [args, status])
  }
})

test('rejects invalid limits and proxies before creating anything', async () => {
  using folder = new WorkingFolder()
  for (const args of [
    ['--trust-proxy', 'example.com'],
    ['--user-header', 'X-Remote-User'],
    ['--trust-proxy', '--user-header', 'Cookie'],
    ['--rate-limit', 'bot'],
    ['--rate-limit', 'nobody=1/1'],
  ]) {
    const { code, err } = await command(['--port', '0', ...args])
    assert.deepEqual([args, code], [args, 1])
    assert.match(err, /^chat-server: [^\n]+\n$/)
  }
  assert.deepEqual(readdirSync(folder.path), [])
})

test("applies the command line's limits and answers refusals in JSON", async () => {
  using _folder = new WorkingFolder()
  await using server = await serve([
    '--port',
    '0',
    '--rate-limit',
    'address=3/60,bot=9/9',
    '--rate-limit',
    'files=2/60',
  ])
  for (let i = 0; i < 3; i++) assert.equal((await fetch(`${server.url}/api/v1/server_settings`)).status, 200)
  const hit = await fetch(`${server.url}/api/v1/server_settings`)
  assert.deepEqual(((await hit.json()) as { limit: object }).limit, {
    name: 'address',
    per: 'address',
    requests: 3,
    seconds: 60,
  })
  const { out } = await command(['doctor'])
  assert.match(out, /^ok +limits: user=200\/60 bot=9\/9 address=3\/60 files=2\/60 polls=3000\/60 password=5\/1800 /m)
  assert.equal((await fetch(`${server.url}/health/ready`)).status, 200)

  const got = await new Promise<string>((resolve) => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    let text = ''
    socket.on('data', (data) => {
      text += data
    })
    socket.on('close', () => resolve(text)).on('end', () => socket.end())
    socket.write(`GET / HTTP/1.1\r\nHost: x\r\nA: ${'x'.repeat(20_000)}\r\n\r\n`)
  })
  assert.match(got, /^HTTP\/1\.1 431 [\s\S]+"code":"HEADERS_TOO_LARGE"/)
  assert.deepEqual(server.warnings(), [])
})
