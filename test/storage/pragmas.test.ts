import assert from 'node:assert/strict'
import test from 'node:test'
import Database from 'better-sqlite3'
import type { Store } from '../../src/storage/index.ts'
import { checkSqliteVersion } from '../../src/storage/sqlite/pragmas.ts'
import { onlyOnSqlite } from '../dialect.ts'
import { Folder } from './folder.ts'
import { addRow, opened } from './opened.ts'

const durable = { journal_mode: 'wal', locking_mode: 'normal', synchronous: 2, foreign_keys: 1 }

async function durability(store: Store) {
  const { journal_mode, locking_mode, synchronous, foreign_keys } = await store.inspect()
  return { journal_mode, locking_mode, synchronous, foreign_keys }
}

test("overrides the driver's fallback to synchronous=NORMAL at the first write", async () => {
  using folder = new Folder()
  {
    // The premise of the test.
    const bare = new Database(`${folder.file}.bare`)
    bare.pragma('journal_mode = WAL')
    bare.exec('create table t (a)')
    assert.equal(bare.pragma('synchronous', { simple: true }), 1)
    bare.close()
  }
  await using first = await opened(folder.file)
  assert.deepEqual(await durability(first.store), durable)
  await first.store.write((tx) => addRow(tx, 'a'))
  assert.deepEqual(await durability(first.store), durable)
})

test('also enforces it for a file without pending migrations', async () => {
  using folder = new Folder()
  await using _ = await opened(folder.file)
  await _.store.close()
  await using again = await opened(folder.file)
  assert.deepEqual(await durability(again.store), durable)
  await again.store.write((tx) => addRow(tx, 'a'))
  assert.deepEqual(await durability(again.store), durable)
})

test('enforces foreign keys', async () => {
  await using open = await opened(':memory:')
  const orphan = { blob_id: 77, seq: 0, data: new Uint8Array(1) }
  await assert.rejects(
    open.store.write(({ db }) => db.insertInto('blob_chunk').values(orphan).execute()),
    /FOREIGN KEY|foreign key/,
  )
})

test('rejects SQLite versions with the WAL-reset bug', () => {
  for (const version of ['3.51.3', '3.51.10', '3.52.0', '3.54.1', '4.0.0', '4']) checkSqliteVersion(version)
  for (const version of ['3.51.2', '3.50.9', '3.9.0', '3.51', '3', '2.99.99', '', 'nonsense']) {
    assert.throws(() => checkSqliteVersion(version), { name: 'StorageError', kind: 'unsupported' }, version)
  }
  assert.throws(() => checkSqliteVersion('3.51.2'), /3\.51\.2 .* 3\.51\.3 or newer/)
})

test('checks the version in use', onlyOnSqlite('its version'), async () => {
  await using open = await opened(':memory:')
  checkSqliteVersion((await open.store.inspect()).sqlite_version)
})
