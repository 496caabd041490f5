import type { Tx } from '../kernel/context.ts'
import { dialectOf } from '../kernel/store.ts'
import type { Range } from './intervals.ts'

/** A user's read ranges by conversation. */
export type Ranges = Map<number, Range[]>

/**
 * The writer's ranges around each conversation's ids: from the one at or below the first id to the one above the
 * last.
 */
export async function rangesAround(tx: Tx, requested: ReadonlyMap<number, readonly number[]>): Promise<Ranges> {
  const spans = [...requested].map(([conversation_id, ids]) => [conversation_id, ids[0]!, ids.at(-1)!])
  const { rows } = dialectOf(tx.chat)
  const found = await tx.db
    .selectFrom(rows(['conversation_id', 'first', 'last'], spans).as('span'))
    .crossJoin('read_range')
    .select(['read_range.conversation_id', 'read_range.lo', 'read_range.hi'])
    .where('read_range.user_id', '=', tx.user.id)
    .whereRef('read_range.conversation_id', '=', 'span.conversation_id')
    .where((eb) => {
      const of = () =>
        eb
          .selectFrom('read_range as other')
          .where('other.user_id', '=', tx.user.id)
          .whereRef('other.conversation_id', '=', 'span.conversation_id')
      const below = of()
        .select((o) => o.fn.max('other.lo').as('lo'))
        .whereRef('other.lo', '<=', 'span.first')
      const above = of()
        .select((o) => o.fn.min('other.lo').as('lo'))
        .whereRef('other.lo', '>', 'span.last')
      return eb.and([
        eb('read_range.lo', '>=', eb.fn.coalesce(below, eb.lit(0))),
        eb('read_range.lo', '<=', eb.fn.coalesce(above, eb.lit(Number.MAX_SAFE_INTEGER))),
      ])
    })
    .orderBy('read_range.conversation_id')
    .orderBy('read_range.lo')
    .execute()
  const ranges: Ranges = new Map()
  for (const { conversation_id, lo, hi } of found) {
    const list = ranges.get(conversation_id)
    if (list) list.push({ lo, hi })
    else ranges.set(conversation_id, [{ lo, hi }])
  }
  return ranges
}

/** Writes the differences. */
export async function replaceRanges(tx: Tx, before: Ranges, after: Ranges): Promise<void> {
  const gone: number[][] = []
  const come: number[][] = []
  const keys = (ranges: readonly Range[]) => new Set(ranges.map(({ lo, hi }) => `${lo} ${hi}`))
  for (const conversation_id of new Set([...before.keys(), ...after.keys()])) {
    const old = before.get(conversation_id) ?? []
    const now = after.get(conversation_id) ?? []
    const oldKeys = keys(old)
    const nowKeys = keys(now)
    for (const { lo, hi } of old) if (!nowKeys.has(`${lo} ${hi}`)) gone.push([conversation_id, lo])
    for (const { lo, hi } of now) if (!oldKeys.has(`${lo} ${hi}`)) come.push([conversation_id, lo, hi])
  }
  const { rows } = dialectOf(tx.chat)
  if (gone.length > 0) {
    await tx.db
      .deleteFrom('read_range')
      .where('user_id', '=', tx.user.id)
      .where(({ eb, refTuple, selectFrom }) =>
        eb(
          refTuple('conversation_id', 'lo'),
          'in',
          selectFrom(rows(['conversation_id', 'lo'], gone).as('range'))
            .select(['range.conversation_id', 'range.lo'])
            .$asTuple('conversation_id', 'lo'),
        ),
      )
      .execute()
  }
  if (come.length === 0) return
  await tx.db
    .insertInto('read_range')
    .columns(['user_id', 'conversation_id', 'lo', 'hi'])
    .expression((eb) =>
      eb
        .selectFrom(rows(['conversation_id', 'lo', 'hi'], come).as('range'))
        .select([eb.val(tx.user.id).as('user_id'), 'range.conversation_id', 'range.lo', 'range.hi']),
    )
    .execute()
}
