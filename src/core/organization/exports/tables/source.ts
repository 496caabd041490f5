import type { Db } from '../../../../storage/index.ts'
import { type GroupGraph, groupGraph, groupSettingView } from '../../../access/group-graph.ts'
import { seconds } from '../../../kernel/base/clock.ts'
import type { Context } from '../../../kernel/context.ts'
import type { SystemGroupName } from '../../../settings/group-setting-value.ts'
import type { GroupSettingValue } from '../../../shapes/group.ts'
import type { ExportScope } from './scope.ts'

/** A row of a table of the archive: its columns are those of the reference's database at level 371. */
export type Row = Readonly<Record<string, unknown>>
/** Rows in the order of their ids, some at a time: no table is in memory as a whole. */
export type Rows = AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>

/** What all tables are made from. */
export interface Source {
  readonly reader: Context
  readonly db: Db
  readonly scope: ExportScope
  readonly now: number
  /** Ids of programs, by name: what is written names them, and the table of them is written last. */
  readonly clients: Map<string, number>
  /** Sets of users and groups that are no group by name, with the ids they get. */
  readonly unnamed: Map<number, Exclude<GroupSettingValue, number>>
  /** A permission's value as the id of a group. */
  groupOf(value: GroupSettingValue | SystemGroupName): number
}

/** The only organization of a database. */
export const REALM = 1

export async function sourceOf(reader: Context, scope: ExportScope): Promise<Source> {
  const graph: GroupGraph = await groupGraph.get(reader)
  const newest = await reader.db
    .selectFrom('user_group')
    .select((eb) => eb.fn.max('id').as('id'))
    .executeTakeFirst()
  let last = newest?.id ?? 0
  const unnamed = new Map<number, Exclude<GroupSettingValue, number>>()
  return {
    reader,
    db: reader.db,
    scope,
    now: seconds(reader.chat.clock),
    clients: new Map(),
    unnamed,
    groupOf(value) {
      const shown = groupSettingView(graph, value)
      if (typeof shown === 'number') return shown
      // Each setting has a set of its own: where it is changed, no other one is.
      unnamed.set(++last, shown)
      return last
    },
  }
}

/** The id of a program. */
export function clientId({ clients }: Source, name: string): number {
  const known = clients.get(name)
  if (known !== undefined) return known
  clients.set(name, clients.size + 1)
  return clients.size
}

const PAGE = 1000

/** All rows of a query, a page at a time. `fetch` returns those after an id, in order. */
export async function* paged<R extends { id: number }>(
  fetch: (after: number, limit: number) => Promise<R[]>,
): AsyncGenerator<R[]> {
  for (let after = -1; ; ) {
    const rows = await fetch(after, PAGE)
    if (rows.length > 0) yield rows
    if (rows.length < PAGE) return
    after = rows.at(-1)!.id
  }
}

/** Pages of rows, changed; those that become undefined are left out. */
export async function* mapped<R>(
  pages: AsyncIterable<readonly R[]>,
  toRow: (row: R) => Row | undefined,
): AsyncGenerator<Row[]> {
  for await (const page of pages) {
    yield page.flatMap((row) => {
      const made = toRow(row)
      return made === undefined ? [] : [made]
    })
  }
}

/** The rows of one user after the other, numbered: for tables whose rows have no number of their own. */
export async function* byUser<R>(
  users: Iterable<number>,
  fetch: (user_id: number) => Promise<readonly R[]>,
  toRow: (row: R) => Row | undefined,
): AsyncGenerator<Row[]> {
  let id = 0
  for (const user of users) {
    const rows = (await fetch(user)).flatMap((row) => {
      const made = toRow(row)
      return made === undefined ? [] : [{ id: ++id, ...made }]
    })
    if (rows.length > 0) yield rows
  }
}

/** Rows that are in memory, numbered. */
export const numbered = (rows: readonly Row[]): Rows => [rows.map((row, i) => ({ id: i + 1, ...row }))]
