import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { sql } from 'kysely'
import { actAs, getMessages, openChat, register } from '../../src/index.ts'
import type { Store } from '../../src/storage/index.ts'
import { migrations } from '../../src/storage/migrate.ts'
import { Folder } from './folder.ts'
import { opened } from './opened.ts'
import { schemaLines } from './schema-of.ts'

interface ColumnInfo {
  name: string
  type: string
  notnull: number
  pk: number
}

const select = async <T>(store: Store, query: string): Promise<T[]> => (await sql.raw<T>(query).execute(store.db)).rows

/** Returns our own tables, without SQLite's and the full-text index's. */
async function tablesOf(store: Store): Promise<string[]> {
  const rows = await select<{ name: string }>(
    store,
    "select name from sqlite_master where type = 'table' order by name",
  )
  return rows.map(({ name }) => name).filter((name) => !/^(sqlite_|message_search)/.test(name))
}

async function schemaOf(store: Store) {
  const schema: Record<string, unknown> = {}
  for (const table of await tablesOf(store)) {
    const columns = await select<ColumnInfo & { dflt_value: unknown }>(
      store,
      `select name, type, "notnull", pk, dflt_value from pragma_table_info('${table}')`,
    )
    const references = await select(
      store,
      `select "from", "table", "to", on_delete from pragma_foreign_key_list('${table}') order by "from"`,
    )
    const indexes: unknown[] = []
    for (const { name } of await select<{ name: string }>(store, `select name from pragma_index_list('${table}')`)) {
      const on = await select<{ name: string }>(store, `select name from pragma_index_info('${name}')`)
      const [made] = await select<{ sql: string | null }>(store, `select sql from sqlite_master where name = '${name}'`)
      const condition = /where (.*)$/i.exec(made?.sql ?? '')?.[1]
      indexes.push({
        name,
        on: on.map((column) => column.name),
        unique: /unique/i.test(made?.sql ?? 'unique'),
        condition,
      })
    }
    const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1)
    schema[table] = {
      columns: columns.sort(byName),
      references,
      indexes: (indexes as { name: string }[]).sort(byName),
    }
  }
  return schema
}

/** The row types in the source, by table: the SQL type of each column and whether it may be null. */
function rowTypes(): Map<string, Map<string, { type: string; nullable: boolean }>> {
  const folder = fileURLToPath(new URL('../../src/storage/tables', import.meta.url))
  const source = readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n')
  const types = new Map(
    [...source.matchAll(/^export interface (\w+)Table \{\n(.*?)^\}/gms)].map(([, name, body]) => {
      const members = [...body!.matchAll(/^ {2}(\w+): (.+)$/gm)]
      return [name!, new Map(members.map(([, column, type]) => [column!, sqlTypeOf(type!)]))]
    }),
  )
  const tables = /interface Tables \{\n(.*?)^\}/ms.exec(source)![1]!
  return new Map(
    [...tables.matchAll(/^ {2}(\w+): (\w+)Table$/gm)].map(([, table, name]) => {
      const columns = types.get(name!)
      assert.ok(columns, `${name}Table is not there`)
      return [table!, columns]
    }),
  )
}

function sqlTypeOf(type: string): { type: string; nullable: boolean } {
  const nullable = / \| null$/.test(type)
  const plain = type.replace(/ \| null$/, '')
  if (/^(Generated<(number|Flag|0 \| 1 \| 2)>|number|Flag)$/.test(plain)) return { type: 'INT', nullable }
  if (plain === 'Uint8Array') return { type: 'BLOB', nullable }
  assert.match(plain, /^(string|'[^']*'( \| '[^']*')*)$/, `no SQL type for ${type}`)
  return { type: 'TEXT', nullable }
}

test('the tables have exactly the columns of the row types', async () => {
  await using open = await opened(':memory:')
  const types = rowTypes()
  assert.ok(types.size > 30)
  const { tables, columns } = open.store.dialect.kind === 'postgres' ? onServer : inFile
  assert.deepEqual([...types.keys(), 'migration'].sort(), (await tables(open.store)).sort())
  for (const [table, expected] of types) {
    const found = (await columns(open.store, table)).map(({ name, type, notnull, pk }) => {
      return [name, { type: affinity(type), nullable: notnull === 0 && pk === 0 }] as const
    })
    assert.deepEqual(Object.fromEntries(found), Object.fromEntries(expected), table)
  }
})

