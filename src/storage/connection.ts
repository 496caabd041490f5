export type { Db, TxDb } from './handle.ts'
