import assert from 'node:assert/strict'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import type { Store } from '../../src/storage/index.ts'
import { onlyOnSqlite } from '../dialect.ts'
import { Folder } from './folder.ts'
import { addRow, opened, rows } from './opened.ts'

/** Writes pairs of rows, each pair in one write, until stopped. */
function writing(store: Store) {
  let over = false
  let written = 0
  const done = (async () => {
    while (!over) {
      await store.write(async (tx) => {
        await addRow(tx, `${written} one`)
        await addRow(tx, `${written} two`)
      })
      written++
      await new Promise(setImmediate)
    }
  })()
  return {
    written: () => written,
    async stop() {
      over = true
      await done
    },
  }
}

const filled = (store: Store, megabytes: number) =>
  store.write(async (tx) => {
    for (let i = 0; i < megabytes * 10; i++) await addRow(tx, 'x'.repeat(100_000))
  })

test('a backup of an open store is consistent and can be opened', async () => {
  using folder = new Folder()
  await using open = await opened(folder.file)
  const { store } = open
  await filled(store, 8)
  const writer = writing(store)
  const target = join(folder.path, 'copy.db')
  const before = writer.written()
  await store.backup(target)
  const after = writer.written()
  assert.ok(after - before > 3, 'nothing was written meanwhile')
  await writer.stop()
  await using copy = await opened(target)
  assert.deepEqual((await copy.store.inspect()).integrity, ['ok'])
  const found = (await rows(copy.store.db)).filter((text) => text.length < 50)
  const pairs = found.length / 2
  assert.ok(pairs >= before && pairs <= after, `${before} <= ${pairs} <= ${after}`)
  assert.deepEqual(found, Array.from({ length: pairs }, (_, i) => [`${i} one`, `${i} two`]).flat())
  assert.deepEqual(
    readdirSync(folder.path).filter((name) => name.includes('partial')),
    [],
  )
})

test('a backup omits a write in progress that is rolled back', async () => {
  using folder = new Folder()
  await using open = await opened(folder.file)
  const { store } = open
  await store.write((tx) => addRow(tx, 'before'))
  const target = join(folder.path, 'copy.db')
  let copied: Promise<void> | undefined
  const undone = store.write(async (tx) => {
    await addRow(tx, 'undone')
    copied = store.backup(target)
    for (let i = 0; i < 20; i++) await new Promise(setImmediate)
    throw new Error('no')
  })
  await assert.rejects(undone, /^Error: no$/)
  await copied
  await using copy = await opened(target)
  assert.deepEqual(await rows(copy.store.db), ['before'])
  assert.deepEqual((await copy.store.inspect()).integrity, ['ok'])
})

test('a backup overwrites no file', async () => {
  using folder = new Folder()
  await using open = await opened(folder.file)
  const target = join(folder.path, 'precious')
  writeFileSync(target, 'precious')
  await assert.rejects(open.store.backup(target), { kind: 'misuse', message: /already exists/ })
  await assert.rejects(open.store.backup(folder.file), { kind: 'misuse' })
  await assert.rejects(open.store.backup(join(folder.path, 'no', 'copy.db')), /directory does not exist/)
})

test('closing aborts a backup and leaves nothing behind', async () => {
  using folder = new Folder()
  await using open = await opened(folder.file)
  await filled(open.store, 8)
  const backup = open.store.backup(join(folder.path, 'copy.db'))
  const refused = assert.rejects(backup, { kind: 'misuse', message: /closed during the backup/ })
  await open.store.close()
  await refused
  assert.deepEqual(readdirSync(folder.path).sort(), ['chat.db', 'chat.db.state'])
  await assert.rejects(open.store.backup(join(folder.path, 'copy.db')), { kind: 'closed' })
})

test('backs up an in-memory store', onlyOnSqlite('pg_dump saves what a server has'), async () => {
  using folder = new Folder()
  await using open = await opened(':memory:')
  await open.store.write((tx) => addRow(tx, 'a'))
  await open.store.backup(folder.file)
  await using copy = await opened(folder.file)
  assert.deepEqual(await rows(copy.store.db), ['a'])
})
