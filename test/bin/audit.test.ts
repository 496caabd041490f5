import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { eventually } from '../eventually.ts'
import { command, serve, WorkingFolder } from './in-process.ts'

const init = ['init', '--org', 'Elsinore', '--owner-email', 'o@example.com', '--owner-name', 'Ophelia']
const lines = (text: string) =>
  text
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

test('prints the audit log with filters, from a running server and from the file', async () => {
  using _folder = new WorkingFolder()
  await command(init)
  await command(['user', 'add', 'h@example.com', '--name', '=Hamlet'])
  await using server = await serve(['--port', '0'])
  const wrong = { username: 'h@example.com', password: 'wrong' }
  await fetch(`${server.url}/api/v1/fetch_api_key`, { method: 'POST', body: new URLSearchParams(wrong) })
  const live = lines((await command(['audit'])).out)
  const last = live.at(-1)
  assert.deepEqual([last.action, last.outcome, last.address], ['signIn', 'failed', '127.0.0.1'])
  await server.stop()
  const all = lines((await command(['audit'])).out)
  assert.deepEqual(all, live)
  const created = await command(['audit', '--action', 'createUser'])
  assert.deepEqual(
    lines(created.out).map(({ after, address }) => [after.full_name, address]),
    [['=Hamlet', 'command line']],
  )
  assert.equal((await command(['audit', '--until', '2020-01-01'])).out, '')
  assert.equal(lines((await command(['audit', '--since', '2020-01-01T00:00:00Z'])).out).length, all.length)
  assert.equal((await command(['audit', '--actor', 'h@example.com'])).out, '')
  const csv = (await command(['audit', '--csv', '--action', 'createUser'])).out.split('\n')
  assert.match(csv[0]!, /^id,at,actor_id/)
  assert.equal(csv.length, 3)
  for (const [args, message] of [
    [['--since', 'yesterday'], /The time must be a day/],
    [['--since', '2026-13-01'], /The time must be a day/],
    [['--actor', 'nobody@example.com'], /No account has the email address/],
  ] as const) {
    const { code, err } = await command(['audit', ...args])
    assert.equal(code, 1)
    assert.match(err, message)
  }
})

test('appends the audit log to a file, which may be rotated, and continues after a restart', async () => {
  using folder = new WorkingFolder()
  await command(init)
  const file = join(folder.path, 'audit.jsonl')
  const actions = () => lines(readFileSync(file, 'utf8')).map(({ action }) => action)
  {
    await using server = await serve(['--port', '0', '--audit-log', 'audit.jsonl'])
    await command(['user', 'add', 'h@example.com', '--name', 'Hamlet'])
    await eventually('the entry arrives', () => existsSync(file) && actions().includes('createUser'))
    assert.equal(statSync(file).mode & 0o077, 0)
    await server.stop()
  }
  const before = actions()
  await command(['user', 'rename', 'h@example.com', 'Prince'])
  await using server = await serve(['--port', '0', '--audit-log', 'audit.jsonl'])
  await eventually('only the new entry arrives', () => actions().at(-1) === 'updateUser')
  assert.deepEqual(actions(), [...before, 'updateUser'])
  await server.stop()
})

test('sends the audit log to a syslog server', async () => {
  using _folder = new WorkingFolder()
  await command(init)
  const receiver = createSocket('udp4').bind(0, '127.0.0.1')
  try {
    await once(receiver, 'listening')
    const received: string[] = []
    receiver.on('message', (message) => received.push(message.toString()))
    await using server = await serve(['--port', '0', '--audit-log', `syslog://127.0.0.1:${receiver.address().port}`])
    await command(['user', 'add', 'h@example.com', '--name', 'Hamlet'])
    await eventually('the packet arrives', () => received.some((line) => line.includes('createUser')))
    const line = received.find((each) => each.includes('createUser'))!
    const [, json] = /^<85>1 \S+Z \S+ chat-server \d+ audit - (\{.*\})$/.exec(line) ?? []
    assert.equal(JSON.parse(json!).after.full_name, 'Hamlet')
    await server.stop()
  } finally {
    receiver.close()
  }
  const { code, err } = await command(['--port', '0', '--audit-log', 'syslog:'])
  assert.equal(code, 1)
  assert.match(err, /syslog: is not an address of a syslog server/)
})
