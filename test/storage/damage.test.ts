import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { closeSync, copyFileSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import Database from 'better-sqlite3'
import { sql } from 'kysely'
import type { StorageError, Store } from '../../src/storage/index.ts'
import { eventually } from '../eventually.ts'
import { Folder } from './folder.ts'
import { addRow, opened } from './opened.ts'

const PAGE = 4096
const pageOf = (file: string, table: string): number => {
  const database = new Database(file, { readonly: true })
  const page = database.prepare('select rootpage from sqlite_master where name = ?').pluck().get(table) as number
  database.close()
  return page
}

/** Overwrites the root of a table. Of a file that nobody has open here: closing it would release the locks. */
function damage(file: string, page: number): void {
  const handle = openSync(file, 'r+')
  writeSync(handle, Buffer.alloc(PAGE, 0x55), 0, PAGE, (page - 1) * PAGE)
  closeSync(handle)
}

/** The same from another process, while it is in use. */
const damageInUse = (file: string, page: number) =>
  execFileSync('dd', [`of=${file}`, 'if=/dev/urandom', `bs=${PAGE}`, `seek=${page - 1}`, 'count=1', 'conv=notrunc'], {
    stdio: 'ignore',
  })

const fill = async (store: Store, mebibytes: number) => {
  for (let i = 0; i < mebibytes; i++) await store.write((tx) => addRow(tx, 'x'.repeat(1024 * 1024)))
}
const sentence =
  /^\S+chat\.db is damaged, likely by its disk or by another program writing to it \([^\n]+\)\. The newest backup next to it is \S+chat-copy\.db, from \d{4}-[^\n]*\.$/

test('finds damaged pages of a small file before use and names the newest copy', async () => {
  using folder = new Folder()
  {
    await using open = await opened(folder.file)
    await fill(open.store, 1)
  }
  copyFileSync(folder.file, join(folder.path, 'chat-copy.db'))
  // An index that nothing reads at the start.
  damage(folder.file, pageOf(folder.file, 'reaction_once'))
  await assert.rejects(opened(folder.file), { kind: 'broken', message: sentence })
})

async function large(onBroken: (error: StorageError) => void) {
  const folder = new Folder()
  {
    await using open = await opened(folder.file)
    await fill(open.store, 33)
  }
  copyFileSync(folder.file, join(folder.path, 'chat-copy.db'))
  const page = pageOf(folder.file, 'saved_snippet')
  const { store } = await opened(folder.file, { onBroken })
  damageInUse(folder.file, page)
  return {
    store,
    async [Symbol.asyncDispose]() {
      await store.close()
      folder[Symbol.dispose]()
    },
  }
}

test('finds damage in a large file soon after the start', async () => {
  let notified: StorageError | undefined
  await using _ = await large((error) => {
    notified = error
  })
  await eventually('the damage is found', () => notified)
  assert.match(notified!.message, sentence)
})

test('finds damage soon after the start in a small file that was closed properly', async () => {
  using folder = new Folder()
  {
    await using open = await opened(folder.file)
    await fill(open.store, 1)
  }
  copyFileSync(folder.file, join(folder.path, 'chat-copy.db'))
  const page = pageOf(folder.file, 'saved_snippet')
  let notified: StorageError | undefined
  const { store } = await opened(folder.file, {
    onBroken(error) {
      notified = error
    },
  })
  damageInUse(folder.file, page)
  await eventually('the damage is found', () => notified)
  assert.match(notified!.message, sentence)
  await store.close()
})

const reads: [string, (store: Store) => Promise<unknown>][] = [
  ['a read', (store) => store.db.selectFrom('saved_snippet').selectAll().execute()],
  ['a snapshot', (store) => store.snapshot((db) => db.selectFrom('saved_snippet').selectAll().execute())],
  ['a write', (store) => store.write(({ db }) => sql`select * from saved_snippet`.execute(db))],
]
for (const [what, read] of reads) {
  test(`damage found in ${what} closes the database with one sentence`, async () => {
    const notified: StorageError[] = []
    await using open = await large((error) => void notified.push(error))
    await assert.rejects(read(open.store), { kind: 'broken', message: sentence })
    assert.equal(notified.length, 1)
    await assert.rejects(
      open.store.write((tx) => addRow(tx, 'after')),
      { kind: 'broken' },
    )
  })
}
