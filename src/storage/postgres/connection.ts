import { PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type { QueryResult } from 'pg'
import { type Connection, handleFactory } from '../handle.ts'
import { translate } from './errors.ts'

/** A Kysely handle whose queries are PostgreSQL's. */
export const postgresHandle = handleFactory({
  createAdapter: () => new PostgresAdapter(),
  createQueryCompiler: () => new PostgresQueryCompiler(),
  createIntrospector: (db) => new PostgresIntrospector(db),
})

/** A client or a pool. */
export interface Queryable {
  query(config: { text: string; values: unknown[]; name?: string | undefined }): Promise<QueryResult>
}

const MAX_NAMED = 1000
const names = new Map<string, string>()

/** The server plans a statement with a name once for each connection. Few texts come again and again; the rest have none. */
function nameOf(text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined || names.size >= MAX_NAMED) return known
  const name = `s${names.size}`
  names.set(text, name)
  return name
}

const IS_CHANGE = /^(insert|update|delete) /
const ANSWERS = / returning /

/**
 * Queries on one connection, or on any of a pool's. `name` is the database, for messages. With
 * `onLateFailure`, prepared changes that answer nothing are sent and not waited for; it is called when one of them has
 * failed, before anything that is sent later is answered.
 */
export function createConnection(queryable: Queryable, name: string, onLateFailure?: () => void): Connection {
  async function query(text: string, parameters: readonly unknown[], statement?: string): Promise<QueryResult> {
    try {
      return await queryable.query({ text, values: parameters as unknown[], name: statement })
    } catch (error) {
      throw translate(error, name)
    }
  }
  return {
    async rows(sql, parameters) {
      const answer = query(sql, parameters, nameOf(sql))
      if (onLateFailure && IS_CHANGE.test(sql) && !ANSWERS.test(sql)) {
        answer.catch(onLateFailure)
        return []
      }
      return (await answer).rows
    },
    async run({ sql, parameters }) {
      const { rows, rowCount, command } = await query(sql, parameters)
      return command === 'SELECT' ? { rows } : { rows, numAffectedRows: BigInt(rowCount ?? 0) }
    },
  }
}
