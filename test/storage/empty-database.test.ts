import assert from 'node:assert/strict'
import { statSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openStore, type Store } from '../../src/storage/index.ts'
import { onlyOnSqlite } from '../dialect.ts'
import { Folder } from './folder.ts'

const NOW = 1_800_000_000

const schemaOf = async (store: Store) =>
  (await sql`select type, name, sql from sqlite_master order by type, name`.execute(store.db)).rows
const migrationsOf = (store: Store) => store.db.selectFrom('migration').selectAll().orderBy('name').execute()

test(
  'a missing file that begins as an empty database has the same tables, and migrations of today',
  onlyOnSqlite('it is about a file'),
  async () => {
    using folder = new Folder()
    const model = await openStore({ file: ':memory:', now: () => 1 })
    const image = await model.image()
    const store = await openStore({ file: folder.file, image, now: () => NOW })
    assert.deepEqual(await schemaOf(store), await schemaOf(model))
    assert.deepEqual(
      await migrationsOf(store),
      (await migrationsOf(model)).map(({ name }) => ({ name, applied_at: NOW })),
    )
    assert.equal(statSync(folder.file).mode & 0o077, 0)
    await store.close()
    await model.close()
    const again = await openStore({ file: folder.file })
    assert.equal((await migrationsOf(again))[0]!.applied_at, NOW)
    await again.close()
  },
)

test(
  'an existing file keeps its content when there is an empty database for missing ones',
  onlyOnSqlite('it is about a file'),
  async () => {
    using folder = new Folder()
    const model = await openStore({ file: ':memory:', now: () => 1 })
    const image = await model.image()
    await model.close()
    writeFileSync(folder.file, '')
    const store = await openStore({ file: folder.file, image, now: () => NOW })
    await store.close()
    const again = await openStore({ file: folder.file, image, now: () => NOW + 1 })
    assert.equal((await migrationsOf(again))[0]!.applied_at, NOW)
    await again.close()
  },
)
