import { type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import { isSet, isUnset, statement, type Tables } from '../../storage/index.ts'
import { messageRow } from '../access/message-visibility.ts'
import type { Caller } from '../kernel/context.ts'
import { dialectOf } from '../kernel/store.ts'
import { type GapRow, gapTable } from '../read-state/unread-gaps.ts'
import type { Condition } from './condition.ts'

/** A scan of one index for messages from `lo` to `hi`, both included. */
export type IndexScan = { lo: number; hi: number } & (
  | { by: 'topic_id' | 'conversation_id' | 'origin_id' | 'sender_id'; value: number }
  | { by: 'topics' | 'ids'; values: readonly number[] }
  | { by: 'gaps'; column: 'conversation_id' | 'origin_id'; gaps: readonly GapRow[] }
  | { by: 'mark'; mark: 'has_image' | 'has_attachment' | 'stream_wildcard' | 'starts_read' }
  | { by: 'own_unread' | 'reactions' }
  | { by: 'flags'; bits: number }
  | { by: 'text'; parts: readonly string[] }
  | { by: 'all' }
)

export interface ScanOptions {
  condition: Condition
  direction: 'asc' | 'desc'
  limit: number
}

interface Bounds {
  value: number
  lo: number
  hi: number
  limit: number
}
type Query = SelectQueryBuilder<Tables, 'message', { id: number }>

/**
 * The first messages of all scans together, in the scan's direction, each once. A scan that begins beyond the
 * messages already found is not opened, and none is read further than that.
 */
export async function mergeScans(caller: Caller, scans: readonly IndexScan[], options: ScanOptions): Promise<number[]> {
  const { direction, limit } = options
  const nearest =
    direction === 'asc' ? (a: IndexScan, b: IndexScan) => a.lo - b.lo : (a: IndexScan, b: IndexScan) => b.hi - a.hi
  const statements = new Map<string, ReturnType<typeof statement<Bounds, { id: number }>>>()
  let found: number[] = []
  for (const scan of scans.toSorted(nearest)) {
    const farthest = found.length >= limit ? found[limit - 1]! : undefined
    const lo = direction === 'desc' && farthest !== undefined ? Math.max(scan.lo, farthest + 1) : scan.lo
    const hi = direction === 'asc' && farthest !== undefined ? Math.min(scan.hi, farthest - 1) : scan.hi
    if (lo > hi) continue
    // Scans of one kind differ only in bound values: one query is built for all of them.
    const kind = 'value' in scan ? scan.by : undefined
    const run = (kind && statements.get(kind)) ?? statement((db, p: Bounds) => scanQuery(caller, db, scan, options, p))
    if (kind) statements.set(kind, run)
    const rows = await run(caller.db, { value: 'value' in scan ? scan.value : 0, lo, hi, limit })
    if (rows.length > 0) found = merged(found, rows, direction).slice(0, limit)
  }
  return found
}

/** The ids of both, each once, in the direction of the scan. */
export function merged(found: readonly number[], rows: readonly { id: number }[], direction: 'asc' | 'desc'): number[] {
  const ids = rows.map((row) => row.id)
  if (found.length === 0) return ids
  const all = [...new Set([...found, ...ids])]
  return all.sort(direction === 'asc' ? (a, b) => a - b : (a, b) => b - a)
}

/** The query of a scan; exported so that tests can check its plan. */
export function scanQuery(caller: Caller, db: Kysely<Tables>, scan: IndexScan, options: ScanOptions, p: Bounds) {
  const { condition, direction } = options
  const holds = condition(messageRow)
  const { search, idsIn, rows } = dialectOf(caller.chat)
  if (scan.by === 'text') {
    const candidates = search.candidates(scan.parts)
    if (candidates) {
      // Reads in order of ids as far as needed, never all of it; a cross join fixes this order of tables.
      return (
        db
          .selectFrom(candidates.as('found'))
          .crossJoin('message')
          .select('message.id')
          .whereRef('message.id', '=', 'found.id')
          // @NOTE the driver binds doubles, and only integers limit the range of the index scan.
          .where('found.id', '>=', sql<number>`cast(${p.lo} as bigint)`)
          .where('found.id', '<=', sql<number>`cast(${p.hi} as bigint)`)
          .where(holds)
          .orderBy('found.id', direction)
          .limit(p.limit)
      )
    }
  }
  if (scan.by === 'topics') {
    const ids = scan.values.map((id) => [id])
    return (
      db
        // In this order: a step in the index for each topic.
        .selectFrom(rows(['id'], ids).as('place'))
        .crossJoin('message')
        .select('message.id')
        .whereRef('message.topic_id', '=', 'place.id')
        .where('message.id', '>=', p.lo)
        .where('message.id', '<=', p.hi)
        .where(holds)
        .orderBy('message.id', direction)
        .limit(p.limit)
    )
  }
  if (scan.by === 'gaps') {
    return db
      .selectFrom(gapTable(caller, scan.gaps))
      .crossJoin('message')
      .select('message.id')
      .whereRef(`message.${scan.column}`, '=', 'gap.conversation_id')
      .whereRef('message.id', '>=', 'gap.lo')
      .whereRef('message.id', '<=', 'gap.hi')
      .where(holds)
      .orderBy('message.id', direction)
      .limit(p.limit)
  }
  if (scan.by === 'flags') {
    return db
      .selectFrom('message_flag as mine')
      .crossJoin('message')
      .select('message.id')
      .whereRef('message.id', '=', 'mine.message_id')
      .where('mine.user_id', '=', caller.user.id)
      .where(sql<number>`mine.flags & ${sql.lit(scan.bits)}`, '!=', 0)
      .where('mine.message_id', '>=', p.lo)
      .where('mine.message_id', '<=', p.hi)
      .where(holds)
      .orderBy('mine.message_id', direction)
      .limit(p.limit)
  }
  if (scan.by === 'reactions') {
    // The index of reactions begins with the message: rows come in the right order, a message once per reaction.
    return db
      .selectFrom('reaction as given')
      .crossJoin('message')
      .select('given.message_id as id')
      .distinct()
      .whereRef('message.id', '=', 'given.message_id')
      .where('given.message_id', '>=', p.lo)
      .where('given.message_id', '<=', p.hi)
      .where(holds)
      .orderBy('given.message_id', direction)
      .limit(p.limit)
  }
  return through(db.selectFrom('message').select('message.id'), scan, p, caller.user.id, idsIn)
    .where('message.id', '>=', p.lo)
    .where('message.id', '<=', p.hi)
    .where(holds)
    .orderBy('message.id', direction)
    .limit(p.limit)
}

function through(
  query: Query,
  scan: IndexScan,
  p: Bounds,
  user_id: number,
  idsIn: ReturnType<typeof dialectOf>['idsIn'],
) {
  switch (scan.by) {
    case 'topic_id':
    case 'conversation_id':
    case 'origin_id':
    case 'sender_id':
      return query.where(`message.${scan.by}`, '=', p.value)
    case 'ids':
      return query.where('message.id', 'in', idsIn(scan.values))
    case 'own_unread':
      return query.where('message.sender_id', '=', user_id).where((eb) => eb('message.read_by_sender', '=', isUnset))
    case 'mark':
      return query.where((eb) => eb(`message.${scan.mark}`, '=', isSet))
    default:
      return query
  }
}
