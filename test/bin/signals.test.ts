import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { eventually } from '../eventually.ts'
import { TemporaryFolder } from '../temporary-folder.ts'
import { commandFile, start } from './running.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  test(`${signal} stops the server cleanly`, async () => {
    using folder = new TemporaryFolder()
    await using server = await start(folder, ['--port', '0'])
    server.process.kill(signal)
    assert.equal(await server.ended, 0)
    assertClosed(folder)
  })
}

/** The files of a closed database: no log, no lock, no socket. */
const assertClosed = (folder: TemporaryFolder) =>
  assert.deepEqual(readdirSync(folder.path).sort(), ['chat.db', 'chat.db.secret', 'chat.db.state'])

async function listening(child: ChildProcess): Promise<void> {
  for await (const data of child.stdout!) if (/^chat-server listening on /m.test(String(data))) return
  throw new Error('ended before it listened')
}

async function closed(folder: TemporaryFolder): Promise<void> {
  // The state is written after the log is gone.
  await eventually('the database is closed', () => {
    const state = JSON.parse(readFileSync(`${folder.path}/chat.db.state`, 'utf8'))
    return !state.open && readdirSync(folder.path).length <= 3
  })
  assertClosed(folder)
}

for (const signal of ['SIGTERM', 'SIGHUP'] as const) {
  test(`${signal} to npm start stops the server cleanly`, async () => {
    using folder = new TemporaryFolder()
    const args = ['start', '--silent', '--', '--port', '0', '--db', `${folder.path}/chat.db`]
    const npm = spawn('npm', args, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] })
    await listening(npm)
    npm.kill(signal)
    const [code] = await once(npm, 'exit')
    // npm itself dies of a SIGHUP; the server below it ends in order all the same.
    if (signal === 'SIGTERM') assert.equal(code, 0)
    await closed(folder)
  })
}

test('stops with its parent shell, as under npx, when no signal is passed on', async () => {
  using folder = new TemporaryFolder()
  // With another command after it the shell is not replaced by the server.
  const script = `"${process.execPath}" "${commandFile}" --port 0; true`
  const env = { ...process.env, npm_lifecycle_event: 'npx' }
  const shell = spawn('sh', ['-c', script], { cwd: folder.path, env, stdio: ['ignore', 'pipe', 'ignore'] })
  await listening(shell)
  shell.kill('SIGTERM')
  await once(shell, 'exit')
  await closed(folder)
})

const mayUnshare = process.platform === 'linux' && process.getuid?.() === 0
test("stops cleanly as a container's first process", {
  skip: mayUnshare ? false : 'needs the right to unshare',
}, async () => {
  using folder = new TemporaryFolder()
  const inside = ['--pid', '--fork', '--kill-child', process.execPath, commandFile, '--port', '0']
  const unshare = spawn('unshare', inside, { cwd: folder.path, stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = once(unshare, 'exit')
  await listening(unshare)
  // The child of unshare is process 1 in there.
  const [server] = await childrenOf(unshare.pid!)
  process.kill(server!, 'SIGTERM')
  await closed(folder)
  const [code] = await ended
  assert.equal(code, 0)
})

async function childrenOf(pid: number): Promise<number[]> {
  const { readFile } = await import('node:fs/promises')
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return text.trim().split(/\s+/).map(Number)
}
