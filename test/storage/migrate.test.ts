import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import test from 'node:test'
import Database from 'better-sqlite3'
import { sql } from 'kysely'
import type { Migration } from '../../src/storage/index.ts'
import { migrations, pending } from '../../src/storage/migrate.ts'
import { killedChild } from './children.ts'
import { Folder } from './folder.ts'
import { addRow, opened, rows } from './opened.ts'

const last = migrations.at(-1)!.name

const makesTable = (name: string, table: string): Migration => ({
  name,
  up: (db) => db.schema.createTable(table).addColumn('id', 'integer').execute(),
})
const good = makesTable('9998-01-01-good', 'good')
const bad: Migration = {
  name: '9999-01-01-bad',
  async up(db, tools) {
    await makesTable('', 'half').up(db, tools)
    await db.insertInto('blob').values({ size: 0, content_type: 'half', created_at: 0 }).execute()
    await sql`alter table blob add column half integer`.execute(db)
    throw new Error('strange data')
  },
}

/** The tables and the migrations of a closed file. */
function contents(file: string) {
  const database = new Database(file, { readonly: true })
  const tables = database.prepare("select name from sqlite_master where type = 'table'").pluck().all()
  const done = database.prepare('select name from migration order by name').pluck().all()
  const columns = database.prepare("select name from pragma_table_info('blob')").pluck().all()
  database.close()
  return { tables, done, columns }
}

test('runs every migration once on a new file', async () => {
  using folder = new Folder()
  await using first = await opened(folder.file, { now: () => 42 })
  const select = sql<{ name: string; applied_at: number }>`select * from migration order by name`
  const { rows: done } = await select.execute(first.store.db)
  assert.deepEqual(
    done,
    migrations.map(({ name }) => ({ name, applied_at: 42 })),
  )
  await first.store.close()
  // There was nothing to copy.
  assert.deepEqual(readdirSync(folder.path).sort(), ['chat.db', 'chat.db.state'])
})

test('a failed migration leaves nothing, and earlier ones remain', async () => {
  using folder = new Folder()
  await using first = await opened(folder.file)
  await first.store.write((tx) => addRow(tx, 'kept'))
  await first.store.close()
  const before = contents(folder.file)
  await assert.rejects(opened(folder.file, { migrations: [...migrations, good, bad] }), {
    kind: 'broken',
    message: `The migration "${bad.name}" failed and was undone: strange data. A copy of the database from before the migration is in ${folder.file}.before-${bad.name}.`,
  })
  assert.deepEqual(contents(folder.file), {
    tables: [...before.tables, 'good'],
    done: [...before.done, good.name],
    columns: before.columns,
  })
  assert.equal(existsSync(`${folder.file}.lock`), false)
  // The copy has the state before the first of them.
  assert.deepEqual(contents(`${folder.file}.before-${bad.name}`), before)
  await using again = await opened(folder.file, { migrations: [...migrations, good] })
  assert.deepEqual(await rows(again.store.db), ['kept'])
})

test('backs up a nonempty file before migrating, and the copy opens', async () => {
  using folder = new Folder()
  await using first = await opened(folder.file)
  for (const text of ['one', 'two']) await first.store.write((tx) => addRow(tx, text))
  await first.store.close()
  await using second = await opened(folder.file, { migrations: [...migrations, good] })
  await second.store.write((tx) => addRow(tx, 'three'))
  assert.deepEqual(
    readdirSync(folder.path).filter((name) => name.includes('before')),
    [`chat.db.before-${good.name}`],
  )
  await using copy = await opened(`${folder.file}.before-${good.name}`)
  assert.deepEqual(await rows(copy.store.db), ['one', 'two'])
  assert.deepEqual((await copy.store.inspect()).integrity, ['ok'])
})

test('kill -9 during a migration leaves nothing of it', async () => {
  using folder = new Folder()
  await using first = await opened(folder.file)
  await first.store.write((tx) => addRow(tx, 'kept'))
  await first.store.close()
  const before = contents(folder.file)
  for (let round = 0; round < 2; round++) {
    await using other = killedChild('migrate', folder.file)
    assert.equal(await other.line(), 'in the middle')
  }
  await using again = await opened(folder.file)
  assert.deepEqual(await rows(again.store.db), ['kept'])
  await again.store.close()
  assert.deepEqual(contents(folder.file), before)
  await using copy = await opened(`${folder.file}.before-9999-01-01-stuck`)
  assert.deepEqual(await rows(copy.store.db), ['kept'])
})

test('rejects a newer database with the required version and changes nothing', async () => {
  using folder = new Folder()
  await using newer = await opened(folder.file, { migrations: [...migrations, good] })
  await newer.store.write((tx) => addRow(tx, 'a'))
  await newer.store.close()
  const before = readFileSync(folder.file)
  await assert.rejects(opened(folder.file), {
    kind: 'newer',
    message: `This database was last opened by a newer chat-server. Its latest migration is "${good.name}", and this version only includes migrations up to "${last}". Nothing was changed. Install the newer version.`,
  })
  assert.deepEqual(readFileSync(folder.file), before)
  assert.deepEqual(readdirSync(folder.path).sort(), ['chat.db', 'chat.db.state'])
})

test('runs pending migrations in order and fills gaps', () => {
  const list = [good, bad]
  const names = (done: string[]) => pending(done, list).map((migration) => migration.name)
  assert.deepEqual(names([]), [good.name, bad.name])
  assert.deepEqual(names([good.name]), [bad.name])
  assert.deepEqual(names([bad.name]), [good.name])
  assert.deepEqual(names([good.name, bad.name]), [])
  assert.throws(() => pending(['a', good.name], list), { kind: 'newer' })
})

test('released migrations are in chronological order', () => {
  const names = migrations.map((migration) => migration.name)
  assert.deepEqual(names, [...new Set(names)].sort())
})
