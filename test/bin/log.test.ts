import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import test from 'node:test'
import { readableLine } from '../../bin/readable-line.ts'
import { basic, form } from '../http/targets.ts'
import { TemporaryFolder } from '../temporary-folder.ts'
import { command, serve, WorkingFolder } from './in-process.ts'
import type { LogLine } from './output.ts'
import { commandFile, start } from './running.ts'

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

async function init() {
  const args = ['init', '--json', '--org', 'Log', '--owner-email', 'iago@example.com', '--owner-name', 'Iago']
  const { out } = await command(args)
  return JSON.parse(out) as { email: string; password: string; api_key: string; user_id: number }
}

test('logs one line of JSON per event, with time and level, from start to stop', async () => {
  using folder = new TemporaryFolder()
  await using server = await start(folder, ['--port', '0'])
  server.process.kill('SIGTERM')
  await server.ended
  const log = server.log()
  assert.deepEqual(
    log.map(({ level, msg, reason }) => [level, msg, reason]),
    [
      ['info', 'started', undefined],
      ['info', 'the organization is not set up yet; the setup link is on standard output', undefined],
      ['info', 'stopping', 'SIGTERM'],
      ['info', 'stopped', undefined],
    ],
  )
  for (const { time } of log) assert.match(time, ISO_TIME)
  assert.equal(log[0]!.db, 'chat.db')
})

test('logs requests only when asked to', async () => {
  using _ = new WorkingFolder()
  const { email, api_key, user_id } = await init()
  const ways: [args: string[], env: NodeJS.ProcessEnv, logged: boolean][] = [
    [['--log-requests'], {}, true],
    [[], { CHAT_LOG_REQUESTS: '1' }, true],
    [[], { CHAT_LOG_REQUESTS: '0' }, false],
    [[], {}, false],
  ]
  for (const [args, env, logged] of ways) {
    await using server = await serve(['--port', '0', ...args], env)
    const headers = { authorization: basic(email, api_key) }
    const response = await fetch(`${server.url}/api/v1/users/me?client_gravatar=true`, { headers })
    await server.stop()
    const [request, ...more] = server.log().filter(({ msg }) => msg === 'request')
    assert.deepEqual([args, env, request !== undefined, more], [args, env, logged, []])
    if (!request) continue
    const { time, level, method, path, status, ms, request_id, address } = request
    assert.match(time, ISO_TIME)
    assert.deepEqual(
      [level, method, path, status, request.user_id, address],
      ['info', 'GET', '/api/v1/users/me?client_gravatar=true', 200, user_id, '127.0.0.1'],
    )
    assert.equal(typeof ms, 'number')
    assert.equal(request_id, response.headers.get('x-request-id'))
  }
})

