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

/** Queries on one connection, or on any of a pool's. `name` is the database, for messages. */
export function createConnection(queryable: Queryable, name: string): Connection {
  async function query(text: string, parameters: readonly unknown[], statement?: string): Promise<QueryResult> {
    try {
      return await queryable.query({ text, values: parameters as unknown[], name: statement })
    } catch (error) {
      throw translate(error, name)
    }
  }
  return {
    rows: async (sql, parameters) => (await query(sql, parameters, nameOf(sql))).rows,
    async run({ sql, parameters }) {
      const { rows, rowCount, command } = await query(sql, parameters)
      return command === 'SELECT' ? { rows } : { rows, numAffectedRows: BigInt(rowCount ?? 0) }
    },
  }
}
