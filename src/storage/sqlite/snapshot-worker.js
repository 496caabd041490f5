// @ts-check
// The thread behind `store.snapshot`: read-only connections to the file, one for each snapshot in progress. It answers
// requests in their order, and reads while the main thread goes on.
// @NOTE JavaScript, because a thread doesn't inherit the TypeScript loader of its process.
import { parentPort, workerData } from 'node:worker_threads'
import Database from 'better-sqlite3'

/** @import { Reply, Request } from './snapshot-protocol.ts' */

/** Rows in one message: receiving 10,000 of 14 columns at once would hold the event loop for 12 ms. */
const PAGE = 1000
/** Pages of a backup that are copied before other snapshots have a turn. */
const BACKUP_PAGES = 500
/** As in the main thread: the text of a query is the same at each call. */
const MAX_STATEMENTS = 1000

/** @param {string} file */
function openSlot(file) {
  const database = new Database(file, { readonly: true, timeout: 5000 })
  database.pragma('trusted_schema = OFF')
  database.pragma('temp_store = MEMORY')
  database.pragma('cache_size = -8192')
  /** @type {Map<string, Database.Statement<unknown[]>>} */
  const statements = new Map()
  /** @type {readonly string[]} */
  let columns = []
  /** @type {unknown[][]} */
  let rest = []

  /** @param {string} sql */
  function prepare(sql) {
    const cached = statements.get(sql)
    if (cached) return cached
    const statement = database.prepare(sql)
    if (!statement.readonly || !statement.reader) throw new Error(`a snapshot is read-only: ${sql.slice(0, 80)}`)
    if (statements.size >= MAX_STATEMENTS) statements.clear()
    statements.set(sql, statement.raw())
    return statement
  }
  function page() {
    const rows = rest.slice(0, PAGE)
    rest = rest.slice(PAGE)
    return { columns, rows, more: rest.length > 0 }
  }
  function rollback() {
    rest = []
    if (database.inTransaction) database.exec('rollback')
    return {}
  }
  return {
    begin() {
      rollback()
      database.exec('begin')
      // A transaction sees the moment of its first read.
      database.prepare('select 1 from sqlite_master limit 1').get()
      return {}
    },
    /** @param {string} sql @param {readonly unknown[]} parameters */
    read(sql, parameters) {
      const statement = prepare(sql)
      rest = /** @type {unknown[][]} */ (statement.all(...parameters))
      columns = statement.columns().map(({ name }) => name)
      return page()
    },
    more: page,
    /**
     * Copies what the snapshot sees. As its transaction is open, writes of others don't make the copy start again.
     *
     * @param {string} target
     */
    async backup(target) {
      await database.backup(target, { progress: () => BACKUP_PAGES })
      return {}
    },
    end: rollback,
    close: () => database.close(),
  }
}

/** @type {Map<number, ReturnType<typeof openSlot>>} */
const slots = new Map()

/** @param {Request} request */
function answer(request) {
  const slot = slots.get(request.slot) ?? openSlot(workerData)
  slots.set(request.slot, slot)
  if (request.what === 'read') return slot.read(request.sql, request.parameters)
  if (request.what === 'backup') return slot.backup(request.target)
  return slot[request.what]()
}

/** @param {Reply} reply */
const post = (reply) => parentPort?.postMessage(reply)

/** @param {Request | 'close'} request */
async function handle(request) {
  if (request === 'close') {
    for (const slot of slots.values()) slot.close()
    parentPort?.close()
    return
  }
  try {
    const given = answer(request)
    // Other answers are posted in the turn of their request, so that they keep its order.
    post({ id: request.id, ...(given instanceof Promise ? await given : given) })
  } catch (error) {
    const { message, code } = /** @type {Error & { code?: string }} */ (error)
    post({ id: request.id, error: { message, code } })
  }
}

parentPort?.on('message', (request) => void handle(request))
