import type { Dialect } from './dialect.ts'
import type { TxDb } from './handle.ts'

/** One step of the schema, in a transaction of its own. */
export interface Migration {
  /** A date and a word. The order of the list decides, not the name. */
  name: string
  up(db: TxDb, dialect: Dialect): Promise<void>
}
