import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { program } from '../../bin/program.ts'
import { TemporaryFolder } from '../temporary-folder.ts'
import { command, WorkingFolder } from './in-process.ts'
import { commandFile, run, start } from './running.ts'

// Other tests call the commands in their own process. These prove that each one works as a process of the bundle, with
// its exit code and its streams.

const init = ['init', '--org', 'Elsinore', '--owner-email', 'o@example.com', '--owner-name', 'Ophelia']

/** In an order in which each succeeds. */
const commands: [args: string[], out: RegExp][] = [
  [init, /Created the organization "Elsinore"/],
  [['user', 'list'], /o@example\.com +Ophelia +owner/],
  [['org', 'get', 'name'], /^name "Elsinore"\n$/],
  [['undelete'], /^restored 0 messages\n$/],
  [['import', 'list'], /./],
  [['mail', 'list'], /^id +kind +address/],
  // Without a directory, it can only be explained.
  [['ldap', 'sync', '--help'], /^Usage: chat-server ldap sync /],
  [['audit'], /^\{"id":/],
  [['export', 'all.tar.gz'], /^Exported all data of chat\.db/],
  [['backup', 'copy.db'], /^Backed up chat\.db to copy\.db/],
  [['restore', 'copy.db', '--force'], /^Restored copy\.db to chat\.db\.\n/],
  [['copy', '--from', 'chat.db', '--to', 'other.db'], /^Copied and verified \d+ rows from chat\.db to other\.db/m],
  [['doctor'], /^ok +integrity: ok$/m],
  [['--help'], /^Usage: chat-server /],
]

test('every command prints to stdout and exits with 0', async () => {
  using folder = new TemporaryFolder()
  for (const [args, expected] of commands) {
    const { code, out, err } = await run(folder, args)
    assert.deepEqual([args, code, err], [args, 0, ''])
    assert.match(out, expected)
  }
  for (const name of ['chat.db', 'chat.db.secret', 'copy.db', 'copy.db.secret', 'all.tar.gz']) {
    assert.equal(statSync(join(folder.path, name)).mode & 0o077, 0, name)
  }
  await using server = await start(folder, ['serve', '--port', '0'])
  assert.equal((await fetch(`${server.url}/health/ready`)).status, 200)
  server.process.kill('SIGTERM')
  assert.equal(await server.ended, 0)
})

test('a failing command prints one line to stderr and exits with 1', async () => {
  using folder = new WorkingFolder()
  const table: [args: string[], expected: RegExp][] = [
    [['user', 'list'], /^chat-server: chat\.db does not exist. Run "chat-server init" to create it\n$/],
    [['--nonsense'], /^error: unknown option '--nonsense'\n\(see chat-server --help\)\n$/],
  ]
  for (const [args, expected] of table) {
    const { code, out, err } = await run(folder, args)
    assert.deepEqual([args, code, out], [args, 1, ''])
    assert.match(err, expected)
  }
  assert.equal((await command(init)).code, 0)
  rmSync(join(folder.path, 'chat.db.secret'))
  const ill = await run(folder, ['doctor'])
  assert.deepEqual([ill.code, ill.err], [1, ''])
  assert.match(ill.out, /^FAILED {2,}secret: /m)
})

test('SIGTERM stops regular backups cleanly', async () => {
  using folder = new WorkingFolder()
  await command(init)
  const args = [commandFile, 'backup', 'copies', '--every', '1h']
  const child = spawn(process.execPath, args, { cwd: folder.path, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'close')
  for await (const _ of child.stdout) child.kill('SIGTERM')
  assert.deepEqual(await ended, [0, null])
})

test('covers every command as a process', () => {
  const names = [...commands.map(([args]) => args[0]!), 'serve']
  for (const command of program().commands) assert.ok(names.includes(command.name()), command.name())
})
