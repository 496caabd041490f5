import type { Db } from '../../../../storage/index.ts'
import { type GroupGraph, groupGraph, groupSettingView } from '../../../access/group-graph.ts'
import { seconds } from '../../../kernel/base/clock.ts'
import { chunked } from '../../../kernel/base/lists.ts'
import type { Context } from '../../../kernel/context.ts'
import type { SystemGroupName } from '../../../settings/group-setting-value.ts'
import type { GroupSettingValue } from '../../../shapes/group.ts'
import type { ExportScope } from './scope.ts'

/** A row of a table in the archive, with the columns of upstream's database at level 371. */
export type Row = Readonly<Record<string, unknown>>
/** Rows in the order of their ids, in pages, so that no table is in memory as a whole. */
export type Rows = AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>

/** The input of all tables. */
export interface Source {
  readonly reader: Context
  readonly db: Db
  readonly scope: ExportScope
  readonly now: number
  /** Ids of programs by name. Rows refer to them, and their table is written last. */
  readonly clients: Map<string, number>
  /** Unnamed sets of users and groups, with the ids they get. */
  readonly unnamed: Map<number, Exclude<GroupSettingValue, number>>
  /** Returns a permission's value as the id of a group. */
  groupOf(value: GroupSettingValue | SystemGroupName): number
}

/** The only organization of a database. */
export const REALM = 1

/** @param clients - programs that are already in the archive */
export async function sourceOf(reader: Context, scope: ExportScope, clients: Map<string, number>): Promise<Source> {
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
    clients,
    unnamed,
    groupOf(value) {
      const shown = groupSettingView(graph, value)
      if (typeof shown === 'number') return shown
      // Each setting has a set of its own, so that changing it changes no other setting.
      unnamed.set(++last, shown)
      return last
    },
  }
}

/** The id of a program. */
export function clientId({ clients }: Pick<Source, 'clients'>, name: string): number {
  const known = clients.get(name)
  if (known !== undefined) return known
  clients.set(name, clients.size + 1)
  return clients.size
}

/** Few rows in a page: what is in memory while others are made is copied, and the memory for new objects grows. */
export const PAGE = 100

/** Yields all rows of a query, page by page. `fetch` returns the rows after an id, in order. */
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

/** Yields pages of rows after a function changed them. Rows that become undefined are left out. */
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

/** Users whose rows one query returns. */
export const USERS = 100

/** Yields the rows of users, numbered, for tables without a number of their own. `fetch` returns the rows of some users. */
export async function* byUser<R>(
  users: readonly number[],
  fetch: (user_ids: readonly number[]) => Promise<readonly R[]>,
  toRow: (row: R) => Row | undefined,
): AsyncGenerator<Row[]> {
  let id = 0
  for (const some of chunked(users, USERS)) {
    const rows = (await fetch(some)).flatMap((row) => {
      const made = toRow(row)
      return made === undefined ? [] : [{ id: ++id, ...made }]
    })
    if (rows.length > 0) yield rows
  }
}

/** Rows that are in memory, numbered. */
export const numbered = (rows: readonly Row[]): Rows => [rows.map((row, i) => ({ id: i + 1, ...row }))]
