import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { Folder } from './folder.ts'
import { addRow, opened } from './opened.ts'

const openFiles = () => (existsSync('/proc/self/fd') ? readdirSync('/proc/self/fd').length : 0)
const handles = () => process.getActiveResourcesInfo().filter((name) => name !== 'Immediate').length

async function openAndClose(file: string): Promise<void> {
  await using open = await opened(file)
  await open.store.write((tx) => addRow(tx, 'a'))
  await open.store.db.selectFrom('blob').select('id').execute()
}

test('an in-memory store leaves no files', async () => {
  using folder = new Folder()
  const before = process.cwd()
  const empty = join(folder.path, 'empty')
  mkdirSync(empty)
  process.chdir(empty)
  try {
    await openAndClose(':memory:')
    assert.deepEqual(readdirSync(empty), [])
  } finally {
    process.chdir(before)
  }
})

test('many stores leave nothing open', async (t) => {
  // A leak shows with every store.
  const stores = 30
  t.diagnostic(`${2 * stores} stores`)
  using folder = new Folder()
  await openAndClose(':memory:')
  await openAndClose(folder.file)
  const before = { files: openFiles(), handles: handles() }
  for (let i = 0; i < stores; i++) {
    await openAndClose(':memory:')
    await openAndClose(folder.file)
  }
  // Leftovers of earlier tests may close while this runs. A leak would count as many as there were stores.
  assert.ok(openFiles() - before.files < stores / 2, `${openFiles()} files, ${before.files} before`)
  assert.ok(handles() - before.handles < stores / 2, `${handles()} handles, ${before.handles} before`)
  assert.deepEqual(readdirSync(folder.path).sort(), ['chat.db', 'chat.db.state'])
})

test('a store that failed to open leaves nothing open', async () => {
  using folder = new Folder()
  await openAndClose(folder.file)
  const before = openFiles()
  await using open = await opened(folder.file)
  for (let i = 0; i < 20; i++) {
    await assert.rejects(opened(folder.file))
    await assert.rejects(opened(folder.path))
  }
  // SQLite keeps the file of a refused handle open until the lock is released.
  await open.store.close()
  assert.equal(openFiles(), before)
})
