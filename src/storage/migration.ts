import type { Dialect } from './dialect.ts'
import type { TxDb } from './handle.ts'

/** One step of the schema, in a transaction of its own. */
export interface Migration {
  /** A date and a word; migrations are applied in the order of the list. */
  name: string
  up(db: TxDb, dialect: Dialect): Promise<void>
}
