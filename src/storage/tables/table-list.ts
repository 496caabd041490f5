import { type ColumnDefinitionBuilder, type Kysely, type SqlBool, sql } from 'kysely'
import type { Tables } from './index.ts'

/** Column types. Integers and ids have 64 bits in every dialect. */
export interface ColumnTypes {
  readonly id: 'integer' | 'bigint'
  readonly int: 'bigint'
  /** At most 31 bits. */
  readonly small: 'integer'
  readonly text: 'text' | 'text collate "C"'
  readonly bytes: 'blob' | 'bytea'
}

/** How a database names its types. */
export interface ColumnDialect {
  readonly columnTypes: ColumnTypes
  /** Makes a column of type `id` a primary key whose values ascend and are never reused. */
  id(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder
}

/** A migration's description of a column. */
export interface Column {
  type: keyof ColumnTypes
  nullable?: true
  /** An automatically numbered primary key. */
  numbered?: true
  /** The table that it references. */
  references?: string
  /** The value of rows that don't give one. */
  default?: string | number
  /** Rows are deleted with the row they reference. */
  cascade?: true
}

export interface Index {
  on: readonly string[]
  unique?: true
  /** The condition of a partial index: a column and 0 or 1, or `not null`. */
  where?: readonly [column: string, is: 0 | 1 | 'not null']
}

export interface Table {
  columns: Readonly<Record<string, Column>>
  /** The primary key, where it is not a numbered column. */
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
/** A reference to a row of this table. */
export const ref = (table: string): Column => ({ type: 'int', references: table })
/** As `ref`, and the row is deleted with the one it references. */
export const partOf = (table: string): Column => ({ ...ref(table), cascade: true })
export const maybe = (column: Column): Column => ({ ...column, nullable: true })

/** Creates these tables with their indexes, in the order of the list. */
export async function createTables(db: Kysely<Tables>, dialect: ColumnDialect, tables: TableList): Promise<void> {
  for (const [name, table] of Object.entries(tables)) {
    let create = db.schema.createTable(name)
    for (const [column, about] of Object.entries(table.columns)) {
      create = create.addColumn(column, sql.raw(dialect.columnTypes[about.type]), (c) => constrained(c, about, dialect))
    }
    // biome-ignore lint/suspicious/noExplicitAny: the builder requires column names as literals.
    if (table.primaryKey) create = create.addPrimaryKeyConstraint(`${name}_pk`, table.primaryKey as any)
    await create.execute()
    for (const [index, about] of Object.entries(table.indexes ?? {})) await createIndex(db, name, index, about)
  }
}

function constrained(column: ColumnDefinitionBuilder, about: Column, dialect: ColumnDialect): ColumnDefinitionBuilder {
  if (about.numbered) return dialect.id(column)
  // Columns of a primary key are never null.
  let c = about.nullable || about.type === 'id' ? column : column.notNull()
  if (about.default !== undefined) c = c.defaultTo(about.default)
  if (about.references) c = c.references(`${about.references}.id`)
  return about.cascade ? c.onDelete('cascade') : c
}

async function createIndex(
  db: Kysely<Tables>,
  table: string,
  name: string,
  { on, unique, where }: Index,
): Promise<void> {
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
