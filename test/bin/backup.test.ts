import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import test from 'node:test'
import { actAs, openChat } from '../../src/index.ts'
import { TemporaryFolder } from '../temporary-folder.ts'
import { commandFile, run, start } from './running.ts'

const init = ['init', '--org', 'Elsinore', '--owner-email', 'o@example.com', '--owner-name', 'Ophelia', '--json']

test('a backup takes the secret along, so that API keys work in the copy', async () => {
  using folder = new TemporaryFolder()
  const { api_key } = JSON.parse((await run(folder, init)).out)
  const { out } = await run(folder, ['backup', 'copy.db'])
  assert.match(out, /The secret is in copy\.db\.secret: .* keep them apart/)
  assert.equal(statSync(join(folder.path, 'copy.db.secret')).mode & 0o077, 0)
  {
    await using chat = await openChat({ db: join(folder.path, 'copy.db') })
    assert.equal((await actAs(chat, { api_key })).user.email, 'o@example.com')
  }
  const without = await run(folder, ['backup', 'other.db', '--no-secret', '--json'])
  assert.equal(JSON.parse(without.out).secret, null)
  assert.equal(existsSync(join(folder.path, 'other.db.secret')), false)
})

test('backups are made regularly beside a running server, and only so many are kept', async () => {
  using folder = new TemporaryFolder()
  await run(folder, init)
  await using _ = await start(folder, ['--port', '0'])
  const copies = join(folder.path, 'copies')
  const args = [commandFile, 'backup', 'copies', '--every', '1s', '--keep', '2']
  const child = spawn(process.execPath, args, { cwd: folder.path, stdio: ['ignore', 'pipe', 'inherit'] })
  let made = 0
  for await (const line of createInterface({ input: child.stdout })) {
    assert.match(line, /^Backed up chat\.db to copies\/chat-\d{8}T\d{6}Z\.db/)
    // A file with a similar name is not touched.
    if (++made === 1) writeFileSync(join(copies, 'chat-1999.db'), '')
    if (made === 4) child.kill('SIGTERM')
  }
  assert.deepEqual(await once(child, 'close'), [0, null])
  const names = readdirSync(copies).sort()
  assert.equal(names.filter((name) => /Z\.db$/.test(name)).length, 2, names.join())
  assert.equal(names.filter((name) => /Z\.db\.secret$/.test(name)).length, 2, names.join())
  assert.ok(names.includes('chat-1999.db'))
})

test('options of backup that do not go together are refused', async () => {
  using folder = new TemporaryFolder()
  await run(folder, init)
  const table: [string[], RegExp][] = [
    [['backup', 'x', '--keep', '2'], /--keep goes with --every/],
    [['backup', 'x', '--every', '90'], /A duration is a number and s, m, h or d/],
    [['backup', 'x', '--every', '21d'], /at most 20d/],
    [['backup', 'chat.db'], /exists already/],
  ]
  for (const [args, message] of table) assert.match((await run(folder, args)).err, message)
})
