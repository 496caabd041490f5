import { periodsOfUser } from '../events/log/audience.ts'
import type { Caller } from '../kernel/context.ts'
import { bits } from '../read-state/flag-bits.ts'
import type { GapRow } from '../read-state/unread-gaps.ts'
import type { Narrow } from './compile.ts'
import type { Source } from './operators/predicate.ts'
import { readScans, scansElsewhere } from './read-scan.ts'
import type { IndexScan } from './scan.ts'
import { unreadScans } from './unread-scan.ts'

/**
 * With more scans than this, the nearest messages are scanned first; the rest is opened only if that did not find
 * enough.
 */
const FEW_SCANS = 20

/** The most selective source that a term offers; undefined where none does. */
export function sourcesOf(narrow: Narrow): readonly Source[] | undefined {
  const positive = narrow.terms.filter((term) => !term.negated)
  const channels = positive
    .filter((term) => term.operator === 'channel')
    .flatMap((term) => term.predicate.sources ?? [])
  const streams = new Set(channels.flatMap((source) => (source.by === 'conversation_id' ? source.values : [])))
  // A topic's name may be used in many streams: only those of the narrow's streams count.
  const inChannels = (source: Source): Source =>
    source.by === 'topic_id' && channels.length > 0
      ? { by: 'topic_id', topics: source.topics.filter((topic) => streams.has(topic.stream_id)) }
      : source
  const rank = (sources: readonly Source[]) => Math.max(...sources.map(rankOf))
  const [best] = positive
    .flatMap((term) => (term.predicate.sources ? [term.predicate.sources.map(inChannels)] : []))
    // The caller's read messages are not all that they may read.
    .filter((sources) => !narrow.wholeHistory || sources.every((source) => source.by !== 'read'))
    .sort((a, b) => rank(a) - rank(b))
  return best
}

const isMany = (things: readonly unknown[]): boolean => things.length > FEW_SCANS

/** The smaller, the fewer messages such a source is expected to have. */
function rankOf(source: Source): number {
  if (source.by === 'conversation_id') return source.direct ? 3 : source.values.length <= 1 ? 6 : 9
  if (source.by === 'topic_id') return isMany(source.topics) ? 6.5 : 2
  return { id: 0, text: 4, flags: 5, unread: 5, mark: 7, sender_id: 8, reactions: 9, read: 10 }[source.by]
}

/** Whether there are so many conversations that the nearest messages are probably among theirs. */
export const isSpread = (sources: readonly Source[]): boolean =>
  sources.every((source) => source.by === 'conversation_id' && isMany(source.values))

/** Whether there are so many topics that they are read together, in windows of the nearest messages. */
export const hasManyTopics = (sources: readonly Source[]): boolean =>
  sources.some((source) => source.by === 'topic_id' && isMany(source.topics))

/** The index scans of a narrow, exported for tests and measurements. */
export const scansFor = async (caller: Caller, narrow: Narrow): Promise<IndexScan[]> => {
  const scans = await scansOf(caller, sourcesOf(narrow), { wholeHistory: narrow.wholeHistory, ...everywhere })
  return [{ by: 'all', ...everywhere }, ...scans]
}

const ANY_FLAG = Object.values<number>(bits).reduce((all, bit) => all | bit, 0)
export const everywhere = { lo: 0, hi: Number.MAX_SAFE_INTEGER }
interface Span extends Pick<Narrow, 'wholeHistory'> {
  lo: number
  hi: number
}

/** The scans of these sources within a span; without sources, of all messages the caller has. */
export async function scansOf(
  caller: Caller,
  sources: readonly Source[] | undefined,
  span: Span,
): Promise<IndexScan[]> {
  if (!sources) return clipped(await scansOfAll(caller), span)
  const scans: IndexScan[] = []
  for (const source of sources) {
    if (source.by === 'unread') scans.push(...(await unreadScans(caller)))
    else if (source.by === 'read') scans.push(...(await readScans(caller)))
    else if (source.by === 'id') scans.push({ by: 'ids', values: source.ids, ...everywhere })
    else if (source.by === 'topic_id') {
      const { topics } = source
      if (isMany(topics)) scans.push(...(await topicsScans(caller, topics, span.wholeHistory)))
      else for (const { id: value } of topics) scans.push({ by: 'topic_id', value, ...everywhere })
    } else if ('values' in source) {
      for (const value of source.values) scans.push({ by: source.by, value, ...everywhere })
    } else scans.push({ ...source, ...everywhere })
  }
  return clipped(scans, span)
}

/** Topics as one scan: opened one by one, each would be read far beyond what is needed of all of them together. */
async function topicsScans(
  caller: Caller,
  topics: readonly { id: number; stream_id: number }[],
  wholeHistory: boolean,
): Promise<IndexScan[]> {
  const scanOf = (some: readonly { id: number }[]): IndexScan => ({
    by: 'topics',
    values: some.map((topic) => topic.id),
    ...everywhere,
  })
  if (wholeHistory) return [scanOf(topics)]
  // Most topics of the organization are in streams without any message of the caller's.
  const periods = await periodsOfUser.get(caller, caller.user.id)
  return [scanOf(topics.filter((topic) => periods.has(topic.stream_id))), ...(await scansElsewhere(caller))]
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

export const clipped = (scans: readonly IndexScan[], { lo, hi }: { lo: number; hi: number }): IndexScan[] =>
  scans
    .map((scan) => ({ ...within(scan, lo, hi), ...(scan.by === 'gaps' && { gaps: gapsOf(scan.gaps, lo, hi) }) }))
    .filter((scan) => scan.lo <= scan.hi && (scan.by !== 'gaps' || scan.gaps.length > 0))

const within = <S extends { lo: number; hi: number }>(scan: S, lo: number, hi: number): S => ({
  ...scan,
  lo: Math.max(scan.lo, lo),
  hi: Math.min(scan.hi, hi),
})

const gapsOf = (gaps: readonly GapRow[], lo: number, hi: number): GapRow[] =>
  gaps.filter((gap) => gap.lo <= hi && gap.hi >= lo).map((gap) => within(gap, lo, hi))
