import { type ColumnDefinitionBuilder, type SqlBool, sql } from 'kysely'
import type { ColumnTypes, Dialect } from '../dialect.ts'
import type { Db } from '../handle.ts'

/** What a migration says about a column. */
export interface Column {
  type: keyof ColumnTypes
  nullable?: true
  /** The primary key that numbers the rows by itself. */
  numbered?: true
  /** The table whose id it holds. */
  references?: string
  /** A row goes with the one it refers to. */
  cascade?: true
}

export interface Index {
  on: readonly string[]
  unique?: true
  /** Only rows for which this holds are in it: a column and 0 or 1, or `not null`. */
  where?: readonly [column: string, is: 0 | 1 | 'not null']
}

export interface Table {
  columns: Readonly<Record<string, Column>>
  /** Where it is not the column that numbers the rows. */
  primaryKey?: readonly string[]
  indexes?: Readonly<Record<string, Index>>
}

export type TableList = Readonly<Record<string, Table>>

export const id: Column = { type: 'id', numbered: true }
export const int: Column = { type: 'int' }
/** 0 or 1. */
export const flag: Column = int
/** Seconds since 1970. */
export const time: Column = int
export const text: Column = { type: 'text' }
export const bytes: Column = { type: 'bytes' }
/** The id of a row of this table. */
export const ref = (table: string): Column => ({ type: 'int', references: table })
/** As `ref`; the row goes with the one it refers to. */
export const partOf = (table: string): Column => ({ ...ref(table), cascade: true })
export const maybe = (column: Column): Column => ({ ...column, nullable: true })

/** Creates these tables with their indexes, in the order of the list. */
export async function createTables(db: Db, dialect: Dialect, tables: TableList): Promise<void> {
  for (const [name, table] of Object.entries(tables)) {
    let create = db.schema.createTable(name)
    for (const [column, about] of Object.entries(table.columns)) {
      create = create.addColumn(column, sql.raw(dialect.columnTypes[about.type]), (c) => constrained(c, about, dialect))
    }
    // biome-ignore lint/suspicious/noExplicitAny: the builder wants names it has seen as literals.
    if (table.primaryKey) create = create.addPrimaryKeyConstraint(`${name}_pk`, table.primaryKey as any)
    await create.execute()
    for (const [index, about] of Object.entries(table.indexes ?? {})) await createIndex(db, name, index, about)
  }
}

function constrained(column: ColumnDefinitionBuilder, about: Column, dialect: Dialect): ColumnDefinitionBuilder {
  if (about.numbered) return dialect.id(column)
  let c = about.nullable ? column : column.notNull()
  if (about.references) c = c.references(`${about.references}.id`)
  return about.cascade ? c.onDelete('cascade') : c
}

async function createIndex(db: Db, table: string, name: string, { on, unique, where }: Index): Promise<void> {
  let create = db.schema
    .createIndex(name)
    .on(table)
    .columns([...on])
  if (unique) create = create.unique()
  if (where) {
    const [column, is] = where
    const condition = is === 'not null' ? sql`is not null` : sql`= ${sql.lit(is)}`
    create = create.where(sql<SqlBool>`${sql.ref(column)} ${condition}`)
  }
  await create.execute()
}
