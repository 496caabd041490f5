import assert from 'node:assert/strict'
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import test from 'node:test'
import Database from 'better-sqlite3'
import type { StorageError } from '../../src/storage/index.ts'
import { eventually } from '../eventually.ts'
import { killedChild } from './children.ts'
import { Folder } from './folder.ts'
import { addRow, opened } from './opened.ts'

async function watched(folder: Folder) {
  const broken: StorageError[] = []
  const open = await opened(folder.file, { onBroken: (error) => void broken.push(error) })
  return { ...open, broken }
}

test("stops when its lock files are removed and leaves its successor's alone", async () => {
  using folder = new Folder()
  await using open = await watched(folder)
  for (const end of ['.owner', '.lock']) rmSync(folder.file + end)
  await using other = killedChild('hold', folder.file)
  await other.line()
  await eventually('it is noticed', () => open.broken.length > 0)
  assert.match(open.broken[0]!.message, /chat\.db\.owner was removed or replaced while this process used /)
  await assert.rejects(
    open.store.write((tx) => addRow(tx, 'after')),
    { kind: 'broken' },
  )
  const { ino } = statSync(`${folder.file}.owner`)
  await open.store.close()
  assert.equal(statSync(`${folder.file}.owner`).ino, ino)
  assert.equal(JSON.parse(readFileSync(`${folder.file}.lock`, 'utf8')).pid, other.process.pid)
})

test('stops when another program changes the database', async () => {
  using folder = new Folder()
  await using open = await watched(folder)
  await open.store.write((tx) => addRow(tx, 'ours'))
  const other = new Database(folder.file)
  other.exec("update blob set content_type = 'theirs'")
  other.close()
  await eventually('it is noticed', () => open.broken.length > 0)
  assert.match(open.broken[0]!.message, /^Another program changed \S+chat\.db while this process used it/)
  assert.ok(existsSync(`${folder.file}.owner`))
})

test('lets a replicator write its own tables', async () => {
  using folder = new Folder()
  await using open = await watched(folder)
  await using replicator = killedChild('replicate', folder.file)
  for (let i = 0; i < 4; i++) {
    assert.match(await replicator.line(), /^sequence/)
    await open.store.write((tx) => addRow(tx, 'ours'))
  }
  assert.deepEqual(open.broken, [])
})
