import type { Caller } from '../context.ts'
import { periodsOfUser } from '../event-log/audience.ts'
import { isUnreadBy } from '../read-state/conditions.ts'
import { bits } from '../read-state/flag-bits.ts'
import type { Narrow } from './compile.ts'
import { type Condition, conditionOf } from './condition.ts'
import type { Source } from './operators/predicate.ts'
import { type IndexScan, mergeScans } from './scan.ts'
import { unreadScans } from './unread-scan.ts'

export interface Page {
  /** Where to begin, inclusive. */
  from: number
  direction: 'asc' | 'desc'
  limit: number
  /** A condition in addition to the narrow. */
  only?: Condition
  /** Only what the caller has not read. */
  unread?: boolean
  /** How many of the nearest messages are scanned before conversations are read one by one. */
  window?: number
}

/**
 * With more index scans than this, the nearest messages are scanned first; the rest is opened only if that did not
 * find enough.
 */
const FEW_SCANS = 20
/** More topics than this are read as one list in one query. */
const MANY_TOPICS = 300

/** Ids of the next messages of a narrow from a given id on, in the direction of the scan. */
export async function findMessages(caller: Caller, narrow: Narrow, page: Page): Promise<number[]> {
  const { direction, limit, only, unread } = page
  if (limit <= 0) return []
  const holds = conditionOf(caller, narrow)
  const condition: Condition = (row) =>
    row.and([...(only ? [only(row)] : []), ...(unread ? [isUnreadBy(row, caller.user.id)] : []), holds(row)])
  const walk = { condition, direction, limit }
  const sources = unread ? ([{ by: 'unread' }] as const) : sourcesOf(narrow)
  const range = direction === 'asc' ? { lo: page.from, hi: Number.MAX_SAFE_INTEGER } : { lo: 0, hi: page.from }
  if (sources && !isSpread(sources)) return mergeScans(caller, clipped(await scansOf(caller, sources), range), walk)

  const newest = await newestId(caller)
  const { near, rest } = split(
    { lo: range.lo, hi: Math.min(range.hi, newest) },
    direction,
    page.window ?? windowFor(limit),
  )
  const found = await mergeScans(caller, [{ by: 'all', ...near }], walk)
  if (found.length >= limit || rest.lo > rest.hi) return found
  const scans = clipped(await (sources ? scansOf(caller, sources) : scansOfAll(caller)), rest)
  return [...found, ...(await mergeScans(caller, scans, { ...walk, limit: limit - found.length }))]
}

/** Those of these messages that match a narrow, ascending. */
export async function findAmong(caller: Caller, narrow: Narrow, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return []
  const walk = { condition: conditionOf(caller, narrow), direction: 'asc', limit: ids.length } as const
  return mergeScans(caller, [{ by: 'ids', values: ids, ...everywhere }], walk)
}

const windowFor = (limit: number) => 2000 + 10 * limit

function split({ lo, hi }: { lo: number; hi: number }, direction: Page['direction'], size: number) {
  if (direction === 'asc') return { near: { lo, hi: Math.min(hi, lo + size) }, rest: { lo: lo + size + 1, hi } }
  return { near: { lo: Math.max(lo, hi - size), hi }, rest: { lo, hi: hi - size - 1 } }
}

async function newestId({ db }: Caller): Promise<number> {
  const row = await db.selectFrom('message').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
  return row?.id ?? 0
}

/** The most selective source that a term offers; undefined where none does. */
export function sourcesOf(narrow: Narrow): readonly Source[] | undefined {
  const positive = narrow.terms.filter((term) => !term.negated)
  const channels = positive.filter((term) => term.operator === 'channel').flatMap((term) => term.meaning.sources ?? [])
  const streams = new Set(channels.flatMap((source) => (source.by === 'conversation_id' ? source.values : [])))
  const rank = (sources: readonly Source[]) => Math.max(...sources.map(rankOf))
  const [best] = positive
    .flatMap((term) => (term.meaning.sources ? [term.meaning.sources] : []))
    .sort((a, b) => rank(a) - rank(b))
  if (!best || channels.length === 0) return best
  // A topic's name may be used in many streams: only those of the narrow's streams count.
  return best.map((source) =>
    source.by === 'topic_id'
      ? { by: 'topic_id', topics: source.topics.filter((topic) => streams.has(topic.stream_id)) }
      : source,
  )
}

/** The smaller, the fewer messages such a source is expected to have. */
function rankOf(source: Source): number {
  if (source.by === 'conversation_id') return source.direct ? 3 : source.values.length <= 1 ? 6 : 9
  return { id: 0, topic_id: 2, text: 4, flags: 5, unread: 5, mark: 7, sender_id: 8, reactions: 9 }[source.by]
}

/** Whether it covers so many conversations that the nearest messages are probably among theirs. */
const isSpread = (sources: readonly Source[]) =>
  sources.every((source) => source.by === 'conversation_id' && source.values.length > FEW_SCANS)

/** The index scans of a narrow, exported for tests and measurements. */
export const scansFor = async (caller: Caller, narrow: Narrow): Promise<IndexScan[]> => {
  const sources = sourcesOf(narrow)
  return [{ by: 'all', ...everywhere }, ...(await (sources ? scansOf(caller, sources) : scansOfAll(caller)))]
}

const ANY_FLAG = Object.values<number>(bits).reduce((all, bit) => all | bit, 0)
const everywhere = { lo: 0, hi: Number.MAX_SAFE_INTEGER }

async function scansOf(caller: Caller, sources: readonly Source[]): Promise<IndexScan[]> {
  const scans: IndexScan[] = []
  for (const source of sources) {
    if (source.by === 'unread') scans.push(...(await unreadScans(caller)))
    else if (source.by === 'id') scans.push({ by: 'ids', values: source.ids, ...everywhere })
    else if (source.by === 'topic_id') scans.push(...topicScans(source.topics.map((topic) => topic.id)))
    else if ('values' in source) {
      for (const value of source.values) scans.push({ by: source.by, value, ...everywhere })
    } else scans.push({ ...source, ...everywhere })
  }
  return scans
}

function topicScans(ids: readonly number[]): IndexScan[] {
  if (ids.length > MANY_TOPICS) return [{ by: 'topics', values: ids, ...everywhere }]
  return ids.map((value) => ({ by: 'topic_id', value, ...everywhere }))
}

/** Index scans that find all messages the caller has. */
async function scansOfAll(caller: Caller): Promise<IndexScan[]> {
  const { db, user } = caller
  const periods = await periodsOfUser.get(caller, user.id)
  const direct = await db
    .selectFrom('direct_participant')
    .select('conversation_id')
    .where('user_id', '=', user.id)
    .execute()
  const streams = [...periods.keys()]
  return [
    ...streams.flatMap((value): IndexScan[] => [
      { by: 'conversation_id', value, ...everywhere },
      { by: 'origin_id', value, ...everywhere },
    ]),
    ...direct.map((row): IndexScan => ({ by: 'conversation_id', value: row.conversation_id, ...everywhere })),
    { by: 'sender_id', value: user.id, ...everywhere },
    { by: 'flags', bits: ANY_FLAG, ...everywhere },
  ]
}

const clipped = (scans: readonly IndexScan[], { lo, hi }: { lo: number; hi: number }): IndexScan[] =>
  scans
    .map((scan) => ({ ...scan, lo: Math.max(scan.lo, lo), hi: Math.min(scan.hi, hi) }))
    .filter((scan) => scan.lo <= scan.hi)
