import assert from 'node:assert/strict'
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
import { command, serve, WorkingFolder } from './in-process.ts'
import { start } from './running.ts'

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
    /chat\.db\.secret is not the secret of chat\.db: no API key would work/,
  ],
  ['a file that was cut', (file) => truncateSync(file('chat.db'), 50_000), /chat\.db is damaged, likely by its disk/],
  ['text in its place', (file) => writeFileSync(file('chat.db'), 'x'.repeat(5000)), /is not a chat-server database/],
]
for (const [what, deed, sentence] of faults) {
  test(`serve refuses ${what} in one sentence, and doctor finds it`, async () => {
    using s = await scene()
    deed(s.file)
    const served = await command(['--port', '0'])
    assert.equal(served.code, 1)
    assert.equal(served.err.trim().split('\n').length, 1, served.err)
    assert.match(served.err, sentence)
    const { code, out } = await command(['doctor'])
    assert.equal(code, 1)
    const trouble = out.split('\n').filter((line) => line.startsWith('TROUBLE'))
    assert.equal(trouble.length, 1, out)
    assert.match(trouble[0]!, sentence)
  })
}

test('a server whose database is removed stops within a second, and acknowledges nothing that is lost', async () => {
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
    /chat\.db was removed, renamed or replaced while this process used it: .* The newest copy beside it is .*chat-copy\.db/,
  )
  // What was acknowledged is where it was renamed to, with the log beside the old name.
  assert.match((await command(['--port', '0'])).err, /chat\.db is missing, and .*chat\.db-wal is there/)
})

test('the commands find a server by a link to its database', async () => {
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
  assert.match((await command(['doctor'])).out, /^TROUBLE +secret: .*disk\/chat\.db\.secret is missing/m)
})
