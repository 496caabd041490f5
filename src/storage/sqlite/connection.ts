import type Database from 'better-sqlite3'
import { SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { type Connection, handleFactory } from '../handle.ts'
import type { Health } from './health.ts'

/** A Kysely handle whose queries are SQLite's. */
export const sqliteHandle = handleFactory({
  createAdapter: () => new SqliteAdapter(),
  createQueryCompiler: () => new SqliteQueryCompiler(),
  createIntrospector: (db) => new SqliteIntrospector(db),
})

const MAX_STATEMENTS = 1000

/**
 * Prepares most statements once, because queries have the same text at each call. It keeps statements from their
 * second use on: many are used only when a database opens, and each takes a kilobyte.
 */
function statementCache(database: Database.Database, check: (statement: Database.Statement) => void) {
  const statements = new Map<string, Database.Statement<unknown[]>>()
  const usedOnce = new Set<string>()
  return (text: string): Database.Statement<unknown[]> => {
    const cached = statements.get(text)
    if (cached) return cached
    const statement = database.prepare<unknown[]>(text)
    check(statement)
    if (usedOnce.delete(text)) {
      if (statements.size >= MAX_STATEMENTS) statements.clear()
      statements.set(text, statement)
    } else {
      if (usedOnce.size >= MAX_STATEMENTS) usedOnce.clear()
      usedOnce.add(text)
    }
    return statement
  }
}

/**
 * The synchronous connection of this thread.
 *
 * @param onChange - called before each statement that may change something
 */
export function createConnection(
  database: Database.Database,
  health: Health,
  mayWrite: boolean,
  onChange = () => {},
): Connection {
  const prepare = statementCache(database, (statement) => {
    if (!mayWrite && !statement.readonly) {
      throw new Error(`only store.write may change the database: ${statement.source.slice(0, 80)}`)
    }
  })
  return {
    rows(sql, parameters) {
      try {
        const statement = prepare(sql)
        if (!statement.readonly) onChange()
        if (statement.reader) return statement.all(...parameters)
        statement.run(...parameters)
        return []
      } catch (error) {
        throw health.translate(error)
      }
    },
    insert(sql, parameters) {
      try {
        const statement = prepare(sql)
        onChange()
        return Number(statement.run(...parameters).lastInsertRowid)
      } catch (error) {
        throw health.translate(error)
      }
    },
    async run({ sql, parameters }) {
      try {
        const statement = prepare(sql)
        if (!statement.readonly) onChange()
        if (statement.reader) return { rows: statement.all(...parameters) }
        return { rows: [], numAffectedRows: BigInt(statement.run(...parameters).changes) }
      } catch (error) {
        throw health.translate(error)
      }
    },
  }
}
