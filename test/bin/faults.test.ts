import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { person } from '../crash/client.ts'
import { eventually } from '../eventually.ts'
import { TemporaryFolder } from '../temporary-folder.ts'
import { command, serve, WorkingFolder } from './in-process.ts'
import { run as runProcess, start } from './running.ts'

const init = ['init', '--org', 'Elsinore', '--owner-email', 'o@example.com', '--owner-name', 'Ophelia', '--json']
const message = { type: 'stream', to: 'general', topic: 't', content: 'hello' }

async function scene() {
  const folder = new WorkingFolder()
  const owner = JSON.parse((await command(init)).out)
  return {
    folder,
    file: (name: string) => join(folder.path, name),
    owner: { id: owner.user_id, email: owner.email, key: owner.api_key },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  }
}

const faults: [string, (file: (name: string) => string) => void, RegExp][] = [
  ['a damaged secret', (file) => writeFileSync(file('chat.db.secret'), 'half'), /chat\.db\.secret is damaged/],
  [
    'the secret of another database',
    (file) => writeFileSync(file('chat.db.secret'), 'ab'.repeat(32)),
    /chat\.db\.secret is not the secret of chat\.db, so API keys/,
  ],
  ['a file that was cut', (file) => truncateSync(file('chat.db'), 50_000), /chat\.db is damaged, likely by its disk/],
  ['text in its place', (file) => writeFileSync(file('chat.db'), 'x'.repeat(5000)), /is not a chat-server database/],
]
for (const [what, deed, sentence] of faults) {
  test(`serve rejects ${what} in one sentence, and doctor reports it`, async () => {
    using s = await scene()
    deed(s.file)
    const served = await command(['--port', '0'])
    assert.equal(served.code, 1)
    assert.equal(served.err.trim().split('\n').length, 1, served.err)
    assert.match(served.err, sentence)
    const { code, out } = await command(['doctor'])
    assert.equal(code, 1)
    const trouble = out.split('\n').filter((line) => line.startsWith('FAILED '))
    assert.equal(trouble.length, 1, out)
    assert.match(trouble[0]!, sentence)
  })
}

test('stops within a second of losing its database and acknowledges no lost writes', async () => {
  using s = await scene()
  await using server = await start(s.folder, ['--port', '0'])
  const me = person(server.url, s.owner)
  assert.equal((await me.insist('POST', '/messages', message)).answer.result, 'success')
  copyFileSync(s.file('chat.db'), s.file('chat-copy.db'))
  renameSync(s.file('chat.db'), s.file('elsewhere.db'))
  const began = performance.now()
  assert.notEqual((await me.ask('POST', '/messages', message))?.result, 'success')
  assert.equal(await server.ended, 1)
  // The machine may be busy.
  assert.ok(performance.now() - began < 20_000)
  const last = server.err().trim().split('\n').at(-1)!
  assert.match(
    last,
    /chat\.db was removed, renamed or replaced while it was in use, so .* The newest backup next to it is .*chat-copy\.db/,
  )
  // What was acknowledged is where it was renamed to, with the log beside the old name.
  assert.match((await command(['--port', '0'])).err, /chat\.db is missing, but .*chat\.db-wal exists/)
})

test('commands find a server through a symbolic link to its database', async () => {
  using s = await scene()
  mkdirSync(s.file('disk'))
  for (const end of ['', '.secret', '.state']) renameSync(s.file(`chat.db${end}`), s.file(`disk/chat.db${end}`))
  symlinkSync('disk/chat.db', s.file('chat.db'))
  await using server = await serve(['--port', '0'])
  assert.ok(existsSync(s.file('disk/chat.db.sock')))
  assert.deepEqual(readdirSync(s.folder.path).sort(), ['chat.db', 'disk'])
  assert.equal((await person(server.url, s.owner).insist('GET', '/users/me')).answer.result, 'success')
  assert.equal((await command(['user', 'list'])).code, 0)
  const well = await command(['doctor', '--json'])
  assert.deepEqual([well.code, JSON.parse(well.out).ok], [0, true], well.out)
  rmSync(s.file('disk/chat.db.secret'))
  assert.match((await command(['doctor'])).out, /^FAILED {2,}secret: .*disk\/chat\.db\.secret is missing/m)
})

test('an almost full disk allows reads and deletes but fails readiness', {
  skip: !mayMount() && 'needs the right to mount',
}, async () => {
  using folder = new TemporaryFolder()
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=80m', 'tmpfs', folder.path])
  try {
    const at = { path: folder.path }
    const owner = JSON.parse((await runProcess(at, init)).out)
    const me = { id: owner.user_id, email: owner.email, key: owner.api_key }
    execFileSync('dd', ['if=/dev/zero', `of=${join(folder.path, 'ballast')}`, 'bs=1M', 'count=66'], { stdio: 'ignore' })
    await using server = await start(at, ['--port', '0'])
    const olga = person(server.url, me)
    assert.match(server.err(), /only \d+ MiB are free on the disk of .*\. Uploads are rejected below 64 MiB/)
    assert.equal((await fetch(`${server.url}/health/ready`)).status, 503)
    assert.equal((await olga.insist('POST', '/messages', message)).answer.code, 'STORAGE_FULL')
    const { messages } = (await olga.insist('GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0 }))
      .answer
    assert.equal((await olga.insist('DELETE', `/messages/${messages[0].id}`)).answer.result, 'success')
    rmSync(join(folder.path, 'ballast'))
    await eventually(
      'messages are taken again',
      async () => (await olga.ask('POST', '/messages', message))?.result === 'success',
    )
    assert.equal((await fetch(`${server.url}/health/ready`)).status, 200)
  } finally {
    execFileSync('umount', ['-l', folder.path])
  }
})

function mayMount(): boolean {
  using folder = new TemporaryFolder()
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder.path]).status !== 0) return false
  return spawnSync('umount', [folder.path]).status === 0
}
