// The other processes in these tests: `child.ts <what> <file>`.
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { type Migration, openStore, StorageError } from '../../src/storage/index.ts'
import { migrations } from '../../src/storage/migrate.ts'
import { addRow } from './opened.ts'

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
