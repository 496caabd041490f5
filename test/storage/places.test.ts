import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import Database from 'better-sqlite3'
import { Folder } from './folder.ts'
import { opened } from './opened.ts'

test("rejects a file that isn't a database and leaves it alone", async () => {
  using folder = new Folder()
  const garbage = Buffer.alloc(20_000, 'This is a diary. ')
  writeFileSync(folder.file, garbage)
  await assert.rejects(opened(folder.file), { kind: 'unsupported', message: /chat\.db is not a chat-server database/ })
  assert.deepEqual(readFileSync(folder.file), garbage)
  assert.deepEqual(readdirSync(folder.path), ['chat.db'])
})

test("rejects another program's database and leaves it alone", async () => {
  using folder = new Folder()
  const other = new Database(folder.file)
  other.exec('create table bookmark (url text)')
  other.close()
  const before = readFileSync(folder.file)
  await assert.rejects(opened(folder.file), { kind: 'unsupported', message: /not a chat-server database/ })
  assert.deepEqual(readFileSync(folder.file), before)
  assert.deepEqual(readdirSync(folder.path), ['chat.db'])
})

test('treats an empty file as a new database', async () => {
  using folder = new Folder()
  writeFileSync(folder.file, '')
  await using _ = await opened(folder.file)
})

test('rejects a truncated database', async () => {
  using folder = new Folder()
  await using _ = await opened(folder.file)
  await _.store.close()
  writeFileSync(folder.file, readFileSync(folder.file).subarray(0, 10_000))
  await assert.rejects(opened(folder.file), {
    kind: 'broken',
    message: /is damaged, likely by .* There is no backup next to it: if the file cannot be repaired, restore a backup/,
  })
})

test('rejects a folder', async () => {
  using folder = new Folder()
  await assert.rejects(opened(folder.path), { kind: 'misuse', message: /is a folder/ })
})

test("explains why a place isn't writable", async (t) => {
  using folder = new Folder()
  await using _ = await opened(folder.file)
  await _.store.close()
  const closed = join(folder.path, 'closed')
  mkdirSync(closed, { mode: 0o755 })
  chmodSync(folder.file, 0o444)
  chmodSync(folder.path, 0o555)
  // Root may write everywhere, so the test switches to another user temporarily.
  const root = process.geteuid?.() === 0
  if (root) process.seteuid!(65_534)
  const detail = { kind: 'unsupported', message: /cannot be opened for writing. This user needs permission/ }
  try {
    if (root) chmodFails(folder.path)
    await t.test('a file', () => assert.rejects(opened(folder.file), detail))
    await t.test('a folder', () => assert.rejects(opened(join(closed, 'new.db')), detail))
  } finally {
    if (root) process.seteuid!(0)
    chmodSync(folder.path, 0o755)
  }
})

function chmodFails(path: string): void {
  assert.throws(() => chmodSync(path, 0o755), { code: 'EPERM' })
}

test('names a missing folder', async () => {
  using folder = new Folder()
  await assert.rejects(opened(join(folder.path, 'no', 'chat.db')), {
    kind: 'misuse',
    message: /the folder .*no does not exist/,
  })
})
