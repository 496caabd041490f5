import { periodsOfUser } from '../events/log/audience.ts'
import type { Caller } from '../kernel/context.ts'
import { dialectOf } from '../kernel/store.ts'
import { bits } from '../read-state/flag-bits.ts'
import { type GapRow, readRanges, unreadGaps } from '../read-state/unread-gaps.ts'
import type { Narrow } from './compile.ts'
import type { Source } from './operators/predicate.ts'
import type { IndexScan } from './scan.ts'

export const everywhere = { lo: 0, hi: Number.MAX_SAFE_INTEGER }
const ANY_FLAG = Object.values<number>(bits).reduce((all, bit) => all | bit, 0)

/**
 * Returns scans for everything that the caller has and has read: a range per conversation. Left conversations and
 * moved messages count as read or are checked individually, like messages that the caller wrote or flagged, and notices
 * that started as read.
 */
async function readScans(caller: Caller): Promise<IndexScan[]> {
  const { db, user } = caller
  const left = await db
    .selectFrom('subscription_period')
    .select('stream_id')
    .distinct()
    .where('user_id', '=', user.id)
    .where('stream_id', 'not in', (eb) =>
      eb.selectFrom('subscription').select('stream_id').where('user_id', '=', user.id).where('is_active', '=', 1),
    )
    .execute()
  const ranges = await readRanges(caller)
  return [
    ...[...ranges].flatMap(([value, own]) =>
      own.map((range): IndexScan => ({ by: 'conversation_id', value, ...range })),
    ),
    ...left.map(({ stream_id }): IndexScan => ({ by: 'conversation_id', value: stream_id, ...everywhere })),
    ...(await scansElsewhere(caller)),
    { by: 'mark', mark: 'starts_read', ...everywhere },
  ]
}

/**
 * Returns scans for messages that the caller has in places they never subscribed to: moved ones, and ones they wrote
 * or flagged.
 */
async function scansElsewhere({ db, user }: Caller): Promise<IndexScan[]> {
  const moved = await db
    .selectFrom('subscription_period')
    .select('stream_id')
    .distinct()
    .where('user_id', '=', user.id)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('message')
          .select('message.id')
          .whereRef('message.origin_id', '=', 'subscription_period.stream_id'),
      ),
    )
    .execute()
  return [
    ...moved.map(({ stream_id }): IndexScan => ({ by: 'origin_id', value: stream_id, ...everywhere })),
    { by: 'sender_id', value: user.id, ...everywhere },
    { by: 'flags', bits: ANY_FLAG, ...everywhere },
  ]
}

/** Index scans that find all unread messages: of the gaps between the caller's read ranges, and of their own. */
export async function unreadScans(caller: Caller): Promise<IndexScan[]> {
  const gaps = await unreadGaps(caller)
  const moved = await withMoved(
    caller,
    gaps.map((gap) => gap.conversation_id),
  )
  return [
    { by: 'own_unread', lo: 0, hi: Number.MAX_SAFE_INTEGER },
    ...gapScan('conversation_id', gaps),
    ...gapScan(
      'origin_id',
      gaps.filter((gap) => moved.has(gap.conversation_id)),
    ),
  ]
}

function gapScan(column: 'conversation_id' | 'origin_id', gaps: readonly GapRow[]): IndexScan[] {
  if (gaps.length === 0) return []
  const [lows, highs] = [gaps.map((gap) => gap.lo), gaps.map((gap) => gap.hi)]
  return [{ by: 'gaps', column, gaps, lo: smallest(lows), hi: -smallest(highs.map((hi) => -hi)) }]
}

/** There may be more values than a call may have arguments. */
const smallest = (values: readonly number[]): number => values.reduce((a, b) => Math.min(a, b))

/** Returns the conversations that messages were moved out of. */
async function withMoved({ db, chat }: Caller, conversation_ids: readonly number[]): Promise<ReadonlySet<number>> {
  const rows = await db
    .selectFrom('stream')
    .select('id')
    .where('id', 'in', dialectOf(chat).idsIn([...new Set(conversation_ids)]))
    .where((eb) =>
      eb.exists(eb.selectFrom('message').select('message.id').whereRef('message.origin_id', '=', 'stream.id')),
    )
    .execute()
  return new Set(rows.map((row) => row.id))
}

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
  // A topic's name may exist in many streams, but only the narrow's streams count.
  const inChannels = (source: Source): Source =>
    source.by === 'topic_id' && channels.length > 0
      ? { by: 'topic_id', topics: source.topics.filter((topic) => streams.has(topic.stream_id)) }
      : source
  const rank = (sources: readonly Source[]) => Math.max(...sources.map(rankOf))
  const [best] = positive
    .flatMap((term) => (term.predicate.sources ? [term.predicate.sources.map(inChannels)] : []))
    // The messages that the caller has read aren't all that they may read.
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
  // Most topics of the organization are in streams where the caller has no messages.
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
