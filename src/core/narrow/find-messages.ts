import type { Caller } from '../kernel/context.ts'
import { isUnreadBy } from '../read-state/conditions.ts'
import type { Narrow } from './compile.ts'
import { type Condition, conditionOf } from './condition.ts'
import { type IndexScan, merged, mergeScans, type ScanOptions } from './scan.ts'
import { clipped, everywhere, hasManyTopics, isSpread, scansOf, sourcesOf } from './sources.ts'

export interface Page {
  /** Where to begin, inclusive. */
  from: number
  direction: 'asc' | 'desc'
  limit: number
  /** A condition in addition to the narrow. */
  only?: Condition
  /** Only unread messages. */
  unread?: boolean
  /** How many of the nearest messages are scanned before conversations are read one by one. */
  window?: number
}

/** Ids of the next messages of a narrow from a given id on, in the direction of the scan. */
export async function findMessages(caller: Caller, narrow: Narrow, page: Page): Promise<number[]> {
  const { direction, limit, only, unread } = page
  if (limit <= 0) return []
  const holds = conditionOf(caller, narrow)
  const condition: Condition = (row) =>
    row.and([...(only ? [only(row)] : []), ...(unread ? [isUnreadBy(row, caller.user.id)] : []), holds(row)])
  const options = { condition, direction, limit }
  const { wholeHistory } = narrow
  const sources = unread ? ([{ by: 'unread' }] as const) : sourcesOf(narrow)
  const range = direction === 'asc' ? { lo: page.from, hi: Number.MAX_SAFE_INTEGER } : { lo: 0, hi: page.from }
  if (sources && !isSpread(sources)) {
    const scans = () => scansOf(caller, sources, { wholeHistory, ...range })
    if (sources.some((source) => source.by === 'unread')) return inGaps(caller, await scans(), options)
    return hasManyTopics(sources)
      ? inWindows(caller, scans, range, options)
      : mergeScans(caller, await scans(), options)
  }
  const newest = await newestId(caller)
  const { near, rest } = split(
    { lo: range.lo, hi: Math.min(range.hi, newest) },
    direction,
    page.window ?? windowFor(limit),
  )
  const found = await mergeScans(caller, [{ by: 'all', ...near }], options)
  if (found.length >= limit || rest.lo > rest.hi) return found
  const scans = await scansOf(caller, sources, { wholeHistory, ...rest })
  return [...found, ...(await mergeScans(caller, scans, { ...options, limit: limit - found.length }))]
}

/** Scans all of the nearest messages first, then ever larger windows farther away by the scans of the sources. */
async function inWindows(
  caller: Caller,
  scansOfSources: () => Promise<readonly IndexScan[]>,
  range: Span,
  options: ScanOptions,
) {
  const { direction, limit } = options
  let { near, rest } = split(
    { lo: range.lo, hi: Math.min(range.hi, await newestId(caller)) },
    direction,
    windowFor(limit),
  )
  // An index step for each topic costs more than reading these rows, which often contain enough matches.
  const found = await mergeScans(caller, [{ by: 'all', ...near }], options)
  if (found.length >= limit || rest.lo > rest.hi) return found
  const scans = await scansOfSources()
  for (let size = 8 * windowFor(limit); found.length < limit && rest.lo <= rest.hi; size *= 8) {
    ;({ near, rest } = split(rest, direction, size))
    const next = { ...options, limit: limit - found.length }
    found.push(...(await mergeScans(caller, clipped(scans, near), next)))
  }
  return found
}

/**
 * Scans the gaps in ever larger windows, from where the nearest of them begins: one query for all of them in each
 * window, where one for each would be dozens.
 */
async function inGaps(caller: Caller, scans: readonly IndexScan[], options: ScanOptions): Promise<number[]> {
  const { direction, limit } = options
  const gaps = scans.filter((scan) => scan.by === 'gaps')
  const others = await mergeScans(
    caller,
    scans.filter((scan) => scan.by !== 'gaps'),
    options,
  )
  if (gaps.length === 0) return others
  let rest: Span = {
    lo: Math.min(...gaps.map((scan) => scan.lo)),
    hi: Math.min(Math.max(...gaps.map((scan) => scan.hi)), await newestId(caller)),
  }
  const found: number[] = []
  for (let size = gapWindowFor(limit); found.length < limit && rest.lo <= rest.hi; size *= 8) {
    const next = split(rest, direction, size)
    rest = next.rest
    found.push(...(await mergeScans(caller, clipped(gaps, next.near), { ...options, limit: limit - found.length })))
  }
  const rows = found.map((id) => ({ id }))
  return merged(others, rows, direction).slice(0, limit)
}

/** Nearly all that is read there is unread. */
const gapWindowFor = (limit: number) => 100 + 2 * limit

/** Returns the messages that match a narrow, ascending. */
export async function findAmong(caller: Caller, narrow: Narrow, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return []
  const options = { condition: conditionOf(caller, narrow), direction: 'asc', limit: ids.length } as const
  return mergeScans(caller, [{ by: 'ids', values: ids, ...everywhere }], options)
}

const windowFor = (limit: number) => 2000 + 10 * limit

interface Span {
  lo: number
  hi: number
}

function split({ lo, hi }: Span, direction: Page['direction'], size: number) {
  if (direction === 'asc') return { near: { lo, hi: Math.min(hi, lo + size) }, rest: { lo: lo + size + 1, hi } }
  return { near: { lo: Math.max(lo, hi - size), hi }, rest: { lo, hi: hi - size - 1 } }
}

async function newestId({ db }: Caller): Promise<number> {
  const row = await db.selectFrom('message').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
  return row?.id ?? 0
}