test('logs no passwords, keys, tokens or message text during a busy session', async () => {
  using _ = new WorkingFolder()
  const { email, password, api_key } = await init()
  await using server = await serve(['--port', '0', '--log-requests'])
  const secrets = new Set([password, api_key])
  const ask = async (
    method: string,
    path: string,
    parameters: Record<string, string> = {},
    key = api_key,
    who = email,
  ) => {
    const authorization = basic(who, key)
    secrets.add(authorization.slice('Basic '.length)).add(key)
    const body = form(parameters)
    const query = method === 'GET' ? `?${body}` : ''
    const init = { method, headers: { authorization }, ...(method !== 'GET' && { body }) }
    const response = await fetch(`${server.url}${path}${query}`, init)
    return [response.status, (await response.json()) as Record<string, unknown>] as const
  }
  const api = (method: string, path: string, parameters?: Record<string, string>, key?: string) =>
    ask(method, `/api/v1${path}`, parameters, key)
  const secret = (text: string) => {
    secrets.add(text)
    return text
  }

  await api('POST', '/fetch_api_key', { username: email, password })
  await api('POST', '/fetch_api_key', { username: email, password: secret('wrong-Pa55word') })
  await api('POST', `/fetch_api_key?username=${email}&password=${secret('in-the-query-9')}`)
  await api('GET', '/users/me', {}, 'k'.repeat(32))
  await api('GET', '/users/me', { api_key: secret('NotAKeyButItLooksLikeOneABCDEFGH') })
  await api('POST', '/users', { email: 'ann@example.com', full_name: 'Ann', password: secret('correct-horse-1') })
  await api('POST', '/messages', { type: 'stream', to: 'general', topic: 'x', content: secret('my-own-words') })
  await api('POST', '/messages', { type: 'stream', to: secret('no-such-stream-here'), topic: 'x', content: 'y' })
  await api('GET', '/messages', { narrow: `[["search","${secret('sought-for-words')}"]]`, anchor: 'newest' })
  await api('PUT', '/bot_storage', { storage: `{"k":"${secret('kept-by-a-bot')}"}` })
  const [, { queue_id }] = await api('POST', '/register', { event_types: '["message"]' })
  await api('GET', '/events', { queue_id: secret(String(queue_id)), last_event_id: '-1', dont_block: 'true' })
  await api('POST', '/register', { event_types: secret('{not-json-at-all') })
  await ask('GET', `/reset/${secret('aB3aB3aB3aB3aB3aB3aB3aB3aB3')}`)
  await ask('GET', `/api/v1/users/${secret('aB3aB3aB3aB3aB3aB3aB3aB3aB4')}`)
  await api('PATCH', '/settings', { old_password: 'wrong-Pa55word', new_password: secret('never-set-99') })
  const [changed] = await api('PATCH', '/settings', {
    old_password: password,
    new_password: secret('battery-Staple-2'),
  })
  assert.equal(changed, 200)
  await fetch(`${server.url}/api/v1/users/me`, { headers: { authorization: secret('Bearer of-a-token') } })

  await server.stop()
  const requests = server.log().filter(({ msg }) => msg === 'request')
  assert.equal(requests.length, 18)
  for (const text of secrets) assert.ok(!server.err().includes(text), `${text} is in the log:\n${server.err()}`)
  assert.doesNotMatch(server.err(), /authorization|basic /i)
})

test('logs the failure that ends a running server', async () => {
  using folder = new TemporaryFolder()
  // Thrown where nobody catches it, once the server says that it listens.
  const fault = `data:text/javascript,${encodeURIComponent(`
    const write = process.stdout.write
    process.stdout.write = function (text, ...more) {
      if (String(text).includes('listening')) setTimeout(() => { throw new TypeError('a bug') })
      return write.call(this, text, ...more)
    }`)}`
  const ended = spawnSync(process.execPath, ['--import', fault, commandFile, '--port', '0'], {
    cwd: folder.path,
    encoding: 'utf8',
  })
  const last = JSON.parse(ended.stderr.trim().split('\n').at(-1)!) as LogLine & { err: { type: string; stack: string } }
  assert.deepEqual([ended.status, last.level, last.msg, last.err.type], [1, 'fatal', 'a bug; stopping', 'TypeError'])
  assert.match(last.err.stack, /\n {4}at /)
})

test('prints readable lines on a terminal and escapes external text', () => {
  const time = '2026-11-21T10:20:30.000Z'
  const show = (line: object) => readableLine(JSON.stringify({ time, ...line }), false).replace(/^\d\d:\d\d:\d\d /, '')
  const table: [line: object, shown: string][] = [
    [{ level: 'info', msg: 'request', method: 'GET', status: 200 }, 'info  request  method=GET  status=200\n'],
    [{ level: 'warn', msg: 'a\nb\x1b[2J', path: '/x y', who: 'a\nb' }, 'warn  a b [2J  path="/x y"  who="a\\nb"\n'],
    [{ level: 'error', err: { stack: 'Error: x\n    at y\x07' } }, 'error \nError: x\n    at y \n'],
  ]
  for (const [line, shown] of table) assert.equal(show(line), shown)
  assert.ok(
    readableLine(JSON.stringify({ time, level: 'warn', msg: 'x' }), true).endsWith(
      ` ${'\x1b[33m'}warn ${'\x1b[0m'} x\n`,
    ),
  )
})
