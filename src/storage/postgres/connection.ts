import { PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type { QueryResult } from 'pg'
import { MustRunAlone } from '../errors.ts'
import { type Connection, handleFactory } from '../handle.ts'
import { translate } from './errors.ts'
import type { Inserts } from './inserts.ts'

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

/** The server plans a named statement once per connection. Only frequent texts get a name. */
export function nameOf(text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined || names.size >= MAX_NAMED) return known
  const name = `s${names.size}`
  names.set(text, name)
  return name
}

const IS_READ = /^select /
const IS_CHANGE = /^(insert|update|delete) /
const ANSWERS = / returning /

/** The statements of one write, as its transaction sees them. */
export interface Course {
  /** Whether to send prepared changes without waiting if their result isn't needed. */
  readonly ahead: boolean
  /** Whether a failed write must be undone: a change was sent, or a statement has failed. */
  touched: boolean
  /** Returns an insert with its id filled in, for inserts that return the id of their row. */
  numbered(sql: string, parameters: readonly unknown[]): Foreseen | undefined
  /** Notes a statement that reserves ids of messages. */
  reserve(sql: string, parameters: readonly unknown[]): void
  /** Statements to send together before the next one that is awaited. */
  readonly inserts: Inserts
  /** Set if other processes append at the same time: whether a statement that inserts nothing may run beside them. */
  readonly mayRun?: ((sql: string) => boolean) | undefined
  /** Whether a statement didn't run, because it may not run beside others. */
  refused: boolean
}

export interface Foreseen {
  readonly sql: string
  readonly parameters: readonly unknown[]
  readonly rows: unknown[]
}

/** Returns a change whose result is known before it is sent. */
function foreseen(course: Course, sql: string, parameters: readonly unknown[]): Foreseen | undefined {
  if (!course.ahead || !IS_CHANGE.test(sql)) return undefined
  return ANSWERS.test(sql) ? course.numbered(sql, parameters) : { sql, parameters, rows: [] }
}

/** Runs queries on one connection, or on any of a pool's. `name` is the database, for messages. */
export function createConnection(queryable: Queryable, name: string, course?: Course): Connection {
  async function query(text: string, parameters: readonly unknown[], statement?: string): Promise<QueryResult> {
    if (course?.mayRun?.(text) === false) {
      course.refused = true
      throw new MustRunAlone()
    }
    course?.inserts.flush()
    if (course && !IS_READ.test(text)) course.touched = true
    try {
      return await queryable.query({ text, values: parameters as unknown[], name: statement })
    } catch (error) {
      if (course) course.touched = true
      throw translate(error, name)
    }
  }
  return {
    async rows(sql, parameters) {
      const ahead = course && foreseen(course, sql, parameters)
      if (!ahead) return (await query(sql, parameters, nameOf(sql))).rows
      course.touched = true
      if (!course.inserts.take(ahead.sql, ahead.parameters)) {
        // A failure also fails the following statements, and finally the commit.
        query(ahead.sql, ahead.parameters, nameOf(ahead.sql)).catch(() => {})
      }
      return ahead.rows
    },
    async run({ sql, parameters }) {
      if (course?.ahead) course.reserve(sql, parameters)
      const { rows, rowCount, command } = await query(sql, parameters)
      return command === 'SELECT' ? { rows } : { rows, numAffectedRows: BigInt(rowCount ?? 0) }
    },
  }
}
