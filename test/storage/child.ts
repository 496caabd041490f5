// The other processes in these tests: `child.ts <what> <file>`.
import { flushCompileCache } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { type Migration, openStore, StorageError } from '../../src/storage/index.ts'
import { migrations } from '../../src/storage/migrate.ts'
import { addEvents, addRow } from './opened.ts'

// A process that is killed stores nothing of it.
flushCompileCache()
const [what, file] = process.argv.slice(2) as [string, string]
const say = (text: string) => process.stdout.write(`${text}\n`)
const forever = () => sleep(60_000)

const stuck: Migration = {
  name: '9999-01-01-stuck',
  async up(db) {
    await db.schema.createTable('half').addColumn('id', 'integer').execute()
    await db.insertInto('blob').values({ size: 0, content_type: 'half', created_at: 0 }).execute()
    say('in the middle')
    await forever()
  },
}

const deeds: Record<string, () => Promise<unknown>> = {
  async hold() {
    await openStore({ file })
    say('open')
    await forever()
  },
  /** Stores 300 events, and ends where the database breaks, as the server does. */
  async serve() {
    const onBroken = (error: StorageError) => {
      say(error.message)
      process.exit(1)
    }
    const store = await openStore({ file, onBroken, warn: say })
    if (process.argv[4] === 'with a reader') {
      const { promise, resolve } = Promise.withResolvers<void>()
      void store.snapshot(async (db) => {
        await db.selectFrom('event').select('id').execute()
        resolve()
        await forever()
      })
      await promise
    }
    for (let i = 0; i < 300; i++) await store.write((tx) => addEvents(tx, 1))
    say('stored')
    await forever()
  },
  async try() {
    const answer = await openStore({ file }).then(
      () => ({ kind: 'open' }),
      (error) => ({ kind: error instanceof StorageError ? error.kind : 'bug', message: String(error.message) }),
    )
    say(JSON.stringify(answer))
  },
  async lock() {
    const database = new Database(file)
    database.exec('begin immediate')
    say('locked')
    await forever()
  },
  /** Writes its own table from time to time, as Litestream does. */
  async replicate() {
    const database = new Database(file)
    database.exec('create table _litestream_seq (id integer primary key, seq integer)')
    for (let i = 0; ; i++) {
      database.exec(`insert into _litestream_seq values (1, ${i}) on conflict do update set seq = ${i}`)
      say(`sequence ${i}`)
      await sleep(600)
    }
  },
  async migrate() {
    await openStore({ file, migrations: [...migrations, stuck] })
  },
  /** Leaves the store open after a snapshot: it must not keep the process alive. */
  async snapshot() {
    const store = await openStore({ file })
    await store.write((tx) => addRow(tx, 'a'))
    say(String(await store.snapshot(async (db) => (await db.selectFrom('blob').select('id').execute()).length)))
  },
  /** Writes until the file reaches its size limit. */
  async fill() {
    let broken = ''
    const store = await openStore({ file, onBroken: (error) => (broken = error.message) })
    let acknowledged = 0
    try {
      for (;;) {
        await store.write((tx) => addRow(tx, 'x'.repeat(20_000)))
        acknowledged++
      }
    } catch (error) {
      const again = await store.write((tx) => addRow(tx, 'again')).catch((e) => e)
      say(JSON.stringify({ kind: (error as StorageError).kind, broken, acknowledged, again: again.kind }))
    }
    process.exit(0)
  },
}
await deeds[what]!()
