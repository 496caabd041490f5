import assert from 'node:assert/strict'
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test, { mock } from 'node:test'
import { actAs, openChat } from '../../src/index.ts'
import { eventually } from '../eventually.ts'
import { command, launch, serve, WorkingFolder } from './in-process.ts'

const init = ['init', '--org', 'Elsinore', '--owner-email', 'o@example.com', '--owner-name', 'Ophelia', '--json']

test('a backup with the secret keeps API keys working in the copy', async () => {
  using folder = new WorkingFolder()
  const { api_key } = JSON.parse((await command(init)).out)
  const { out } = await command(['backup', 'copy.db'])
  assert.match(out, /The secret is in copy\.db\.secret\. .* keep them apart/)
  assert.equal(statSync(join(folder.path, 'copy.db.secret')).mode & 0o077, 0)
  {
    await using chat = await openChat({ db: join(folder.path, 'copy.db') })
    assert.equal((await actAs(chat, { api_key })).user.email, 'o@example.com')
  }
  const without = await command(['backup', 'other.db', '--no-secret', '--json'])
  assert.equal(JSON.parse(without.out).secret, null)
  assert.equal(existsSync(join(folder.path, 'other.db.secret')), false)
})

test('makes regular backups beside a running server and keeps a limited number', async () => {
  using folder = new WorkingFolder()
  await command(init)
  await using _ = await serve(['--port', '0'])
  const copies = join(folder.path, 'copies')
  mock.timers.enable({ apis: ['setTimeout', 'Date'], now: Date.UTC(2026, 0, 1) })
  try {
    const regular = launch(['backup', 'copies', '--every', '1d', '--keep', '2'])
    const made = () => regular.out().trim().split('\n')
    await eventually('the first copy is made', () => regular.out() !== '')
    // A file with a similar name is not touched.
    writeFileSync(join(copies, 'chat-1999.db'), '')
    for (const copy of [2, 3, 4]) {
      await eventually(`copy ${copy} is made`, () => {
        if (made().length < copy) mock.timers.tick(86_400_000)
        return made().length >= copy
      })
    }
    for (const line of made()) assert.match(line, /^Backed up chat\.db to copies\/chat-\d{8}T\d{6}Z\.db/)
    regular.signal('SIGTERM')
    await regular.done
    assert.deepEqual([regular.code(), regular.err()], [0, ''])
  } finally {
    mock.timers.reset()
  }
  const names = readdirSync(copies).sort()
  assert.equal(names.filter((name) => /Z\.db$/.test(name)).length, 2, names.join())
  assert.equal(names.filter((name) => /Z\.db\.secret$/.test(name)).length, 2, names.join())
  assert.ok(names.includes('chat-1999.db'))
})

test('rejects conflicting backup options', async () => {
  using _folder = new WorkingFolder()
  await command(init)
  const table: [string[], RegExp][] = [
    [['backup', 'x', '--keep', '2'], /--keep needs --every/],
    [['backup', 'x', '--every', '90'], /The duration must be a number followed by s, m, h or d/],
    [['backup', 'x', '--every', '21d'], /maximum is 20d/],
    [['backup', 'chat.db'], /already exists/],
  ]
  for (const [args, message] of table) assert.match((await command(args)).err, message)
})
