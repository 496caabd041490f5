import assert from 'node:assert/strict'
import { copyFileSync, cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { Folder } from './folder.ts'
import { addEvents, opened } from './opened.ts'

/** Opens and closes a database, and counts how often it was taken for an older one. */
async function rollbacks(file: string): Promise<number> {
  let count = 0
  await using open = await opened(file, { onRollback: async () => void count++ })
  await open.store.write((tx) => addEvents(tx, 1))
  return count
}

const copies: [string, (file: string, copy: string) => Promise<void>][] = [
  ['a copy made while it was closed', async (file, copy) => copyFileSync(file, copy)],
  [
    'a backup made in its last run',
    async (file, copy) => {
      await using open = await opened(file)
      await open.store.backup(copy)
    },
  ],
]
for (const [what, make] of copies) {
  test(`notices that a database was replaced by ${what}`, async () => {
    using folder = new Folder()
    const copy = join(folder.path, 'copy.db')
    assert.equal(await rollbacks(folder.file), 0)
    await make(folder.file, copy)
    if (what.includes('closed')) assert.equal(await rollbacks(folder.file), 0)
    copyFileSync(copy, folder.file)
    assert.equal(await rollbacks(folder.file), 1)
    assert.equal(await rollbacks(folder.file), 0)
  })
}

test('notices a file older than what the last run stored', async () => {
  using folder = new Folder()
  const copy = join(folder.path, 'copy.db')
  {
    await using open = await opened(folder.file)
    copyFileSync(folder.file, copy)
    await open.store.write((tx) => addEvents(tx, 5))
  }
  copyFileSync(copy, folder.file)
  assert.equal(await rollbacks(folder.file), 1)
})

test('remembers a rollback until it is handled', async () => {
  using folder = new Folder()
  const copy = join(folder.path, 'copy.db')
  assert.equal(await rollbacks(folder.file), 0)
  copyFileSync(folder.file, copy)
  assert.equal(await rollbacks(folder.file), 0)
  copyFileSync(copy, folder.file)
  for (let i = 0; i < 2; i++) {
    await using open = await opened(folder.file)
    await open.store.write((tx) => addEvents(tx, 1))
  }
  assert.equal(await rollbacks(folder.file), 1)
})

test('treats a database as a copy only if it moved without its state file', async () => {
  using folder = new Folder()
  assert.equal(await rollbacks(folder.file), 0)
  using elsewhere = new Folder()
  cpSync(folder.path, elsewhere.path, { recursive: true })
  assert.equal(await rollbacks(elsewhere.file), 0)
  rmSync(`${elsewhere.file}.state`)
  assert.equal(await rollbacks(elsewhere.file), 1)
})