const inFile = {
  tables: tablesOf,
  columns: (store: Store, table: string) => select<ColumnInfo>(store, `select * from pragma_table_info('${table}')`),
}
const onServer: typeof inFile = {
  async tables(store) {
    const query = "select table_name as name from information_schema.tables where table_schema = 'public'"
    const names = (await select<{ name: string }>(store, query)).map(({ name }) => name)
    return names.filter((name) => name !== 'message_search')
  },
  columns: (store, table) =>
    select<ColumnInfo>(
      store,
      `select column_name as name, data_type as type, case is_nullable when 'NO' then 1 else 0 end as notnull, 0 as pk
        from information_schema.columns where table_schema = 'public' and table_name = '${table}'`,
    ),
}

const affinity = (type: string): string => (/int/i.test(type) ? 'INT' : type === 'bytea' ? 'BLOB' : type.toUpperCase())

test('creates the same schema as before the migrations were squashed', async () => {
  await using open = await opened(':memory:', { migrations: migrations.slice(0, 1) })
  const file = new URL(`../fixtures/schema-${open.store.dialect.kind}.txt`, import.meta.url)
  assert.equal(`${(await schemaLines(open.store)).join('\n')}\n`, readFileSync(file, 'utf8'))
})

const KEY_OF_FIXTURE = '65b830dd81377aa7e3bab91fd40d342f2ab4de428464ee6b9159b0cae639ca9b\n'

/** A database with every migration from before the first release, by the last commit that had them. */
function putOldDatabase(file: string): void {
  const old = fileURLToPath(new URL('../fixtures/chat-2026-11-27.db.gz', import.meta.url))
  writeFileSync(file, gunzipSync(readFileSync(old)))
  writeFileSync(`${file}.secret`, KEY_OF_FIXTURE)
}

test('opens a database from before the first release and keeps its data and history', async () => {
  using folder = new Folder()
  putOldDatabase(folder.file)
  const record = recordIn(folder.file)
  assert.equal(record.length, 21)
  {
    await using chat = await openChat({ db: folder.file })
    const ann = await actAs(chat, { email: 'ann@example.com' })
    assert.equal(ann.user.role, 600)
    const { cross_realm_bots } = await register(ann, { fetch_event_types: ['realm_user'] })
    assert.deepEqual(
      cross_realm_bots!.map((bot) => bot.full_name),
      ['Notification Bot', 'Welcome Bot', 'Email Gateway'],
    )
    // The key still works, and existing messages can be searched.
    const owner = await actAs(chat, { api_key: 'R6l60T9GbGzoXovlXOWatpU5oyYitEoO' })
    const found = await getMessages(owner, {
      anchor: 'newest',
      num_before: 10,
      num_after: 0,
      narrow: [['search', 'MEET café']],
    })
    assert.deepEqual(
      found.messages.map((message) => message.content),
      ['<p>Shall we <strong>meet</strong> at the Café?</p>'],
    )
  }
  await using migrated = await opened(folder.file)
  await using fresh = await opened(join(folder.path, 'fresh.db'))
  assert.deepEqual(await schemaOf(migrated.store), await schemaOf(fresh.store))
  const { db } = migrated.store
  const changes = await db.selectFrom('role_change').selectAll().execute()
  assert.deepEqual(changes, [{ event_id: 20, user_id: 3, role_before: 400 }])
  const logged = await db.selectFrom('event').select('payload').where('id', '=', 20).executeTakeFirstOrThrow()
  assert.deepEqual(JSON.parse(logged.payload), {
    type: 'realm_user',
    op: 'update',
    person: { user_id: 3, role: 600 },
  })
  assert.deepEqual((await migrated.store.inspect()).integrity, ['ok'])
  await migrated.store.close()
  const later = recordIn(folder.file)
  assert.deepEqual(later.slice(0, record.length), record)
  assert.equal(later.length, record.length + migrations.length - 1)
})

test('rejects a database with only some of the migrations from before the first release', async () => {
  using folder = new Folder()
  putOldDatabase(folder.file)
  const database = new Database(folder.file)
  database.prepare("delete from migration where name = '2026-11-27-web-push'").run()
  database.close()
  const before = readFileSync(folder.file)
  await assert.rejects(openChat({ db: folder.file }), {
    kind: 'unsupported',
    message:
      'This database is older than version 0.1.0. Start it once with chat-server at commit ed9a4aa19a97, then with this version. Nothing was changed.',
  })
  assert.deepEqual(readFileSync(folder.file), before)
})

/** The migrations that a closed file says it has. */
function recordIn(file: string): unknown[] {
  const database = new Database(file, { readonly: true })
  const rows = database.prepare('select * from migration order by name').all()
  database.close()
  return rows
}
